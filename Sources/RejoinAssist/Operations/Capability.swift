/// What an operation needs from whoever runs it, and what a runner says that it can do.
public struct Capability: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt32

    /// Names a set of capabilities by its bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Understands and writes text.
    public static let text = Capability(rawValue: 1)
    /// Keeps to a schema.
    public static let structuredOutput = Capability(rawValue: 2)
    /// Calls functions of the app.
    public static let tools = Capability(rawValue: 4)
    /// Sees pictures.
    public static let vision = Capability(rawValue: 8)
    /// Looks things up while it answers.
    public static let liveRetrieval = Capability(rawValue: 16)
    /// Reads more than a device's model usually can.
    public static let longContext = Capability(rawValue: 32)
}
