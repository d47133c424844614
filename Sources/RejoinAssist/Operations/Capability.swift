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

    /// The capabilities of the set, one by one.
    var single: [Capability] {
        guard rawValue != 0 else { return [] }
        return (0..<UInt32.bitWidth).map { Capability(rawValue: 1 << UInt32($0)) }.filter(contains)
    }

    /// The names of the capabilities in the set, for a line that support reads.
    public var labels: [String] {
        single.map {
            switch $0 {
            case .text: "text"
            case .structuredOutput: "structured-output"
            case .tools: "tools"
            case .vision: "vision"
            case .liveRetrieval: "live-retrieval"
            case .longContext: "long-context"
            default: "other"
            }
        }
    }
}
