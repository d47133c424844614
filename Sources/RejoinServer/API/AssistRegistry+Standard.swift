import RejoinAssist

extension AssistRegistry {
    /// The operations that every server offers.
    ///
    /// Those on pictures are here so that asking for one is refused for the pictures, which no provider is handed yet.
    package static let standard = AssistRegistry([
        Complete.self, Rewrite.self, Classify.self, Group.self, Extract<Expense>.self, Interpret<PictureAlone>.self,
        Interpret<WithLiveSources>.self,
    ])
}
