import RejoinClient
package import RejoinCore

/// What `rejoin ask` was told.
package struct AskOptions: Sendable {
    /// The words of the prompt; a lone `-` reads it from standard input.
    package var words: [String]
    package var model: String
    /// The conversation to go on with; nil begins a new one.
    package var conversation: ConversationID?
    /// How long a server that went away in the middle is waited for.
    package var wait: Duration
    /// Whether a new conversation is deleted as soon as the answer has been shown.
    package var isTemporary: Bool
    package var location: ServerLocation.Options
    /// Who may answer.
    package var device: DeviceOptions

    /// Notes what was said.
    package init(
        words: [String], model: String = "auto", conversation: ConversationID? = nil, wait: Duration = .seconds(600),
        isTemporary: Bool = false, location: ServerLocation.Options = .init(), device: DeviceOptions = .init()
    ) {
        self.device = device
        self.words = words
        self.conversation = conversation
        self.model = model
        self.wait = wait
        self.isTemporary = isTemporary
        self.location = location
    }
}

/// `rejoin ask`: one prompt, one answer on standard output as it comes: drawn on a screen, as its text elsewhere.
package struct AskCommand: Sendable {
    private let front: Front

    /// The most that is read from standard input, in bytes.
    static let inputLimit = 4 << 20

    /// Asks through a front.
    package init(_ front: Front) { self.front = front }

    /// Asks, shows the answer, and gives the exit code that says how it ended.
    package func run(_ options: AskOptions) async -> Int32 {
        guard let prompt = await prompt(options.words) else { return ExitCode.usage }
        let client: RejoinClient
        switch await front.way(options.location, options.device) {
        case .server(let location): client = front.makeClient(location)
        case .store(let location): return await ask(prompt, options, location)
        case .refused(let code): return code
        }
        var parent: AnswerID?
        if let conversation = options.conversation {
            do { parent = try await client.conversation(conversation).selected } catch let error as ClientError {
                await front.say(Wording.error(error, from: client.address))
                return ExitCode.code(for: error)
            } catch { return ExitCode.stopped }
        }
        var draft = TurnDraft(
            prompt, in: options.conversation, after: parent, model: options.model, ids: client.ids)
        draft.isTemporary = options.isTemporary && options.conversation == nil
        let policy = front.policy(waiting: options.wait)
        let show = AnswerShow(
            terminal: front.terminal, client: client, ability: TerminalAbility(environment: front.environment))
        let outcome = await show.run(draft.answer, interrupts: front.terminal.interrupts()) {
            [draft] in client.send(draft, policy: policy)
        }
        if draft.isTemporary { await forget(draft.conversation, client) }
        switch outcome {
        case .ended(_, let end): return ExitCode.code(for: end)
        case .failed(let error, _): return ExitCode.code(for: error)
        case .left: return ExitCode.stopped
        // The reader has all that it wanted.
        case .outputClosed: return ExitCode.done
        }
    }

    /// Deletes a temporary conversation; where that fails the server does it by itself, later.
    private func forget(_ conversation: ConversationID, _ client: RejoinClient) async {
        do { try await client.delete(conversation) } catch {
            await front.say("the conversation was not deleted yet; the server deletes it by itself within a day")
        }
    }

    /// Asks through the store of this device, whoever answers.
    private func ask(_ prompt: String, _ options: AskOptions, _ location: ServerLocation?) async -> Int32 {
        guard let talk = await StoreTalk.open(front, location, options.device) else { return ExitCode.failed }
        return await talk.during {
            let outcome = await talk.ask(
                prompt, in: options.conversation, model: options.model,
                isTemporary: options.isTemporary && options.conversation == nil)
            return outcome.isOutputClosed ? ExitCode.done : outcome.code
        }
    }

    /// The words, and below them what was handed in; nil, with a notice, when there is nothing to ask.
    private func prompt(_ words: [String]) async -> String? {
        let readsPrompt = words == ["-"]
        var parts = readsPrompt ? [] : [words.joined(separator: " ")]
        if readsPrompt || front.terminal.isInputPiped {
            guard let input = await front.terminal.lines(upTo: Self.inputLimit)?.joined(separator: "\n") else {
                await front.say("more than \(Self.inputLimit >> 20) MiB on standard input")
                return nil
            }
            parts.append(input)
        }
        parts.removeAll { $0.allSatisfy(\.isWhitespace) }
        if parts.isEmpty {
            await front.say("nothing to ask: rejoin ask \"…\"")
            return nil
        }
        return parts.joined(separator: "\n\n")
    }

}
