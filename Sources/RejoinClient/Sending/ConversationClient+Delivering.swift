import RejoinCore
import Synchronization

extension ConversationClient {
    /// Tells the server what the person did, one thing after the other, for as long as the session lasts.
    func deliverAlong() async {
        while !Task.isCancelled {
            let seen = outboxWake.count
            var wait: Duration?
            do {
                let entries = try await store.outbox()
                let expiry = try await expireOverdue(entries)
                if tracker.mayTry, let errand = takeErrand() {
                    if let delay = try await run(errand) {
                        guard await pause(beyond: tracker.better.count, delay) else { return }
                    }
                    continue
                }
                if tracker.mayTry, let entry = try await nextEntry(entries) {
                    guard let delay = try await counting(entry, { try await deliver(entry) }) else { continue }
                    // The network getting better is worth another try, and so is what a person does.
                    guard await pause(beyond: tracker.better.count, delay) else { return }
                    continue
                }
                if tracker.mayTry, try await settleNext() { continue }
                wait = expiry
            } catch let error as ClientError {
                tracker.note(error)
                wait = configuration.retry.delay(
                    attempt: 1, retryAfter: error.retryAfter, random: client.ids.random())
            } catch {
                if Self.isOver(error) { return }
                // The store cannot just now: a full disk may have room in a while.
                wait = .seconds(2)
            }
            do { try await outboxWake.wait(beyond: seen, atMost: wait, clock: clock) } catch { return }
        }
    }

    /// Whether an error means that nothing more can be done in this process.
    static func isOver(_ error: any Error) -> Bool {
        error is CancellationError || (error as? LocalStoreError)?.code == .closed
    }

    private func nextEntry(_ entries: [OutboxEntry]) async throws -> OutboxEntry? {
        var parents: [TurnID: AnswerID] = [:]
        var answered: Set<AnswerID> = []
        for entry in entries {
            guard case .turn(let turn, let answer) = entry.kind, let stored = try await store.turn(turn) else {
                continue
            }
            parents[turn] = stored.parent
            if stored.delivery.isOnDevice { answered.insert(answer) }
        }
        // A person waits for what a prompt comes to, and for nothing that this device answered already.
        let prompt = OutboxSchedule.next(
            entries, parent: { parents[$0] }, isRunning: { isFollowed($0) }, isBeingMade: { answered.contains($0) })
        if let prompt, case .turn = prompt.kind { return prompt }
        return OutboxSchedule.next(
            entries, parent: { parents[$0] }, isRunning: { isFollowed($0) },
            isBeingMade: { answer in state.withLock { $0.deviceRuns[answer] != nil } })
    }

    /// Gives prompts back that waited for longer than was agreed.
    ///
    /// - Returns: how long until the next one has.
    private func expireOverdue(_ entries: [OutboxEntry]) async throws -> Duration? {
        var next: Duration?
        for entry in entries {
            guard case .turn(let turn, _) = entry.kind, let stored = try await store.turn(turn),
                case .waiting(_, let expires?) = stored.delivery
            else { continue }
            if expires <= now {
                guard claim(turn) else { continue }
                defer { unclaim(turn) }
                try await store.expire(turn)
                hub.post([.conversation(stored.conversation), .list])
            } else {
                let rest = Duration.milliseconds(expires.milliseconds - now.milliseconds)
                next = min(next ?? rest, rest)
            }
        }
        return next
    }

    /// Delivers one entry.
    ///
    /// - Returns: how long to wait before the next try; nil to go on.
    private func deliver(_ entry: OutboxEntry) async throws -> Duration? {
        switch entry.kind {
        case .turn(let turn, let answer):
            // A person may be taking it back at this moment.
            guard claim(turn) else { return .milliseconds(10) }
            defer { unclaim(turn) }
            return try await deliver(turn, answer, entry)
        case .regenerate(let turn, let answer):
            return try await deliver(regeneration: turn, answer, entry)
        default:
            do {
                try await tell(entry)
                tracker.noteAnswer()
                try await store.finish(entry.number)
                await afterTelling(entry)
                return nil
            } catch let error as ClientError {
                return try await conclude(entry, after: error)
            }
        }
    }

    private func deliver(_ turn: TurnID, _ answer: AnswerID, _ entry: OutboxEntry) async throws -> Duration? {
        let known = try await store.turn(turn)
        if let known, known.delivery == .onDevice(staysHere: false) { return try await give(known, answer, entry) }
        guard let stored = known, stored.delivery.isUnsent,
            let start = try await store.answer(answer), let conversation = entry.conversation
        else {
            try await store.finish(entry.number)
            return nil
        }
        if case .waiting = stored.delivery { try await store.startSending(turn) }
        let draft = TurnDraft(
            conversation: conversation, turn: turn, answer: answer, parent: stored.parent, content: stored.content,
            model: stored.model)
        hub.post(.conversation(conversation))
        try await store.repeatChoice(after: entry, at: now)
        let admission = follow(start, in: conversation, from: .outbox(.init(draft)))
        switch await admission.result {
        case .taken:
            try await store.finish(entry.number)
            return nil
        case .failed(let error):
            let isUnseen = noteAttempt(turn, error)
            if isUnseen, error.code == .unreachable {
                tracker.note(error)
                do {
                    if try await answerInstead(stored, answer) {
                        told(conversation)
                        return nil
                    }
                } catch let refusal as ClientRefusal where configuration.offlinePolicy == .refuse {
                    try await refuse(entry, refusal)
                    return nil
                } catch is ClientRefusal {}
            }
            return try await conclude(entry, after: error, isUnseen: isUnseen)
        case .abandoned:
            state.withLock { _ = $0.unseen.remove(turn) }
            try Task.checkCancellation()
            return nil
        }
    }

    private func deliver(
        regeneration turn: TurnID, _ answer: AnswerID, _ entry: OutboxEntry
    ) async throws -> Duration? {
        guard let stored = try await store.turn(turn), let start = try await store.answer(answer) else {
            try await store.finish(entry.number)
            return nil
        }
        try await store.repeatChoice(after: entry, at: now)
        let admission = follow(
            start, in: stored.conversation, from: .outbox(.init(of: answer, to: turn, model: stored.model)))
        switch await admission.result {
        case .taken:
            try await store.finish(entry.number)
            return nil
        case .failed(let error): return try await conclude(entry, after: error)
        case .abandoned:
            try Task.checkCancellation()
            return nil
        }
    }

    /// Makes the call of an entry that has no answer.
    private func tell(_ entry: OutboxEntry) async throws {
        switch entry.kind {
        case .turn, .regenerate: return
        case .stop(let answer):
            _ = try await client.call("POST", "/v1/answers/\(answer)/stop", attempts: 1)
        case .select(let answer): try await patch(entry, ConversationPatch(selected: answer))
        case .rename(let title): try await patch(entry, ConversationPatch(title: title))
        case .pin(let isPinned): try await patch(entry, ConversationPatch(isPinned: isPinned))
        case .archive(let isArchived): try await patch(entry, ConversationPatch(isArchived: isArchived))
        case .askForPath:
            guard let conversation = entry.conversation else { return }
            try await fetchLine(of: conversation)
            hub.post([.conversation(conversation), .list])
        case .delete:
            guard let conversation = entry.conversation else { return }
            await stopBeforeDeleting(conversation)
            _ = try await client.call("DELETE", "/v1/conversations/\(conversation)", attempts: 1)
        case .deleteAll:
            for conversation in state.withLock({ Array($0.stopsBeforeDeletion.keys) }) {
                await stopBeforeDeleting(conversation)
            }
            _ = try await client.call("DELETE", "/v1/conversations", attempts: 1)
        }
    }

    private func patch(_ entry: OutboxEntry, _ patch: ConversationPatch) async throws {
        guard let conversation = entry.conversation else { return }
        _ = try await client.call("PATCH", "/v1/conversations/\(conversation)", body: patch.json, attempts: 1)
    }

    /// Stops what was being written in a conversation; the deletion does so too, should this not get through.
    private func stopBeforeDeleting(_ conversation: ConversationID) async {
        let answers = state.withLock { $0.stopsBeforeDeletion.removeValue(forKey: conversation) ?? [] }
        for answer in answers {
            _ = try? await client.call("POST", "/v1/answers/\(answer)/stop", attempts: 1)
        }
    }

    /// Asks how the next of the answers ended of which that is not known.
    ///
    /// - Returns: whether there was one.
    private func settleNext() async throws -> Bool {
        guard let answer = state.withLock({ $0.unsettled.first }) else { return false }
        try await fetchEnd(of: answer)
        return true
    }

    private func afterTelling(_ entry: OutboxEntry) async {
        // What the model said up to the stop is fetched once, and shown where it goes on from what is there.
        if case .stop(let answer) = entry.kind { await settle(answer) }
    }

    /// Does what an error means for an entry.
    ///
    /// - Returns: how long to wait before the next try; nil to go on.
    private func conclude(
        _ entry: OutboxEntry, after error: ClientError, isUnseen: Bool = false
    ) async throws -> Duration? {
        tracker.note(error)
        let outcome = DeliveryOutcome(
            error, of: entry.kind, attempts: entry.attempts,
            refusesOffline: configuration.offlinePolicy == .refuse, isUnseen: isUnseen)
        switch outcome {
        case .retry(let retryAfter):
            try await store.fail(entry.number)
            if isUnseen { try await postpone(entry) }
            return configuration.retry.delay(
                attempt: entry.attempts + 1, retryAfter: retryAfter, random: client.ids.random())
        case .refuse(let refusal):
            try await refuse(entry, refusal)
        case .drop:
            try await store.finish(entry.number)
            if case .select = entry.kind, let conversation = entry.conversation {
                try await store.dropChoice(in: conversation)
            }
        case .bury:
            guard let conversation = entry.conversation else { break }
            do {
                _ = try await client.call(
                    "PUT", "/v1/conversations/\(conversation)", body: Array("{}".utf8), attempts: 1)
                _ = try await client.call("DELETE", "/v1/conversations/\(conversation)", attempts: 1)
            } catch let error as ClientError where error.isTransient {
                try await store.fail(entry.number)
                return configuration.retry.delay(
                    attempt: entry.attempts + 1, retryAfter: error.retryAfter, random: client.ids.random())
            } catch is ClientError {
                // It is another's, or gone: there is nothing of ours to bury.
            }
            try await store.finish(entry.number)
        case .conversationGone:
            try await store.finish(entry.number)
            if let conversation = entry.conversation { try await forget(conversation) }
        case .hold:
            return nil
        }
        return nil
    }

    /// Shows that a prompt waits, where it may, instead of being on its way for ever.
    private func postpone(_ entry: OutboxEntry) async throws {
        guard case .turn(let turn, _) = entry.kind, case .queue(let expiry) = configuration.offlinePolicy,
            tracker.isOffline, let conversation = entry.conversation
        else { return }
        let expires = entry.createdAt.advanced(byMilliseconds: expiry.inMilliseconds)
        try await store.postpone(turn, since: entry.createdAt, expires: expires)
        hub.post(.conversation(conversation))
    }

    /// Gives a prompt back to the person, or marks another answer as not begun.
    private func refuse(_ entry: OutboxEntry, _ refusal: ClientRefusal) async throws {
        switch entry.kind {
        case .turn(let turn, let answer):
            live.discard(answer)
            try await store.refuse(turn, refusal, at: now)
        case .regenerate(_, let answer):
            live.discard(answer)
            // As the server would have said it in the log.
            try await store.refuse(
                answer,
                Event.End(
                    refusal.code == .limitReached ? .refused : .failed, reason: refusal.code.name,
                    resetsAt: refusal.resetsAt))
        default: break
        }
        try await store.finish(entry.number)
        if refusal.code == .limitReached { limitsWake.call() }
        if let conversation = entry.conversation { hub.post([.conversation(conversation), .list]) }
    }

    /// Takes a conversation away that was deleted elsewhere.
    func forget(_ conversation: ConversationID) async throws {
        // Nothing may be written into it any more when it goes.
        let follows = state.withLock { state in
            state.follows.filter { $0.value.conversation == conversation }.map(\.value.task)
        }
        for task in follows { task.cancel() }
        live.discard(in: conversation)
        try await store.applyDeletion(conversation, at: now)
        hub.post([.conversation(conversation), .list])
    }

    private func takeErrand() -> OutboxEntry? {
        state.withLock { $0.errands.isEmpty ? nil : $0.errands.removeFirst() }
    }

    /// Tells the server something about a conversation that leaves nothing behind.
    ///
    /// - Returns: how long to wait before the next try; nil to go on.
    private func run(_ errand: OutboxEntry) async throws -> Duration? {
        do {
            try await tell(errand)
            tracker.noteAnswer()
            await afterTelling(errand)
        } catch let error as ClientError {
            tracker.note(error)
            guard error.isTransient, errand.attempts < 20 else { return nil }
            var again = errand
            again.attempts += 1
            state.withLock { [again] in $0.errands.insert(again, at: 0) }
            return configuration.retry.delay(
                attempt: again.attempts, retryAfter: error.retryAfter, random: client.ids.random())
        }
        return nil
    }

    /// Takes a prompt for oneself: to send it, or to take it back.
    func claim(_ turn: TurnID) -> Bool { state.withLock { $0.claimed.insert(turn).inserted } }

    /// Lets go of a claimed prompt.
    func unclaim(_ turn: TurnID) { state.withLock { _ = $0.claimed.remove(turn) } }
}
