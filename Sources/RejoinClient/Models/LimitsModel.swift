public import Observation
public import RejoinCore

/// The limits of the account as a front shows them: the server's figures, and how old they are.
///
/// Nothing is counted here, and nothing is held back because of a figure: only the server refuses. A figure that cannot
/// be fresh never looks as if it were.
@MainActor @Observable public final class LimitsModel {
    /// What there is to show.
    public enum State: Equatable, Sendable {
        /// The server has not told yet.
        case unknown
        /// The server's figures of now.
        case current([Limit])
        /// Figures from a while ago: the device is offline, or the server has not been asked for long.
        case aged([Limit], since: Timestamp, age: Duration)
        /// There are figures, but they are too old to be shown as the app wants it.
        case hidden
    }

    public let client: ConversationClient
    public private(set) var state = State.unknown

    @ObservationIgnored private let options: ModelOptions
    /// How long figures count as those of now while there is a connection.
    public nonisolated static let freshness = Duration.seconds(3600)

    /// Makes a model.
    public init(client: ConversationClient, options: ModelOptions = ModelOptions()) {
        self.client = client
        self.options = options
    }

    /// What may be shown; empty for nothing.
    public var items: [Limit] {
        switch state {
        case .current(let items), .aged(let items, _, _): items
        case .unknown, .hidden: []
        }
    }

    /// The figure of one capability: limits do not touch each other.
    public func limit(of capability: String) -> Limit? { items.first { $0.capability == capability } }

    /// The age in English; nil for figures of now.
    public var ageWords: String? {
        guard case .aged(_, _, let age) = state else { return nil }
        return "as of \(RelativeTime.words(milliseconds: age.inMilliseconds)) ago"
    }

    /// Asks the server.
    ///
    /// - Returns: why it could not be asked; nil when it answered.
    @discardableResult
    public func refresh() async -> RefusalNotice? {
        var notice: RefusalNotice?
        do {
            try await client.refreshLimits()
        } catch {
            notice = options.guide.notice(for: error as? ClientRefusal ?? ClientRefusal(.offline))
        }
        await reload()
        return notice
    }

    /// Keeps the model in step until its task is cancelled.
    public func run() async {
        let updates = client.updates()
        await reload()
        let ticker = options.ticker(for: client)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await FrameLoop.run(updates, ticker: ticker) { updates in
                    guard updates.contains(.limits) || updates.contains(.connection) else { return }
                    await self.reload()
                }
            }
            group.addTask { await self.growOlder() }
        }
    }

    /// Lets the age pass.
    private func growOlder() async {
        while !Task.isCancelled {
            try? await client.clock.sleep(for: .seconds(60))
            if !Task.isCancelled { await reload() }
        }
    }

    private func reload() async {
        guard let snapshot = try? await client.limits() else { return }
        let next = Self.state(of: snapshot, client.connection, now: client.now, options.staleLimits)
        if next != state { state = next }
    }

    /// Works out what to show.
    static func state(
        of snapshot: LimitsSnapshot, _ connection: ConnectionState, now: Timestamp, _ stale: ModelOptions.StaleLimits
    ) -> State {
        let age = Duration.milliseconds(max(0, now.milliseconds - snapshot.asOf.milliseconds))
        if connection == .online, age < freshness { return .current(snapshot.items) }
        return switch stale {
        case .shownWithAge: .aged(snapshot.items, since: snapshot.asOf, age: age)
        case .hidden: .hidden
        }
    }
}
