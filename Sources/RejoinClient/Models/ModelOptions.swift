/// What models do where apps differ.
public struct ModelOptions: Sendable {
    /// What a figure of a limit does while it cannot be fresh.
    public enum StaleLimits: Sendable {
        /// It is shown with its age.
        case shownWithAge
        case hidden
    }

    /// When frames are due; nil for 60 a second by the client's clock.
    public var ticker: (any FrameTicker)?
    /// How long an answer may stay blank before its status says that it is still being worked on.
    public var patience = Duration.seconds(5)
    /// What can be done about a refusal.
    public var guide = RefusalGuide()
    public var staleLimits = StaleLimits.shownWithAge
    /// How many conversations the list reads at a time.
    public var pageSize = 50

    /// Starts from the defaults.
    public init() {}

    func ticker(for client: ConversationClient) -> any FrameTicker { ticker ?? ClockTicker(clock: client.clock) }
}
