package import RejoinAssist

extension AssistRegistry {
    /// The operations that every server offers.
    package static let standard = AssistRegistry([])
}
