public import RejoinAssist
import RejoinCore
import Synchronization

/// How this device answers by itself.
extension ConversationClient {
    /// What the person allows on this device, as a limit above every preference.
    ///
    /// In `onDeviceOnly` nothing is sent and nothing asked for; what begins then stays on this device for good.
    public var mode: ExecutionMode {
        get { state.withLock { $0.mode } }
        set {
            let isNew = state.withLock { state in
                defer { state.mode = newValue }
                return state.mode != newValue
            }
            if isNew { lifeWake.call() }
        }
    }

    /// Whether the network may be used at all.
    var usesNetwork: Bool { mode != .onDeviceOnly }

    // MARK: Deciding

    /// How a prompt sets out: to the server, waiting for it, or answered here.
    ///
    /// - Parameters:
    ///   - parent: the turn that it follows.
    ///   - isServerAway: whether the server is known to be away, whatever was last heard of it.
    /// - Throws: ``ClientRefusal`` with the one reason that is worth telling.
    func delivery(
        of content: [ContentPart], model: String, in tree: StoredTree?, behind parent: StoredTurn?,
        isTemporary: Bool, isServerAway: Bool = false
    ) async throws -> Delivery {
        let staysHere = staysHere(tree, behind: parent)
        guard staysHere || configuration.device != nil else { return try delivery(behind: parent) }
        guard let device = configuration.device else {
            throw ClientRefusal(.notOnDevice, why: .localNotBuiltIn)
        }
        let isNamed = model == device.model.name
        if !staysHere {
            // Another model was asked for by its name, or the prompt before has no answer to go on from.
            if model != "auto", !isNamed { return try delivery(behind: parent) }
            if parent?.delivery.isUnsent == true { return try delivery(behind: parent) }
        }
        let isAway = isServerAway || tracker.isOffline
        let cloud = CloudRoute(
            recipient: .firstParty(client.address), disclosureVersion: device.disclosureVersion,
            availability: { [tracker] _ in
                if tracker.state == .signedOut { return .signedOut }
                // What a server can do is its own affair: it says so itself.
                return isAway ? .offline : .ready(CapabilityRecord(capabilities: .all))
            })
        let environment = RouteEnvironment(
            mode: staysHere ? .onDeviceOnly : mode, local: { await device.model.availability },
            cloud: isNamed ? nil : cloud, consent: device.consent)
        let resolution = await device.policy.resolve(.conversation(content), in: environment)
        if case .run(let decision) = resolution {
            guard decision.primary == .onDevice else { return try delivery(behind: parent) }
            return .onDevice(staysHere: staysHere || isTemporary)
        }
        if staysHere { throw ClientRefusal(.notOnDevice, why: resolution.explain().key) }
        if isAway, configuration.offlinePolicy != .refuse, !isServerAway { return try delivery(behind: parent) }
        guard isAway else { return try delivery(behind: parent) }
        throw ClientRefusal(.offline, why: resolution.reasonAgainstDevice)
    }

    /// Whether what is said now never leaves this device: by the mode, or since what it goes on from never does.
    private func staysHere(_ tree: StoredTree?, behind parent: StoredTurn?) -> Bool {
        let kept = Delivery.onDevice(staysHere: true)
        return mode == .onDeviceOnly || parent?.delivery == kept || tree?.turns.first?.delivery == kept
    }

    /// Lets this device answer a prompt that found no server and certainly never left.
    ///
    /// - Returns: whether it does; false where this device has no model, or another process has taken it.
    /// - Throws: ``ClientRefusal`` where it cannot, with the reason.
    func answerInstead(_ turn: StoredTurn, _ answer: AnswerID) async throws -> Bool {
        guard configuration.device != nil, let tree = try await store.conversation(turn.conversation),
            !tree.conversation.isTemporary
        else { return false }
        let parent = turn.parent.flatMap { tree.answers[$0] }.flatMap { tree.turn($0.answer.turn) }
        let delivery = try await delivery(
            of: turn.content, model: turn.model, in: tree, behind: parent, isTemporary: false, isServerAway: true)
        guard case .onDevice = delivery, deviceLock.take() else { return false }
        var isTaken = false
        defer { if !isTaken { deviceLock.giveBack() } }
        state.withLock { _ = $0.deviceAnswers.insert(answer) }
        isTaken = try await store.takeOver(turn.id)
        guard isTaken else { return false }
        var taken = turn
        taken.delivery = .onDevice(staysHere: false)
        answerHere(taken, answer)
        return true
    }

    /// Asks this device for another answer, as a branch beside the one that is there; nil where the server is asked.
    func answerAgainHere(_ turn: StoredTurn, _ tree: StoredTree) async throws -> AnswerID? {
        let parent = turn.parent.flatMap { tree.answers[$0] }.flatMap { tree.turn($0.answer.turn) }
        let isTemporary = tree.conversation.isTemporary
        guard configuration.device != nil || mode == .onDeviceOnly else { return nil }
        let delivery = try await delivery(
            of: turn.content, model: turn.model, in: tree, behind: parent, isTemporary: isTemporary)
        guard case .onDevice = delivery else { return nil }
        return try await begin(
            turn.content, in: turn.conversation, tree, parent: turn.parent, model: turn.model, temporary: false
        ).answer
    }

    // MARK: Answering

    /// Answers a prompt that is in the store; outside of ``run()`` it waits for it.
    ///
    /// The lock was taken for it, and is given back when it has ended.
    func answerHere(_ turn: StoredTurn, _ answer: AnswerID) {
        live.begin(Answer(id: answer, turn: turn.id), in: turn.conversation)
        let run = DeviceRun(turn: turn, answer: answer) { [live, hub, dirtyWake, fullWake, configuration] event in
            guard case .shown(let isFull) = live.take([event], of: answer, flushBytes: configuration.flushBytes) else {
                return
            }
            hub.post(.answer(answer))
            dirtyWake.call()
            if isFull { fullWake.call() }
        }
        let starts = state.withLock { state in
            state.deviceRuns[answer] = run
            return state.isRunning
        }
        if starts { work(on: run) }
    }

    /// Takes up what was asked for before ``run()`` began.
    func startDeviceRuns() {
        for run in state.withLock({ Array($0.deviceRuns.values) }) { work(on: run) }
    }

    private func work(on run: DeviceRun) {
        run.begin {
            // Owned by run(), which ends it with itself.
            Task {
                await self.answer(run)
                await self.ended(run)
            }
        }
    }

    private func answer(_ run: DeviceRun) async {
        guard let device = configuration.device, !run.isOver else { return }
        run.say(.model(Event.Model(device.model.name, placement: .device)))
        run.say(.status(Event.Status(.starting)))
        guard let prompt = try? await devicePrompt(for: run.turn) else {
            return run.say(.end(Event.End(.failed, .storageFailed)))
        }
        let end = await device.model.answer(prompt) { event in run.say(event) }
        run.say(.end(end))
    }

    private func ended(_ run: DeviceRun) async {
        while await !flush() {
            // A full disk may have room in a while; what is shown stays meanwhile.
            if Task.isCancelled { break }
            try? await clock.sleep(for: .seconds(1))
        }
        live.end(run.answer)
        let wasHere = state.withLock { $0.deviceRuns.removeValue(forKey: run.answer) != nil }
        if wasHere { deviceLock.giveBack() }
        told(run.turn.conversation)
    }

    /// The path that ends in a prompt, in words.
    private func devicePrompt(for turn: StoredTurn) async throws -> DevicePrompt {
        var earlier: [ModelTask.Exchange] = []
        if let parent = turn.parent, let tree = try await tree(turn.conversation) {
            for step in tree.tree.path(to: parent) {
                guard let content = tree.tree[step.turn]?.content else { continue }
                // Nobody is told words that nobody saw.
                let reply = step.answer.flatMap { tree.answers[$0]?.answer.text } ?? ""
                earlier.append(ModelTask.Exchange(prompt: ContentPart.text(of: content), reply: reply))
            }
        }
        return DevicePrompt(earlier: earlier, prompt: ContentPart.text(of: turn.content))
    }

    // MARK: Ending

    /// Stops an answer of this device at its last token; the words so far stay.
    ///
    /// - Returns: false if this device is not making it.
    func stopHere(_ answer: AnswerID) async -> Bool {
        guard let run = state.withLock({ $0.deviceRuns[answer] }) else { return false }
        run.end(Event.End(.stopped, .stoppedByPerson))
        await settle(run)
        return true
    }

    /// Waits until nothing of a run is under way; one that nobody has taken up yet ends here.
    private func settle(_ run: DeviceRun) async {
        if run.begin() { await ended(run) } else { await run.finish() }
    }

    /// Ends what this device is making: nobody else could go on with it.
    func interruptDeviceRuns() async {
        let runs = state.withLock { Array($0.deviceRuns.values) }
        for run in runs { run.end(Event.End(.interrupted, reason: nil)) }
        for run in runs { await settle(run) }
    }

    /// Lets go of what this device is making in a conversation that is about to go; nil for all.
    func abandonDeviceRuns(in conversation: ConversationID?) async {
        let runs = state.withLock { state in
            state.deviceRuns.values.filter { conversation == nil || $0.turn.conversation == conversation }
        }
        for run in runs { run.abandon() }
        for run in runs { await settle(run) }
    }

    // MARK: Telling the server

    /// Gives the server a turn that this device answered; no model runs there.
    ///
    /// - Returns: how long to wait before the next try; nil to go on.
    func give(_ turn: StoredTurn, _ answer: AnswerID, _ entry: OutboxEntry) async throws -> Duration? {
        guard let stored = try await store.answer(answer), let finished = FinishedTurn(turn, stored.answer) else {
            // It was withdrawn, or never began: there is nothing to give.
            try await store.keepHere(turn.id)
            return nil
        }
        do {
            _ = try await client.call("PUT", finished.path, body: finished.json, attempts: 1)
        } catch let error as ClientError {
            tracker.note(error)
            if error.code == ClientError.Code(.unauthenticated) { return nil }
            if error.code == ClientError.Code(.deleted) {
                try await store.finish(entry.number)
                try await forget(turn.conversation)
                return nil
            }
            if error.isTransient || error.isFault && entry.attempts + 1 < DeliveryOutcome.maximumFaults {
                try await store.fail(entry.number)
                return configuration.retry.delay(
                    attempt: entry.attempts + 1, retryAfter: error.retryAfter, random: client.ids.random())
            }
            // The server does not want it, or is too old to know of such turns: the words stay where they are.
            try await store.keepHere(turn.id)
            try await store.finish(entry.number)
            told(turn.conversation)
            return nil
        }
        tracker.noteAnswer()
        try await store.deliver(turn.id)
        try await store.finish(entry.number)
        told(turn.conversation)
        return nil
    }
}

extension Resolution {
    /// Why the device does not answer, where nothing else can.
    fileprivate var reasonAgainstDevice: MessageKey {
        let rejected: [RejectedRoute] =
            switch self {
            case .unavailable(let refusal): refusal.rejected
            case .askConsent(let question): question.rejected
            case .wait(let wait): wait.rejected
            case .run(let decision): decision.rejected
            }
        let reason = rejected.first { $0.route == .onDevice }?.why.first
        return reason.map(MessageKey.init) ?? explain().key
    }
}

extension Capability {
    /// All that anybody may ask for.
    fileprivate static let all: Capability = [
        .text, .structuredOutput, .tools, .vision, .liveRetrieval, .longContext,
    ]
}
