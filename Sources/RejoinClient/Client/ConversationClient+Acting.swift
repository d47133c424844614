import RejoinAssist
import RejoinCore
import Synchronization

/// How acts are carried out.
extension ConversationClient {
    /// Runs one act while no other runs.
    func act<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await actGate.pass {
            if state.withLock({ $0.isSignedOut }) { throw ClientRefusal(.unauthenticated) }
            return try await body()
        }
    }

    /// Uses the store, and says in a person's words that it cannot keep something.
    @discardableResult
    func keeping<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch is LocalStoreError { throw ClientRefusal(.notKept) }
    }

    /// Tells the fronts and the outbox that something was done in a conversation.
    func told(_ conversation: ConversationID) {
        hub.post([.conversation(conversation), .list])
        outboxWake.call()
    }

    /// Changes one fact of a conversation.
    func change(_ conversation: ConversationID, _ body: () async throws -> Bool) async throws {
        try await act {
            guard try await keeping(body) else { throw ClientRefusal(.notFound) }
            told(conversation)
        }
    }

    // MARK: Looking up

    /// Makes sure that the turns of a conversation are here.
    ///
    /// Not part of an act: no tap may wait for the network behind another.
    func ensureHeld(_ conversation: ConversationID) async throws {
        let line = try await keeping { try await store.line(conversation) }
        if line?.isComplete == true { return }
        if line == nil, try await keeping({ try await store.isDeleted(conversation) }) {
            throw ClientRefusal(.deleted)
        }
        do {
            try await fetchForPerson(conversation)
        } catch let refusal as ClientRefusal where refusal.code == .offline {
            // What is here may be enough to go on.
            guard try await keeping({ try await store.conversation(conversation)?.turns.isEmpty }) == false else {
                throw refusal
            }
        }
    }

    func requiredTree(_ conversation: ConversationID) async throws -> StoredTree {
        // As it is shown: what a person has seen end has ended, even if the store is a moment behind.
        guard let tree = try await keeping({ try await tree(conversation) }) else {
            let isDeleted = try await keeping { try await store.isDeleted(conversation) }
            throw ClientRefusal(isDeleted ? .deleted : .notFound)
        }
        return tree
    }

    func requiredTurn(_ id: TurnID) async throws -> (turn: StoredTurn, tree: StoredTree) {
        guard let turn = try await keeping({ try await store.turn(id) }),
            let tree = try await keeping({ try await tree(turn.conversation) })
        else { throw ClientRefusal(.notFound) }
        return (turn, tree)
    }

    func requiredAnswer(_ id: AnswerID) async throws -> (answer: StoredAnswer, tree: StoredTree) {
        guard let stored = try await keeping({ try await store.answer(id) }) else { throw ClientRefusal(.notFound) }
        let tree = try await requiredTurn(stored.answer.turn).tree
        return (tree.answers[id] ?? stored, tree)
    }

    // MARK: Prompts

    /// How a prompt sets out: at once, or waiting for a connection or for the prompt before it.
    ///
    /// - Parameter parent: the turn that it follows.
    /// - Throws: ``ClientRefusal``: `offline`, `unauthenticated`.
    func delivery(behind parent: StoredTurn?) throws -> Delivery {
        if tracker.state == .signedOut { throw ClientRefusal(.unauthenticated) }
        switch configuration.offlinePolicy {
        case .refuse:
            if tracker.isOffline { throw ClientRefusal(.offline) }
            return .sending
        case .queue(let expiry):
            guard tracker.isOffline || parent?.delivery.isWaiting == true else { return .sending }
            return .waiting(since: now, expires: now.advanced(byMilliseconds: expiry.inMilliseconds))
        }
    }

    /// Writes a prompt and sends it on its way.
    func begin(
        _ content: [ContentPart], in conversation: ConversationID?, _ tree: StoredTree?, parent: AnswerID?,
        model: String, temporary: Bool
    ) async throws -> Sent {
        guard content.contains(where: \.saysSomething) else { throw ClientRefusal(.invalid) }
        var parentTurn: StoredTurn?
        if let parent {
            guard let answer = tree?.answers[parent] else { throw ClientRefusal(.notFound) }
            parentTurn = tree?.turn(answer.answer.turn)
            if answer.isRunning, parentTurn?.delivery.isWaiting != true { throw ClientRefusal(.answerRunning) }
        }
        let isTemporary = tree?.conversation.isTemporary ?? temporary
        let delivery = try await delivery(
            of: content, model: model, in: tree, behind: parentTurn, isTemporary: isTemporary)
        // What leaves nothing behind cannot wait either.
        if isTemporary, case .waiting = delivery { throw ClientRefusal(.offline) }
        let turn = StoredTurn(
            id: client.ids.make(), conversation: conversation ?? client.ids.make(), parent: parent, content: content,
            model: model, createdAt: now, delivery: delivery)
        let answer: AnswerID = client.ids.make()
        if delivery.isOnDevice, !deviceLock.take() { throw ClientRefusal(.notOnDevice, why: .localBusy) }
        var isBegun = false
        defer { if delivery.isOnDevice, !isBegun { deviceLock.giveBack() } }
        // Noted before it can be seen in the outbox, or taken for what an earlier process left.
        state.withLock { state in
            state.unseen.insert(turn.id)
            if delivery.isOnDevice { state.deviceAnswers.insert(answer) }
        }
        let begun = try await keeping {
            try await store.begin(turn: turn, answer: answer, draftCleared: true, isTemporary: isTemporary)
        }
        switch begun {
        case .begun, .repeated: break
        case .deleted: throw ClientRefusal(.deleted)
        case .unknownParent: throw ClientRefusal(.notFound)
        }
        isBegun = true
        if case .onDevice = delivery {
            answerHere(turn, answer)
        } else if isTemporary {
            sendDirectly(turn, answer: answer)
        }
        told(turn.conversation)
        return Sent(conversation: turn.conversation, turn: turn.id, answer: answer)
    }

    /// Writes another answer to a turn and asks for it.
    func beginAnswer(to turn: TurnID) async throws -> AnswerID {
        let (stored, tree) = try await requiredTurn(turn)
        guard stored.delivery == .delivered || stored.delivery.isOnDevice else {
            throw ClientRefusal(stored.delivery.isDead ? .parentUnsent : .answerRunning)
        }
        let running = tree.answers.values.filter { $0.answer.turn == turn && $0.isRunning }
        if !running.isEmpty {
            guard configuration.regeneratePolicy == .supersede else { throw ClientRefusal(.answerRunning) }
            for answer in running { try await stopNow(answer.answer.id) }
        }
        if let answer = try await answerAgainHere(stored, tree) { return answer }
        _ = try delivery(behind: stored)
        let answer: AnswerID = client.ids.make()
        guard try await keeping({ try await store.beginAnswer(to: turn, answer: answer, at: now) }) == .begun else {
            throw ClientRefusal(.notFound)
        }
        if tree.conversation.isTemporary {
            let creation = AnswerFollower.Creation(of: answer, to: turn, model: stored.model)
            follow(Answer(id: answer, turn: turn), in: stored.conversation, from: .direct(creation, turn))
        }
        told(stored.conversation)
        return answer
    }

    /// Sends a prompt of a conversation that leaves nothing behind: it never enters the outbox.
    func sendDirectly(_ turn: StoredTurn, answer: AnswerID) {
        let draft = TurnDraft(
            conversation: turn.conversation, turn: turn.id, answer: answer, parent: turn.parent,
            content: turn.content, model: turn.model, isTemporary: true)
        follow(Answer(id: answer, turn: turn.id), in: turn.conversation, from: .direct(.init(draft), turn.id))
    }

    /// Tells the server something about a conversation that leaves nothing behind.
    func run(_ errand: OutboxKind, in conversation: ConversationID) {
        let entry = OutboxEntry(number: 0, kind: errand, conversation: conversation, createdAt: now)
        state.withLock { $0.errands.append(entry) }
        outboxWake.call()
    }

    // MARK: Stopping

    /// Takes back a prompt that has not left this device.
    ///
    /// - Returns: false if it may have.
    func takeBack(_ turn: StoredTurn) async throws -> Bool {
        guard turn.delivery.isUnsent else { return false }
        guard claim(turn.id) else { return false }
        defer { unclaim(turn.id) }
        let mayBeKnown = state.withLock { !$0.unseen.contains(turn.id) }
        return try await keeping {
            if case .sending = turn.delivery {
                if mayBeKnown { return false }
                try await store.postpone(turn.id, since: now, expires: nil)
            }
            return try await store.cancelWaiting(turn.id, at: now)
        }
    }

    /// Stops an answer.
    func stopNow(_ id: AnswerID) async throws {
        guard let stored = try await keeping({ try await store.answer(id) }), stored.answer.state.end == nil,
            stored.local != .stopRequested
        else { return }
        let (turn, tree) = try await requiredTurn(stored.answer.turn)
        if turn.delivery.isDead || tree.answers[id]?.answer.state.end != nil { return }
        if await stopHere(id) { return told(turn.conversation) }
        let isFirst = tree.tree[turn.id]?.answers.first == id
        if isFirst, !tree.conversation.isTemporary, try await takeBack(turn) { return told(turn.conversation) }
        // What was shown until now is kept; what comes from now on is not shown.
        live.seal(id)
        await flush()
        try await keeping { try await store.requestStop(id, at: now) }
        // A request that is on its way goes on, so that the stop comes after it.
        if turn.delivery == .delivered, stored.local != .sending {
            await unfollow { answer, _ in answer == id }
        }
        if tree.conversation.isTemporary { run(.stop(id), in: turn.conversation) }
        told(turn.conversation)
    }

    /// Ends what is under way in a conversation that is about to go; nil for all.
    func letGo(of conversation: ConversationID?) async {
        let isMeant = { (follow: Follow) in conversation == nil || follow.conversation == conversation }
        state.withLock { state in
            for (answer, follow) in state.follows where isMeant(follow) {
                state.stopsBeforeDeletion[follow.conversation, default: []].append(answer)
            }
        }
        await unfollow { _, follow in isMeant(follow) }
        await abandonDeviceRuns(in: conversation)
        live.discard(in: conversation)
    }
}

extension StoredAnswer {
    /// Whether it is being written, or about to be, as far as this device knows.
    var isRunning: Bool {
        guard answer.state.end == nil else { return false }
        switch local {
        case .sending, .waiting, .streaming, .none: return true
        // A drop is shown as an end until the server says otherwise, and a person need not wait for that.
        case .interrupted, .stopRequested, .withdrawn: return false
        }
    }
}

extension Delivery {
    var isWaiting: Bool { if case .waiting = self { true } else { false } }
    var isOnDevice: Bool { if case .onDevice = self { true } else { false } }
}

extension ContentPart {
    /// Whether there is more to it than space.
    var saysSomething: Bool {
        switch self {
        case .text(let text): text.contains { !$0.isWhitespace }
        case .attachment: true
        }
    }
}

extension Duration {
    /// Whole milliseconds, as moments count them.
    var inMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        return overflows ? (seconds < 0 ? .min : .max) : product + attoseconds / 1_000_000_000_000_000
    }
}
