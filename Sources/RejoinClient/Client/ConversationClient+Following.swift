import RejoinAssist
import RejoinCore
import Synchronization

extension ConversationClient {
    /// What brings an answer about, where the server may not have it yet.
    enum Origin: Sendable {
        /// Nothing: the server has it.
        case known
        /// A request that the outbox repeats.
        case outbox(AnswerFollower.Creation)
        /// A request of a conversation that leaves nothing behind, which the follower repeats itself.
        case direct(AnswerFollower.Creation, TurnID)

        var creation: AnswerFollower.Creation? {
            switch self {
            case .known: nil
            case .outbox(let creation), .direct(let creation, _): creation
            }
        }
    }

    /// An answer that is being followed, by the task that does it.
    struct Follow: Sendable {
        let number: Int
        let conversation: ConversationID
        let task: Task<Void, Never>
        let admission: Admission
    }

    /// Follows an answer until its end, from what is held of it; one that is followed already goes on.
    ///
    /// - Returns: what will become of the request that brings it about.
    @discardableResult
    func follow(_ answer: Answer, in conversation: ConversationID, from origin: Origin = .known) -> Admission {
        let admission = Admission()
        live.begin(answer, in: conversation)
        let known = state.withLock { state -> Admission? in
            if let known = state.follows[answer.id] { return known.admission }
            // Nothing is followed outside of run(), which looks for what is unfinished when it begins.
            guard state.isRunning, !state.isAsleep, !state.isSignedOut, state.mode != .onDeviceOnly else {
                admission.settle(.abandoned)
                return admission
            }
            state.lastFollow += 1
            let number = state.lastFollow
            // Owned by run(): it ends with the session, or when nobody wants the answer any more.
            let task = Task {
                let failure = await self.followToEnd(answer.id, in: conversation, origin, admission)
                self.ended(answer.id, number)
                // Said last: whoever hears it may ask for the same answer again at once.
                admission.settle(failure.map(Admission.Result.failed) ?? .abandoned)
            }
            state.follows[answer.id] = Follow(
                number: number, conversation: conversation, task: task, admission: admission)
            return nil
        }
        if known != nil, state.withLock({ $0.follows[answer.id] == nil }) { live.end(answer.id) }
        return known ?? admission
    }

    /// Follows an answer as the store holds it: one that a person stopped is asked for, and not shown.
    func follow(_ stored: StoredAnswer, in conversation: ConversationID, from origin: Origin = .known) -> Admission {
        if stored.local == .stopRequested { live.seal(stored.answer.id) }
        return follow(stored.answer, in: conversation, from: origin)
    }

    private func ended(_ answer: AnswerID, _ number: Int) {
        live.end(answer)
        state.withLock { state in
            if state.follows[answer]?.number == number { state.follows[answer] = nil }
        }
        // A prompt may have waited for this answer to be whole.
        outboxWake.call()
    }

    /// Whether an answer is being followed.
    func isFollowed(_ answer: AnswerID) -> Bool { state.withLock { $0.follows[answer] != nil } }

    /// Stops following: one answer, those of a conversation, or all; and waits until nothing of it is under way.
    func unfollow(where isMeant: (AnswerID, Follow) -> Bool) async {
        let tasks = state.withLock { state in
            state.follows.filter { isMeant($0.key, $0.value) }.map(\.value.task)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Follows over as many lines as it takes.
    ///
    /// - Returns: why a request that the outbox repeats came to nothing; nil otherwise.
    private func followToEnd(
        _ answer: AnswerID, in conversation: ConversationID, _ origin: Origin, _ admission: Admission
    ) async -> ClientError? {
        var origin = origin
        var attempts = 0
        while !Task.isCancelled {
            let seen = tracker.better.count
            guard let start = live.fold(answer) else { return nil }
            if !tracker.mayTry, origin.creation == nil {
                guard await pause(beyond: seen, nil) else { return nil }
                continue
            }
            let follower = AnswerFollower(
                start, client: client, policy: configuration.retry, creation: origin.creation)
            defer { follower.close() }
            let failure: ClientError
            do {
                switch try await pull(follower, answer, conversation, admission) {
                case .over, .unwanted: return nil
                case .dropped(let error, let hadProgress):
                    failure = error
                    if hadProgress { attempts = 0 }
                }
            } catch let error as ClientError {
                tracker.note(error)
                if follower.isAdmitted {
                    await giveUp(answer, in: conversation, after: error)
                    return nil
                }
                failure = error
            } catch {
                return nil
            }
            // From now on: this very line may have made things better before it broke.
            let better = tracker.better.count
            if follower.isAdmitted {
                origin = .known
                await noting { try await store.mark(answer, .interrupted) }
            }
            switch origin {
            case .known: break
            // The outbox knows whether the request is still wanted.
            case .outbox: return failure
            case .direct(_, let turn):
                guard await mayRepeat(turn, answer, in: conversation, attempts, failure) else { return nil }
            }
            attempts += 1
            let delay = configuration.retry.delay(
                attempt: attempts, retryAfter: failure.retryAfter, random: client.ids.random())
            guard await pause(beyond: better, delay) else { return nil }
        }
        return nil
    }

    /// Does what a failure means for a request of a conversation that leaves nothing behind.
    ///
    /// - Returns: whether to try again.
    private func mayRepeat(
        _ turn: TurnID, _ answer: AnswerID, in conversation: ConversationID, _ attempts: Int, _ error: ClientError
    ) async -> Bool {
        let isUnseen = noteAttempt(turn, error)
        let outcome = DeliveryOutcome(
            error, of: .turn(turn, answer: answer), attempts: attempts, refusesOffline: true, isUnseen: isUnseen)
        switch outcome {
        case .retry: return true
        case .refuse(let refusal):
            await noting { try await store.refuse(turn, refusal, at: now) }
            if refusal.code == .limitReached { limitsWake.call() }
        case .conversationGone: await noting { try await forget(conversation) }
        case .drop, .bury, .hold: break
        }
        hub.post(.conversation(conversation))
        return false
    }

    /// Notes that a prompt may have reached the server.
    ///
    /// - Returns: whether it certainly did not, so far.
    func noteAttempt(_ turn: TurnID, _ error: ClientError) -> Bool {
        state.withLock { state in
            // Only a connection that never came about leaves no doubt.
            if error.code != .unreachable { state.unseen.remove(turn) }
            return state.unseen.contains(turn)
        }
    }

    private enum Pulled {
        case over
        case unwanted
        case dropped(ClientError, hadProgress: Bool)
    }

    /// Takes what one line brings.
    private func pull(
        _ follower: AnswerFollower, _ answer: AnswerID, _ conversation: ConversationID, _ admission: Admission
    ) async throws -> Pulled {
        var hadProgress = false
        while let update = try await follower.next() {
            switch update {
            case .connected:
                tracker.noteAnswer()
                await admitted(answer, conversation)
                admission.settle(.taken)
                if live.isSealed(answer) { return .unwanted }
            case .events(let events):
                hadProgress = true
                switch live.take(events, of: answer, flushBytes: configuration.flushBytes) {
                case .unwanted: return .unwanted
                case .shown(let isFull):
                    hub.post(.answer(answer))
                    dirtyWake.call()
                    if isFull { fullWake.call() }
                }
            case .waiting(_, _, let error):
                tracker.note(error)
                return .dropped(error, hadProgress: hadProgress)
            }
        }
        await flush()
        hub.post(.conversation(conversation))
        if case .ended(let end)? = live.fold(answer)?.state, end.state == .refused { limitsWake.call() }
        return .over
    }

    /// Notes that the server has an answer, and with it the prompt that asks for it.
    private func admitted(_ answer: AnswerID, _ conversation: ConversationID) async {
        guard let turn = live.fold(answer)?.turn else { return }
        state.withLock { _ = $0.unseen.remove(turn) }
        await noting {
            // In this order, a kill in between leaves an entry that is told once more, which is harmless.
            if try await store.deliver(turn) { hub.post(.list) }
            try await store.deliver(answer)
            try await store.mark(answer, .streaming)
        }
        hub.post(.conversation(conversation))
    }

    /// Finds out what there is to know about an answer whose log cannot be followed.
    private func giveUp(_ answer: AnswerID, in conversation: ConversationID, after error: ClientError) async {
        await flush()
        switch error.code {
        case ClientError.Code(.deleted): await noting { try await forget(conversation) }
        case ClientError.Code(.notFound), ClientError.Code(.unauthenticated):
            // The words stay; asking for them again is the person's decision.
            await noting { try await store.mark(answer, .interrupted) }
        default: await settle(answer)
        }
        hub.post(.conversation(conversation))
    }

    /// Fetches an answer as the server keeps it, now or as soon as that can be; what is shown stays, or grows.
    ///
    /// Once it was fetched the feed tells of what comes.
    func settle(_ answer: AnswerID) async {
        state.withLock { _ = $0.unsettled.insert(answer) }
        do { try await fetchEnd(of: answer) } catch let error as ClientError { tracker.note(error) } catch {}
        outboxWake.call()
    }

    /// Fetches an answer as the server keeps it, and does not come back to it unless that failed.
    func fetchEnd(of answer: AnswerID) async throws {
        do {
            let fetched = try await client.answer(answer)
            tracker.noteAnswer()
            try await store.replace(fetched)
            if fetched.state.end == nil {
                try await store.mark(answer, .interrupted)
            } else {
                live.unseal(answer)
            }
        } catch let error as ClientError {
            await noting { try await store.mark(answer, .interrupted) }
            if error.isTransient || error.code == ClientError.Code(.unauthenticated) { throw error }
        }
        state.withLock { _ = $0.unsettled.remove(answer) }
    }

    /// Waits until it is worth trying again.
    ///
    /// - Parameter delay: nil waits for the network to get better.
    /// - Returns: whether to go on.
    func pause(beyond seen: Int, _ delay: Duration?) async -> Bool {
        do {
            try await tracker.better.wait(beyond: seen, atMost: delay, clock: clock)
            return true
        } catch {
            return false
        }
    }

    /// Gives the store what is shown and it lacks.
    ///
    /// - Returns: whether the store could take it.
    @discardableResult
    func flush() async -> Bool {
        await flushGate.pass {
            var isTaken = true
            for (answer, events) in live.drain() {
                do {
                    guard case .gap = try await store.append(answer, events: events) else { continue }
                    // The store is behind for a reason of its own: it gets the whole.
                    if let fold = live.fold(answer) { try await store.replace(fold) }
                } catch {
                    live.restore(events, of: answer)
                    isTaken = false
                }
            }
            live.release()
            return isTaken
        }
    }

    /// Does what can wait for another day if the store cannot do it now.
    func noting(_ body: () async throws -> Void) async { try? await body() }
}
