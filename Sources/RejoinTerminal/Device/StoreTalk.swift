import RejoinAssist
import RejoinClient
import RejoinCore

/// Asks through the store of this device, so that whoever can answer does: the server, or this device by itself.
struct StoreTalk: Sendable {
    let front: Front
    let client: ConversationClient

    /// Opens what this device holds of an account; nil, with a notice, where it cannot be opened.
    ///
    /// - Parameter location: nil where no server is known; then everything stays here.
    static func open(_ front: Front, _ location: ServerLocation?, _ device: DeviceOptions) async -> StoreTalk? {
        let place = location ?? .nowhere
        let folder = ClientFolder(place, environment: front.environment)
        var configuration = ConversationClient.Configuration()
        configuration.device = device.answering
        configuration.mode = location == nil ? .onDeviceOnly : device.effective
        configuration.retry = front.policy
        do {
            let store = try await LocalStore.open(folder: folder.path, account: folder.account)
            return StoreTalk(
                front: front,
                client: ConversationClient(client: front.makeClient(place), store: store, configuration: configuration))
        } catch {
            await front.say("what this device holds cannot be opened: " + HarmlessText.line(String(describing: error)))
            return nil
        }
    }

    /// Runs the client for as long as a body takes, and closes what was opened.
    func during<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
        let result = await running(body)
        await client.store.close()
        return result
    }

    private func running<Result: Sendable>(_ body: @Sendable () async -> Result) async -> Result {
        // Ends with this scope.
        async let _ = client.run()
        let result = await body()
        await giveAway()
        return result
    }

    /// Lets the server have what it has yet to hear of, where it is there, for a moment.
    private func giveAway() async {
        for _ in 0..<20 {
            guard client.connection == .online, (try? await client.store.outbox().isEmpty) == false else { return }
            try? await client.client.clock.sleep(for: .milliseconds(100))
        }
    }

    /// What one prompt came to.
    struct Outcome: Sendable {
        var code: Int32
        var conversation: ConversationID?
        var isOutputClosed = false
    }

    /// Asks, and shows the answer as it comes; Ctrl-C stops it, and a second one leaves.
    func ask(
        _ prompt: String, in conversation: ConversationID?, model: String, isTemporary: Bool = false
    ) async -> Outcome {
        let updates = client.updates()
        let sent: ConversationClient.Sent
        do {
            sent = try await client.send(prompt, in: conversation, model: model, temporary: isTemporary)
        } catch {
            return await refused(error, conversation)
        }
        let interrupts = front.terminal.interrupts()
        return await withTaskGroup(of: Outcome?.self) { group in
            group.addTask { await show(sent, updates) }
            group.addTask {
                var count = 0
                for await _ in interrupts {
                    count += 1
                    if count > 1 { return Outcome(code: ExitCode.stopped, conversation: sent.conversation) }
                    try? await client.stop(sent.answer)
                }
                return nil
            }
            defer { group.cancelAll() }
            while let next = await group.next() { if let next { return next } }
            return Outcome(code: ExitCode.stopped, conversation: sent.conversation)
        }
    }

    private func refused(_ error: any Error, _ conversation: ConversationID?) async -> Outcome {
        guard let refusal = error as? ClientRefusal else {
            return Outcome(code: ExitCode.failed, conversation: conversation)
        }
        await front.say("not sent: " + Wording.refusal(refusal))
        let code: Int32 =
            switch refusal.code {
            case .offline, .notOnDevice: ExitCode.unavailable
            case .unauthenticated: ExitCode.notSignedIn
            default: ExitCode.refused
            }
        return Outcome(code: code, conversation: conversation)
    }

    /// Writes the answer as it grows, to its end.
    private func show(_ sent: ConversationClient.Sent, _ updates: AsyncStream<ClientUpdate>) async -> Outcome {
        let printer = AnswerPrinter(
            terminal: front.terminal, ability: TerminalAbility(environment: front.environment))
        var shown = 0
        var outcome = Outcome(code: ExitCode.done, conversation: sent.conversation)
        do {
            for await _ in updates {
                guard let (answer, delivery) = await read(sent) else { continue }
                if let refusal = refusal(in: delivery) {
                    try await printer.finish()
                    var refused = await refused(refusal, sent.conversation)
                    refused.conversation = nil
                    return refused
                }
                let text = answer.text
                if text.utf8.count > shown {
                    let rest = String(decoding: text.utf8.dropFirst(shown), as: UTF8.self)
                    shown = text.utf8.count
                    try await printer.show(.events([NumberedEvent(seq: 1, event: .text(rest))]), isAdmitted: true)
                }
                guard let end = answer.state.end else { continue }
                try await printer.finish()
                if let words = Wording.end(end) { await printer.notice(words) }
                if let words = answer.placementWords(delivery) {
                    await printer.notice(HarmlessText.line(words.prefix(1).lowercased() + words.dropFirst()))
                }
                outcome.code = ExitCode.code(for: end)
                return outcome
            }
        } catch {
            try? await client.stop(sent.answer)
            outcome.isOutputClosed = true
            return outcome
        }
        outcome.code = ExitCode.stopped
        return outcome
    }

    /// The answer as far as it has come; how far the prompt is counts once it is over.
    private func read(_ sent: ConversationClient.Sent) async -> (Answer, Delivery)? {
        if let fold = client.live(sent.answer), !fold.isBlank, fold.state.end == nil { return (fold, .delivered) }
        guard let tree = try? await client.tree(sent.conversation), let turn = tree.turn(sent.turn),
            let stored = tree.answers[sent.answer]
        else { return nil }
        return (stored.answer, turn.delivery)
    }

    private func refusal(in delivery: Delivery) -> ClientRefusal? {
        switch delivery {
        case .refused(let refusal): refusal
        case .expired: ClientRefusal(.offline)
        case .waiting, .sending, .delivered, .onDevice: nil
        }
    }
}

extension ServerLocation {
    /// Where no server is known: what this device answers then is kept apart from every account.
    static let nowhere = ServerLocation(address: "http://nowhere.invalid", token: nil)
}
