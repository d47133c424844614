import RejoinClient
import RejoinCore

/// One sitting of a chat: where in the tree the person is, and what the next line does.
final class ChatSession {
    private let front: Front
    private let client: RejoinClient
    private let policy: RetryPolicy
    private let show: AnswerShow
    private let typedAhead = TypedAhead()
    private let wanted: ConversationID?

    private var conversation: ConversationID?
    /// The answer that the person looks at.
    private var parent: AnswerID?
    private var lastTurn: TurnID?
    /// A prompt that the server has not taken: `/retry` sends it again as it was.
    private var unsent: TurnDraft?
    private var model: String
    private var listed: [ConversationSummary] = []
    /// The exit code so far; it counts only when nobody sits at the keys.
    private var code = ExitCode.done

    init(front: Front, client: RejoinClient, options: ChatOptions) {
        self.front = front
        self.client = client
        policy = front.policy(waiting: options.wait)
        show = AnswerShow(terminal: front.terminal, client: client)
        wanted = options.conversation
        model = options.model
    }

    private var isInteractive: Bool { front.terminal.isInputInteractive }

    func run() async -> Int32 {
        if isInteractive { await front.terminal.writeError("/help lists the commands, Ctrl-D leaves.\n") }
        do {
            if let wanted { try await open(wanted) }
            while let line = await nextLine() {
                guard try await act(on: ChatLine(line)) else { break }
                if !isInteractive, code == ExitCode.unavailable || code == ExitCode.notSignedIn { break }
            }
            if isInteractive { await front.terminal.writeError("\n") }
        } catch {
            // Nobody reads the output any more.
            return ExitCode.done
        }
        return isInteractive ? ExitCode.done : code
    }

    private func nextLine() async -> String? {
        if let line = typedAhead.next() {
            // Its echo stands above the answer; the transcript reads better with it in its place.
            await front.terminal.writeError("you> " + HarmlessText.line(line) + "\n")
            return line
        }
        guard isInteractive else { return await front.terminal.readLine() }
        await front.terminal.writeError("you> ")
        let terminal = front.terminal
        // Ctrl-C at the prompt throws the line away (the terminal does that) and offers a new one.
        let interrupts = terminal.interrupts()
        return await withTaskGroup(of: String?.self) { group in
            group.addTask { await terminal.readLine() }
            group.addTask {
                for await _ in interrupts { await terminal.writeError("\n(Ctrl-D leaves)\nyou> ") }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// - Returns: false when the person leaves.
    private func act(on line: ChatLine) async throws -> Bool {
        switch line {
        case .nothing: break
        case .prompt(let text): try await send(text)
        case .new:
            (conversation, parent, lastTurn, unsent) = (nil, nil, nil, nil)
            await front.say("a new conversation")
        case .list: try await list()
        case .open(let name):
            guard let id = named(name) else {
                await front.say("no such conversation; /list numbers them")
                break
            }
            try await open(id)
        case .retry: try await retry()
        case .stop: await front.say("nothing to stop")
        case .history: try await history()
        case .model(let name?):
            model = name
            await front.say("from now on: " + HarmlessText.line(name))
        case .model(nil): try await listModels()
        case .help: await front.terminal.writeError(ChatLine.helpText)
        case .quit: return false
        case .unknown(let name):
            await front.say("there is no " + HarmlessText.line(name) + "; /help lists what there is")
        }
        return true
    }

    private func send(_ text: String) async throws {
        let draft = TurnDraft(text, in: conversation, after: parent, model: model, ids: client.ids)
        conversation = draft.conversation
        try await send(draft)
    }

    private func send(_ draft: TurnDraft) async throws {
        unsent = draft
        let (client, policy) = (client, policy)
        try await follow(draft.answer, of: draft.turn) { client.send(draft, policy: policy) }
    }

    private func retry() async throws {
        if let unsent { return try await send(unsent) }
        guard let turn = lastTurn else {
            await front.say("nothing to retry")
            return
        }
        let answer: AnswerID = client.ids.make()
        let (client, policy, model) = (client, policy, model)
        try await follow(answer, of: turn) { client.regenerate(turn, as: answer, model: model, policy: policy) }
    }

    /// Shows an answer; it becomes what the person looks at once the server has it.
    private func follow(
        _ answer: AnswerID, of turn: TurnID, _ start: @escaping @Sendable () -> AnswerFollower
    ) async throws {
        let outcome = await show.run(
            answer, interrupts: front.terminal.interrupts(), typedAhead: isInteractive ? typedAhead : nil, start: start)
        var isAdmitted = true
        switch outcome {
        case .ended(_, let end): code = ExitCode.code(for: end)
        case .failed(let error, let admitted):
            code = ExitCode.code(for: error)
            isAdmitted = admitted
        case .left: code = ExitCode.stopped
        case .outputClosed: throw OutputClosed()
        }
        if isAdmitted {
            unsent = nil
            parent = answer
            lastTurn = turn
        }
    }

    private func list() async throws {
        guard let page = await attempt({ try await $0.conversations() }) else { return }
        listed = page.items
        var text = ""
        for (position, item) in page.items.enumerated() {
            let mark = item.id == conversation ? "*" : " "
            let title = item.title.isEmpty ? item.id.description : HarmlessText.line(item.title)
            text += "\(mark)\(position + 1)  \(title)\n"
        }
        try await front.terminal.write(text.isEmpty ? "no conversations yet\n" : text)
    }

    private func named(_ name: String) -> ConversationID? {
        if let number = Int(name), listed.indices.contains(number - 1) { return listed[number - 1].id }
        return ConversationID(name)
    }

    private func open(_ id: ConversationID) async throws {
        guard let found = await attempt({ try await $0.conversation(id) }) else { return }
        conversation = found.id
        parent = found.selected
        lastTurn = found.selected.flatMap { found.tree.turn(of: $0)?.id }
        unsent = nil
        await front.say(found.title.isEmpty ? "opened" : "opened: " + HarmlessText.line(found.title))
        guard let last = found.path.last, let answer = last.answer else { return }
        // An answer that still runs is rejoined from what is there of it.
        if answer.state.end == nil {
            try await front.terminal.write("you> " + HarmlessText.whole(last.prompt) + "\n")
            let (client, policy) = (client, policy)
            try await follow(answer.id, of: last.turn) { client.follow(answer, policy: policy) }
        }
    }

    private func history() async throws {
        guard let conversation, parent != nil else {
            await front.say("nothing said yet")
            return
        }
        guard let found = await attempt({ try await $0.conversation(conversation) }) else { return }
        var text = ""
        for exchange in found.path(to: parent) {
            text += "you> " + HarmlessText.whole(exchange.prompt) + "\n\n"
            guard let answer = exchange.answer else { continue }
            text += HarmlessText.whole(answer.text) + "\n"
            if let end = answer.state.end, let words = Wording.end(end) { text += "[" + words + "]\n" }
            text += "\n"
        }
        try await front.terminal.write(text)
    }

    private func listModels() async throws {
        guard let models = await attempt({ try await $0.models() }) else { return }
        var text = ""
        for offered in models {
            let mark = offered.name == model || (model == "auto" && offered.isDefault) ? "*" : " "
            text += mark + " " + HarmlessText.line(offered.name) + "\n"
        }
        try await front.terminal.write(text.isEmpty ? "no models\n" : text)
    }

    /// Makes a call that Ctrl-C may break off; a failure is told, and gives nil.
    private func attempt<Value: Sendable>(
        _ call: @escaping @Sendable (RejoinClient) async throws -> Value
    ) async -> Value? {
        let client = client
        let interrupts = front.terminal.interrupts()
        let result = await withTaskGroup(of: Result<Value, any Error>?.self) { group in
            group.addTask {
                do { return .success(try await call(client)) } catch { return .failure(error) }
            }
            group.addTask {
                for await _ in interrupts { break }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        switch result {
        case .success(let value): return value
        case .failure(let error as ClientError):
            code = ExitCode.code(for: error)
            await front.say(Wording.error(error, from: client.address))
            return nil
        case .failure, nil: return nil
        }
    }
}
