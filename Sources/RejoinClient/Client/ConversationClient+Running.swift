import RejoinCore
import Synchronization

extension ConversationClient {
    /// Keeps this device and the server in step until the task is cancelled or the person signs out.
    ///
    /// It first takes up what a killed process left unfinished. Run it once, for as long as the app lives.
    public func run() async {
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        precondition(isFirst, "run() runs once at a time")
        await noting {
            // First those that nobody else knows of: they end here and now, unless another process is making them.
            if deviceLock.take() {
                defer { deviceLock.giveBack() }
                try await store.interruptDeviceAnswers(except: state.withLock { $0.deviceAnswers })
            }
            _ = try await store.interruptLeftovers()
        }
        startDeviceRuns()
        while !Task.isCancelled {
            let seen = lifeWake.count
            let (isAsleep, isOver) = state.withLock { ($0.isAsleep, $0.isSignedOut) }
            if isOver { break }
            if isAsleep {
                try? await lifeWake.wait(beyond: seen, clock: clock)
            } else {
                await session(until: seen)
            }
        }
        state.withLock { $0.isRunning = false }
        await interruptDeviceRuns()
        await endSession()
        lifeWake.call()
    }

    /// Runs everything until the app goes to sleep, signs out, or is cancelled.
    private func session(until seen: Int) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await self.lifeWake.wait(beyond: seen, clock: self.clock) }
            group.addTask { await self.listenToHints() }
            group.addTask { await self.listenToStore() }
            group.addTask { await self.flushAlong() }
            if usesNetwork {
                group.addTask { await self.deliverAlong() }
                group.addTask { await self.synchroniseAlong() }
                group.addTask { await self.refreshLimitsAlong() }
                group.addTask { await self.readConsentAlong() }
                group.addTask { await self.probeAlong() }
                group.addTask { await self.recover() }
            }
            // Only the first of them ends while all is well.
            while state.withLock({ $0.isRunning && !$0.isAsleep && !$0.isSignedOut }), lifeWake.count == seen,
                !Task.isCancelled
            {
                guard await group.next() != nil else { break }
            }
            group.cancelAll()
        }
        await endSession()
    }

    private func endSession() async {
        await unfollow { _, _ in true }
        await flush()
    }

    /// Follows again what is unfinished: after a start, and after a sleep.
    private func recover() async {
        await noting {
            let retention = configuration.tombstoneRetention.inMilliseconds
            try await store.purgeTombstones(olderThan: now.advanced(byMilliseconds: -retention))
            // What streamed when the app went to sleep goes on, too: its end may be one that the feed told of already.
            let unfinished = try await store.interruptedAnswers() + store.streamingAnswers()
            for stored in unfinished { await recover(stored) }
            for conversation in state.withLock({ $0.open }) { try await followUnfinished(in: conversation) }
        }
    }

    /// Takes up one answer that dropped, or was stopped without a word on how it ended.
    private func recover(_ stored: StoredAnswer) async {
        await noting {
            guard let turn = try await store.turn(stored.answer.turn), turn.delivery == .delivered else { return }
            let answer = stored.answer.id
            switch stored.local {
            case .interrupted, .streaming:
                // What asks for it may not have got through: then the outbox takes it up.
                let isAsked = try await store.outbox().contains { $0.kind == .regenerate(turn.id, answer) }
                if !isAsked { follow(stored.answer, in: turn.conversation) }
            case .stopRequested:
                if try await store.outbox().contains(where: { $0.kind == .stop(answer) }) { return }
                await settle(answer)
            default: return
            }
        }
    }

    /// Tells the fronts what changed in the store, and the outbox that there is something to tell.
    private func listenToStore() async {
        let changes = store.changes
        // What was written before anybody listened is to be told as well.
        outboxWake.call()
        for await change in changes {
            var updates = change.conversations.map(ClientUpdate.conversation)
            updates += change.answers.map(ClientUpdate.answer)
            if change.list { updates.append(.list) }
            if change.limits { updates.append(.limits) }
            hub.post(updates)
            if change.outbox { outboxWake.call() }
        }
    }

    private func listenToHints() async {
        for await isReachable in reachability.hints() {
            tracker.noteHint(isReachable)
            outboxWake.call()
        }
    }

    /// Asks the server now and then while it seems to be away.
    ///
    /// Nothing else may have a reason to: an open feed that stays silent says nothing about new connections.
    private func probeAlong() async {
        var attempts = 0
        while !Task.isCancelled {
            let (changed, better) = (tracker.changed.count, tracker.better.count)
            let isUp = tracker.state == .online
            if isUp { attempts = 0 }
            guard !isUp, tracker.mayTry else {
                do { try await tracker.changed.wait(beyond: changed, clock: clock) } catch { return }
                continue
            }
            attempts += 1
            let delay = configuration.retry.delay(attempt: attempts, retryAfter: nil, random: client.ids.random())
            guard await pause(beyond: better, delay) else { return }
            guard tracker.state != .online, tracker.mayTry else { continue }
            do {
                _ = try await client.call("GET", "/v1/models", attempts: 1)
                tracker.noteAnswer()
            } catch let error as ClientError {
                tracker.note(error)
            } catch {
                return
            }
        }
    }

    /// Flushes what is shown, within the interval and before it grows.
    private func flushAlong() async {
        do {
            while true {
                let seen = dirtyWake.count
                guard live.isDirty else {
                    try await dirtyWake.wait(beyond: seen, clock: clock)
                    continue
                }
                let full = fullWake.count
                if !live.isFull(configuration.flushBytes) {
                    try await fullWake.wait(beyond: full, atMost: configuration.flushInterval, clock: clock)
                }
                if await flush() { continue }
                // What the store cannot take now is kept in memory, and tried again after a while.
                try await fullWake.wait(beyond: fullWake.count, atMost: .seconds(1), clock: clock)
            }
        } catch {
            return
        }
    }

    /// Stops the network without marking anything as failed: the app is no longer in front.
    ///
    /// What runs on the server goes on; ``enterForeground()`` takes it up where it was.
    public func enterBackground() {
        state.withLock { $0.isAsleep = true }
        lifeWake.call()
    }

    /// Takes up what ``enterBackground()`` let go.
    public func enterForeground() {
        let wasAsleep = state.withLock { state in
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if wasAsleep { lifeWake.call() }
    }

    /// Writes down what is on screen and gives back memory: the system says that it is short of it.
    ///
    /// An app that is told so may be the next to be killed. Nothing that is shown or under way changes.
    public func releaseMemory() async {
        await flush()
        await store.releaseMemory()
    }

    /// Ends everything, signs this device out if the server can be reached, and erases what it holds of the account.
    ///
    /// The client refuses everything afterwards.
    public func signOut() async {
        state.withLock { $0.isSignedOut = true }
        lifeWake.call()
        while true {
            let seen = lifeWake.count
            guard state.withLock({ $0.isRunning }) else { break }
            do { try await lifeWake.wait(beyond: seen, clock: clock) } catch { break }
        }
        await abandonDeviceRuns(in: nil)
        live.discard(in: nil)
        // The account's words go first: they must not wait for a network.
        await store.close()
        if let location { try? LocalStore.erase(folder: location.folder, account: location.account) }
        tracker.noteSignOut()
        try? await client.signOut()
        hub.post([.list, .connection, .limits])
    }
}
