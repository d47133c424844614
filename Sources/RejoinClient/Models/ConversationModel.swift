public import Observation
public import RejoinCore

/// One conversation as a front shows it: its path, what can be done, and what is to be announced.
///
/// Let ``run()`` run for as long as it is on the screen. Whatever happens between two frames is one change.
@MainActor @Observable public final class ConversationModel {
    /// What there is to show.
    public enum State: Equatable, Sendable {
        /// Nothing yet: the first prompt begins it.
        case new
        /// It is being read, or fetched.
        case opening
        case shown
        /// It cannot be shown.
        case unavailable(RefusalNotice)
    }

    /// Something to be said aloud; a number that was handled need not be looked at again.
    public struct Spoken: Equatable, Sendable {
        public let number: Int
        public let announcement: Announcement
    }

    public nonisolated let client: ConversationClient
    public nonisolated let options: ModelOptions
    public private(set) var state: State
    /// The conversation; nil until the first prompt begins it.
    public private(set) var id: ConversationID?
    /// Its line of the list: title, pin and the rest.
    public private(set) var line: StoredConversation?
    /// The path that is shown, first prompt first.
    public private(set) var exchanges: [Exchange] = []
    /// Where the reader is; the front reports scrolling and layout to it.
    public var scroll: ScrollPosition
    /// What is to be said aloud, oldest first; only the newest are kept.
    public private(set) var announcements: [Spoken] = []
    public private(set) var connection: ConnectionState
    /// Why the last thing that was asked for could not be done; nil once something could.
    public private(set) var notice: RefusalNotice?

    /// How many announcements are kept.
    public nonisolated static let announcementsKept = 32

    @ObservationIgnored private var answers: [AnswerID: AnswerModel] = [:]
    @ObservationIgnored private var lastSpoken = 0
    /// How many frames had something to show.
    @ObservationIgnored package private(set) var frames = 0
    /// Called when the conversation begins, or has answers to wait for.
    private nonisolated let stirred = WakeUp()

    /// Makes a model.
    ///
    /// - Parameter conversation: nil for one that is yet to begin.
    public init(client: ConversationClient, conversation: ConversationID?, options: ModelOptions = ModelOptions()) {
        self.client = client
        self.options = options
        id = conversation
        state = conversation == nil ? .new : .opening
        connection = client.connection
        scroll = ScrollPosition()
    }

    /// The answer that is under way at the end of the path; nil if none is.
    public var running: AnswerModel? {
        guard let last = exchanges.last?.answer, last.phase.isRunning else { return nil }
        return last
    }

    /// Keeps the model in step until its task is cancelled.
    ///
    /// Then the conversation is left, unless it is temporary: that one goes when ``ConversationClient/leave(_:)`` says
    /// so.
    public func run() async {
        let updates = client.updates()
        connection = client.connection
        await reload()
        let ticker = options.ticker(for: client)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await FrameLoop.run(updates, ticker: ticker) { await self.show($0) } }
            group.addTask { await self.open() }
            group.addTask { await self.watchWaits() }
        }
        if let id, line?.isTemporary == false { try? await client.leave(id) }
    }

    // MARK: Showing

    private func show(_ updates: [ClientUpdate]) async {
        frames += 1
        if updates.contains(.connection), connection != client.connection { connection = client.connection }
        guard let id else { return }
        if updates.contains(.conversation(id)) {
            await reload()
        } else {
            for case .answer(let answer) in updates {
                guard let model = answers[answer], let fold = client.live(answer) else { continue }
                say(model.grow(fold, now: client.now))
            }
            if updates.contains(.list), let line = try? await client.store.line(id) { self.line = line }
        }
    }

    /// Reads the conversation anew.
    package func reload() async {
        guard let id else { return }
        do {
            guard let tree = try await client.tree(id) else {
                let isGone = try await client.store.isDeleted(id)
                if isGone { leave(ClientRefusal(.deleted)) } else if !exchanges.isEmpty { beginAgain() }
                return
            }
            take(tree)
        } catch {
            if exchanges.isEmpty { leave(ClientRefusal(.notKept)) }
        }
    }

    private func take(_ tree: StoredTree) {
        if line != tree.conversation { line = tree.conversation }
        var kept: [AnswerID: AnswerModel] = [:]
        var path: [Exchange] = []
        let versions = TreeVersions(tree.tree)
        for step in tree.path {
            guard let turn = tree.turn(step.turn), let answer = step.answer, let stored = tree.answers[answer] else {
                continue
            }
            let model: AnswerModel
            if let known = answers[answer] {
                model = known
                say(known.update(stored, delivery: turn.delivery, now: client.now))
            } else {
                model = AnswerModel(
                    stored, delivery: turn.delivery, since: client.now, guide: options.guide)
            }
            kept[answer] = model
            path.append(
                Exchange(
                    turn: turn, answer: model, versions: versions.answers(of: turn.id, showing: answer),
                    branches: versions.prompts(around: turn.id)))
        }
        answers = kept
        if !path.isEmpty || tree.conversation.isComplete { state = .shown }
        if !exchanges.elementsEqual(path, by: { $0.looksLike($1) }) { exchanges = path }
        stirred.call()
    }

    /// Its only prompt was taken back before it went out: the conversation never began.
    private func beginAgain() {
        exchanges = []
        answers = [:]
        line = nil
        id = nil
        state = .new
    }

    private func leave(_ refusal: ClientRefusal) {
        exchanges = []
        answers = [:]
        state = .unavailable(options.guide.notice(for: refusal))
    }

    private func say(_ new: [Announcement]) {
        guard !new.isEmpty else { return }
        var all = announcements
        for announcement in new {
            lastSpoken += 1
            all.append(Spoken(number: lastSpoken, announcement: announcement))
        }
        announcements = all.suffix(Self.announcementsKept)
    }

    /// Fetches what is missing, once there is a conversation.
    private func open() async {
        var opened: ConversationID?
        while !Task.isCancelled {
            let seen = stirred.count
            if let id, id != opened {
                opened = id
                do {
                    try await client.open(id)
                    await reload()
                    if state == .opening { state = .shown }
                } catch let refusal as ClientRefusal {
                    if exchanges.isEmpty { leave(refusal) } else { notice = options.guide.notice(for: refusal) }
                } catch {
                    // The task was cancelled.
                    return
                }
            }
            try? await stirred.wait(beyond: seen, clock: client.clock)
        }
    }

    /// Lets blank answers say how long they have been so.
    private func watchWaits() async {
        while !Task.isCancelled {
            let seen = stirred.count
            let next = answers.values.compactMap { $0.noteWait(options.patience, now: client.now) }.min()
            try? await stirred.wait(beyond: seen, atMost: next, clock: client.clock)
        }
    }

    // MARK: Acting

    /// Does what a person asked for; what refuses is shown.
    ///
    /// - Returns: what came of it; nil if it was refused.
    @discardableResult
    func attempt<Result>(_ body: () async throws -> Result) async -> Result? {
        do {
            let result = try await body()
            notice = nil
            return result
        } catch let refusal as ClientRefusal {
            notice = options.guide.notice(for: refusal)
        } catch {
            notice = options.guide.notice(for: ClientRefusal(.notKept))
        }
        return nil
    }

    /// Takes in what was sent, and goes to the end of the conversation.
    func began(_ sent: ConversationClient.Sent) async {
        if id == nil {
            id = sent.conversation
            state = .opening
        }
        scroll.sent()
        await reload()
    }

    /// Takes the notice away.
    public func dismissNotice() { notice = nil }
}

extension Exchange {
    /// Whether a front need not draw it anew; its answer sees to itself.
    func looksLike(_ other: Exchange) -> Bool {
        turn == other.turn && answer === other.answer && versions == other.versions && branches == other.branches
    }
}
