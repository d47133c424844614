public import Observation
public import RejoinCore

/// The list of conversations as a front shows it, and what a search finds.
@MainActor @Observable public final class ConversationListModel {
    /// What there is to show.
    public enum State: Equatable, Sendable {
        /// The store is being read for the first time.
        case loading
        /// The list as far as it was read.
        case list([StoredConversation], Rest)
        /// What was found for some words.
        case found([SearchHit], for: String)
    }

    /// What comes after the last line.
    public enum Rest: Equatable, Sendable {
        /// More, once ``ConversationListModel/more()`` asks for it.
        case more
        case nothing
    }

    public let client: ConversationClient
    public private(set) var state = State.loading
    /// What is looked for; blank shows the list.
    public var query = "" {
        didSet { if query != oldValue { stirred.call() } }
    }
    /// Whether archived conversations are in the list too.
    public var showsArchived = false {
        didSet { if showsArchived != oldValue { stirred.call() } }
    }
    /// Why the last thing that was asked for could not be done; nil once something could.
    public private(set) var notice: RefusalNotice?

    @ObservationIgnored private let options: ModelOptions
    /// How many lines are wanted.
    @ObservationIgnored private var wanted: Int
    private nonisolated let stirred = WakeUp()

    /// Makes a model.
    public init(client: ConversationClient, options: ModelOptions = ModelOptions()) {
        self.client = client
        self.options = options
        wanted = options.pageSize
    }

    /// The lines of the list; empty while something else is shown.
    public var conversations: [StoredConversation] {
        if case .list(let conversations, _) = state { conversations } else { [] }
    }

    /// Keeps the model in step until its task is cancelled.
    public func run() async {
        let updates = client.updates()
        let ticker = options.ticker(for: client)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.readAlong() }
            group.addTask {
                await FrameLoop.run(updates, ticker: ticker) { updates in
                    if updates.contains(.list) { self.stirred.call() }
                }
            }
        }
    }

    /// Reads on, once the reader is near the end.
    public func more() {
        guard case .list(let conversations, .more) = state, conversations.count >= wanted else { return }
        wanted = conversations.count + options.pageSize
        stirred.call()
    }

    /// Gives a conversation a title.
    public func rename(_ conversation: ConversationID, to title: String) async {
        await attempt { try await client.rename(conversation, to: title) }
    }

    /// Keeps a conversation at the top, or no longer.
    public func pin(_ conversation: ConversationID, _ isPinned: Bool = true) async {
        await attempt { try await client.pin(conversation, isPinned) }
    }

    /// Puts a conversation out of the list, or back.
    public func archive(_ conversation: ConversationID, _ isArchived: Bool = true) async {
        await attempt { try await client.archive(conversation, isArchived) }
    }

    /// Deletes a conversation everywhere.
    public func delete(_ conversation: ConversationID) async {
        await attempt { try await client.delete(conversation) }
    }

    /// Deletes every conversation.
    public func deleteAll() async { await attempt { try await client.deleteAll() } }

    /// Takes the notice away.
    public func dismissNotice() { notice = nil }

    private func attempt(_ body: () async throws -> Void) async {
        do {
            try await body()
            notice = nil
        } catch {
            notice = options.guide.notice(for: error as? ClientRefusal ?? ClientRefusal(.notKept))
        }
    }

    /// Reads whatever is wanted now; what comes to be wanted meanwhile is read next.
    private func readAlong() async {
        while !Task.isCancelled {
            let seen = stirred.count
            if let next = try? await read(), next != state { state = next }
            try? await stirred.wait(beyond: seen, clock: client.clock)
        }
    }

    private func read() async throws -> State {
        let words = query
        if words.contains(where: { !$0.isWhitespace }) {
            return .found(try await client.search(words), for: words)
        }
        // One more than is shown tells whether there is more.
        let lines = try await client.list(limit: wanted + 1, includeArchived: showsArchived)
        return .list(Array(lines.prefix(wanted)), lines.count > wanted ? .more : .nothing)
    }
}
