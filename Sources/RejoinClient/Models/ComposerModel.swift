public import Observation
public import RejoinCore

/// Where a person writes: the words, what they are for, and what the one button does.
///
/// The words are kept on this device as they are written, so that a kill takes none that were there a moment before.
/// Let ``run()`` run for as long as it is on the screen.
@MainActor @Observable public final class ComposerModel {
    /// What the words are for.
    public enum Purpose: Equatable, Sendable {
        case prompt
        /// They take the place of a prompt, as a branch beside it.
        case editing(TurnID)
    }

    /// What the button does.
    public enum Action: Equatable, Sendable {
        /// There is nothing to send.
        case nothing
        case send
        /// The prompt will wait for a connection.
        case queue
        /// An answer is under way: stop takes the place of send.
        case stop(AnswerID)
    }

    /// How writing stands.
    public enum State: Equatable, Sendable {
        case writing
        /// The prompt is being kept on this device, which takes a moment.
        case sending
        /// It could not be sent; the words are still here.
        case refused(RefusalNotice)
    }

    public let conversation: ConversationModel
    /// The words; a field binds to it.
    public var text = "" {
        didSet { if text != oldValue { changed() } }
    }
    public private(set) var purpose = Purpose.prompt
    public private(set) var state = State.writing
    /// The model to ask for, or `auto`.
    public var model = "auto"
    /// Whether a conversation that begins here leaves nothing behind.
    public var isTemporary = false

    /// What was being written when an earlier prompt was taken up.
    @ObservationIgnored private var setAside: String?
    /// The words that the store has.
    @ObservationIgnored private var kept = ""
    /// How often words were taken out to be sent.
    @ObservationIgnored private var taken = 0
    private nonisolated let edited = WakeUp()

    private var client: ConversationClient { conversation.client }

    /// Makes a composer for a conversation, or for one that is yet to begin.
    public init(_ conversation: ConversationModel) { self.conversation = conversation }

    /// What the button does now.
    public var action: Action {
        if purpose == .prompt, let running = conversation.running { return .stop(running.id) }
        guard text.contains(where: { !$0.isWhitespace }) else { return .nothing }
        if case .offline = conversation.connection, client.configuration.offlinePolicy != .refuse { return .queue }
        return .send
    }

    /// Does what the button says.
    public func act() async {
        switch action {
        case .nothing: break
        case .stop: await conversation.stop()
        case .send, .queue: await send()
        }
    }

    /// Words on their way to the store.
    package struct Sending: Sendable {
        let words: String
        let purpose: Purpose
        /// The conversation that they were written in.
        let place: ConversationID?
    }

    /// Sends the words, which are taken out at once; they come back if that is refused.
    public func send() async { if let sending = begin() { await finish(sending) } }

    /// Takes the words out: what is written from now on is the next prompt.
    ///
    /// - Returns: nil while others are on their way.
    package func begin() -> Sending? {
        guard state != .sending else { return nil }
        let sending = Sending(words: text, purpose: purpose, place: conversation.id)
        state = .sending
        taken += 1
        text = setAside ?? ""
        setAside = nil
        purpose = .prompt
        return sending
    }

    /// Sends the words that were taken out.
    package func finish(_ sending: Sending) async {
        do {
            let sent: ConversationClient.Sent
            switch sending.purpose {
            case .prompt:
                sent = try await client.send(
                    sending.words, in: sending.place, model: model, temporary: isTemporary)
            case .editing(let turn): sent = try await client.edit(turn, [.text(sending.words)])
            }
            state = .writing
            kept = ""
            await conversation.began(sent)
        } catch let refusal as ClientRefusal {
            takeBack(sending, conversation.options.guide.notice(for: refusal))
        } catch {
            takeBack(sending, conversation.options.guide.notice(for: ClientRefusal(.notKept)))
        }
        edited.call()
    }

    /// Puts words back before what was written since.
    private func takeBack(_ sending: Sending, _ notice: RefusalNotice) {
        if sending.purpose == .prompt {
            text = text.isEmpty ? sending.words : sending.words + "\n" + text
        } else {
            if !text.isEmpty { setAside = text }
            text = sending.words
            purpose = sending.purpose
        }
        state = .refused(notice)
    }

    /// Takes up an earlier prompt; what was being written comes back afterwards.
    public func edit(_ exchange: Exchange) {
        if purpose == .prompt { setAside = text }
        purpose = .editing(exchange.id)
        text = exchange.prompt
        state = .writing
    }

    /// Leaves an earlier prompt as it is.
    public func cancelEditing() {
        guard purpose != .prompt else { return }
        purpose = .prompt
        text = setAside ?? ""
        setAside = nil
    }

    /// Reads the draft, and keeps what is written, until the task is cancelled.
    public func run() async {
        let updates = client.updates()
        await readDraft()
        let ticker = conversation.options.ticker(for: client)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await FrameLoop.run(updates, ticker: ticker) { await self.show($0) } }
            group.addTask { await self.keepAlong() }
            await group.next()
            group.cancelAll()
        }
        await keep()
    }

    private func changed() {
        if case .refused = state { state = .writing }
        edited.call()
    }

    private func show(_ updates: [ClientUpdate]) async {
        // A conversation that never began gives its words back to where the next one is written.
        guard updates.contains(conversation.id.map(ClientUpdate.conversation) ?? .list) else { return }
        await readDraft()
    }

    /// Takes words that came back: of a prompt that was refused, or taken back before it went out.
    private func readDraft() async {
        guard text == kept, purpose == .prompt, state != .sending,
            let draft = try? await client.draft(for: conversation.id)
        else { return }
        // What a person wrote meanwhile goes first.
        guard text == kept, draft.text != kept else { return }
        kept = draft.text
        text = draft.text
        if let turn = draft.editing { purpose = .editing(turn) }
    }

    /// Keeps each newest state of the words; what is written while one is kept is the next.
    private func keepAlong() async {
        while !Task.isCancelled {
            let seen = edited.count
            await keep()
            try? await edited.wait(beyond: seen, clock: client.clock)
        }
    }

    private func keep() async {
        let words = text
        guard words != kept, state != .sending else { return }
        let turn: TurnID? = if case .editing(let turn) = purpose { turn } else { nil }
        // A disk without space is told when sending; writing goes on.
        let before = taken
        guard (try? await client.saveDraft(words, for: conversation.id, editing: turn)) != nil else { return }
        // Words that were sent meanwhile are not kept any more: the prompt took their place.
        if taken == before { kept = words }
    }
}
