public import Observation
public import RejoinCore

/// What is remembered about the person as a front shows it.
///
/// Until the server has told, nothing is shown and memory counts as off. A change shows once the server has made it.
@MainActor @Observable public final class MemoryModel {
    /// What is known of the memory.
    public enum State: Equatable, Sendable {
        /// The server has not told yet.
        case unknown
        /// The server remembers nothing of anybody: there is nothing to show.
        case notOffered
        case known(Memory)
    }

    public let client: ConversationClient
    public private(set) var state = State.unknown
    /// Why the last change did not happen, or the memory could not be read.
    public private(set) var notice: RefusalNotice?
    /// Whether a change is under way.
    public private(set) var isChanging = false

    @ObservationIgnored private let options: ModelOptions

    /// Makes a model.
    public init(client: ConversationClient, options: ModelOptions = ModelOptions()) {
        self.client = client
        self.options = options
    }

    /// Whether facts are used, as far as the server has said.
    public var isOn: Bool { if case .known(let memory) = state { memory.isOn } else { false } }

    /// What the person wants remembered, changed last first.
    public var facts: [RememberedFact] {
        if case .known(let memory) = state { memory.facts.filter(\.isAccepted) } else { [] }
    }

    /// What waits for the person's word.
    public var proposals: [RememberedFact] { if case .known(let memory) = state { memory.proposals } else { [] } }

    /// The facts of these ids, as far as they are still there: what an answer was given.
    public func facts(_ ids: [FactID]) -> [RememberedFact] { ids.compactMap { id in facts.first { $0.id == id } } }

    /// Asks the server.
    public func refresh() async {
        do {
            state = .known(try await client.ask { try await $0.memory() })
            notice = nil
        } catch {
            let refusal = Self.refusal(of: error)
            if refusal.isUnknownThere { state = .notOffered } else { say(refusal) }
        }
    }

    /// Has a fact remembered.
    public func remember(_ text: String) async { await change { try await $0.remember(text) } }
    /// Puts a fact into other words.
    public func reword(_ fact: FactID, _ text: String) async { await change { try await $0.reword(fact, text) } }
    /// Accepts a proposal.
    public func accept(_ fact: FactID) async { await change { try await $0.accept(fact) } }
    /// Deletes a fact, or declines a proposal.
    public func forget(_ fact: FactID) async { await change { try await $0.forget(fact) } }
    /// Deletes everything.
    public func forgetEverything() async { await change { try await $0.forgetEverything() } }

    private func change(_ act: (RejoinClient) async throws -> some Any) async {
        guard !isChanging, case .known = state else { return }
        isChanging = true
        defer { isChanging = false }
        do {
            try await client.ask { _ = try await act($0) }
            await refresh()
        } catch {
            let refusal = Self.refusal(of: error)
            // What is shown next is what the server holds, whoever changed it.
            await refresh()
            say(refusal)
        }
    }

    /// Keeps the model in step until its task is cancelled.
    public func run() async {
        let updates = client.updates()
        await refresh()
        await FrameLoop.run(updates, ticker: options.ticker(for: client)) { updates in
            let hasChanged = updates.contains(.memory) || updates.contains(.consent)
            guard hasChanged || updates.contains(.connection) else { return }
            await self.refreshIfUseful(hasChanged)
        }
    }

    private func refreshIfUseful(_ hasChanged: Bool) async {
        // A connection that came back is a reason only for who knows nothing yet.
        if hasChanged || (state == .unknown && client.connection == .online) { await refresh() }
    }

    private static func refusal(of error: any Error) -> ClientRefusal {
        error as? ClientRefusal ?? ClientRefusal(.offline)
    }

    private func say(_ refusal: ClientRefusal) { notice = options.guide.notice(for: refusal) }
}
