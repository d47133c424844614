import RejoinClient
import RejoinCore
import RejoinTerminal
import Testing

@Suite(.timeLimit(.minutes(1))) struct ChatCommandTests {
    static func echo(_ prompt: String) -> [Event] {
        [.status(.init(.thinking)), .text("You said "), .text(prompt), .end(.init(.done, .complete))]
    }

    static func chat(
        _ server: FakeServer, _ terminal: ScriptedTerminal, options: ChatOptions = ChatOptions()
    ) async -> Int32 {
        await ChatCommand(AskCommandTests.front(terminal, server)).run(options)
    }

    @Test func `each prompt hangs below the answer before it`() async throws {
        let server = FakeServer(script: Self.echo)
        let terminal = ScriptedTerminal(["one", "", "  two  ", "//three", "/quit", "never"])
        #expect(await Self.chat(server, terminal) == 0)
        #expect(terminal.output == "You said one\nYou said two\nYou said /three\n")
        let parents = server.read(\.parents)
        let answers = server.read { $0.logs.keys.map(\.description) }
        #expect(parents.count == 3)
        #expect(parents[0] == nil)
        #expect(Set(parents.dropFirst().compactMap { $0 }).isSubset(of: answers))
        #expect(Set(parents).count == 3)
        #expect(Set(server.read(\.conversations)).count == 1)
    }

    @Test func `a new conversation has no parent`() async {
        let server = FakeServer(script: Self.echo)
        #expect(await Self.chat(server, ScriptedTerminal(["one", "/new", "two"])) == 0)
        #expect(server.read(\.parents) == [nil, nil])
        #expect(Set(server.read(\.conversations)).count == 2)
    }

    @Test func `a model that was chosen is asked for`() async {
        let server = FakeServer(script: Self.echo)
        #expect(await Self.chat(server, ScriptedTerminal(["one", "/model large", "two"])) == 0)
        #expect(server.read(\.models) == ["auto", "large"])
    }

    @Test("A46 a retry adds an answer beside the first")
    func retry() async {
        let server = FakeServer(script: Self.echo)
        let terminal = ScriptedTerminal(["/retry", "one", "/retry", "two"])
        #expect(await Self.chat(server, terminal) == 0)
        #expect(terminal.output == "You said one\nYou said one\nYou said two\n")
        #expect(terminal.error.contains("nothing to retry"))
        #expect(server.read(\.turns).count == 2)
        #expect(server.read(\.logs).count == 3)
        // The next prompt hangs below the answer that was looked at last.
        #expect(server.read { $0.parents.last == $0.regenerated.last?.description })
    }

    @Test func `a prompt that the server did not take is retried under its ids`() async {
        let isFirst = Flag()
        let server = FakeServer(
            script: Self.echo,
            other: { _ in
                if isFirst.isSet { return nil }
                isFirst.set()
                return .problem(Problem(.queueFull, "later"))
            })
        let terminal = ScriptedTerminal(["one", "/retry"])
        #expect(await Self.chat(server, terminal) == 0)
        #expect(terminal.output == "You said one\n")
        #expect(terminal.error.contains("The queue is full"))
        #expect(server.read(\.regenerated).isEmpty)
    }

    @Test func `Ctrl-C stops the answer and not the program`() async throws {
        let server = FakeServer(script: { prompt in
            prompt == "long" ? [.text("on and on")] : [.text("short"), .end(.init(.done, .complete))]
        })
        let terminal = ScriptedTerminal(nil, isInteractive: true)
        async let code = Self.chat(server, terminal)
        terminal.type("long")
        try await eventually("the first words") { terminal.output == "on and on" }
        terminal.pressControlC()
        try await eventually("the stop") { terminal.error.contains("stopped") }
        terminal.type("again")
        try await eventually("the second answer") { terminal.output == "on and on\nshort\n" }
        terminal.endInput()
        #expect(await code == 0)
        #expect(server.read(\.stops).count == 1)
    }

    @Test func `a typed stop acts at once and what is typed ahead waits`() async throws {
        let server = FakeServer(script: { prompt in
            prompt == "long" ? [.text("on and on")] : [.text("short"), .end(.init(.done, .complete))]
        })
        let terminal = ScriptedTerminal(nil, isInteractive: true)
        async let code = Self.chat(server, terminal)
        terminal.type("long")
        try await eventually("the first words") { terminal.output == "on and on" }
        terminal.type("next")
        terminal.type("/stop")
        try await eventually("the second answer") { terminal.output == "on and on\nshort\n" }
        terminal.endInput()
        #expect(await code == 0)
        #expect(server.read(\.prompts) == ["long", "next"])
        #expect(terminal.error.contains("you> next\n"))
    }

    @Test func `a server killed in the middle is rejoined`() async throws {
        let server = FakeServer(script: { _ in [.text("one ")] })
        let terminal = ScriptedTerminal(["go"])
        async let code = Self.chat(server, terminal)
        try await eventually("the first words") { terminal.output == "one " }
        server.setDown(true)
        let answer = try #require(server.read { $0.logs.keys.first })
        server.append([.text("two"), .end(.init(.done, .complete))], to: answer)
        server.setDown(false)
        #expect(await code == 0)
        #expect(terminal.output == "one two\n")
    }

    static let conversation: ConversationID = ID(high: 9, low: 1)
    static let turn: TurnID = ID(high: 9, low: 2)
    static let answer: AnswerID = ID(high: 9, low: 3)

    static func stored(state: String, seq: Int, text: String) -> String {
        """
        {"id":"\(conversation)","title":"Sea \\u001b[31mlife","turns":[{"id":"\(turn)","parent":null,
        "content":[{"type":"text","text":"Tell me of whales"}],
        "answers":[{"id":"\(answer)","state":"\(state)","seq":\(seq),
        "content":[{"type":"text","text":"\(text)"}]}]}],"selected":"\(answer)"}
        """
    }

    @Test func `lists, opens by number, prints the path and goes on below it`() async {
        let server = FakeServer(
            script: Self.echo,
            other: { request in
                if request.method != "GET" { return nil }
                if request.url.contains("/conversations?") {
                    return .json(#"{"items":[{"id":"\#(Self.conversation)","title":"Sea life"}],"next":null}"#)
                }
                if request.url.hasSuffix("/conversations/\(Self.conversation)") {
                    return .json(Self.stored(state: "done", seq: 4, text: "They sing."))
                }
                return nil
            })
        let terminal = ScriptedTerminal(["/open 1", "/list", "/open 1", "/history", "more"])
        #expect(await Self.chat(server, terminal) == 0)
        #expect(terminal.error.contains("no such conversation"))
        #expect(terminal.error.contains("opened: Sea ␛[31mlife"))
        #expect(terminal.output == " 1  Sea life\nyou> Tell me of whales\n\nThey sing.\n\nYou said more\n")
        #expect(server.read(\.parents) == [Self.answer.description])
        #expect(server.read(\.conversations) == [Self.conversation.description])
    }

    @Test("A17 an opened conversation rejoins the answer that still runs")
    func rejoinsOnOpen() async {
        let server = FakeServer(
            script: Self.echo,
            other: { request in
                if request.url.hasSuffix("/conversations/\(Self.conversation)") {
                    return .json(Self.stored(state: "streaming", seq: 2, text: "They "))
                }
                if request.url.hasSuffix("/answers/\(Self.answer)/events?after=2") {
                    let rest = [
                        NumberedEvent(seq: 3, event: .text("sing.")),
                        NumberedEvent(seq: 4, event: .end(.init(.done, .complete))),
                    ]
                    return .stream(ScriptedBody([wire(rest)], then: .success(())))
                }
                return nil
            })
        let terminal = ScriptedTerminal([])
        let options = ChatOptions(conversation: Self.conversation)
        #expect(await Self.chat(server, terminal, options: options) == 0)
        #expect(terminal.output == "you> Tell me of whales\nThey sing.\n")
    }

    @Test func `lists the models`() async {
        let server = FakeServer(
            script: Self.echo,
            other: { request in
                guard request.url.hasSuffix("/v1/models") else { return nil }
                return .json(#"{"items":[{"name":"small","state":"ready"},{"name":"large"}],"default":"small"}"#)
            })
        let terminal = ScriptedTerminal(["/model"])
        #expect(await Self.chat(server, terminal) == 0)
        #expect(terminal.output == "* small\n  large\n")
    }

    @Test func `a script ends at a server that is not there, with its code`() async {
        let server = FakeServer(script: Self.echo)
        server.setDown(true)
        let terminal = ScriptedTerminal(["one", "two"])
        var policy = RetryPolicy.eager
        policy.initialPatience = .milliseconds(5)
        let front = AskCommandTests.front(terminal, server, policy: policy)
        #expect(await ChatCommand(front).run(ChatOptions()) == 69)
        #expect(terminal.output == "")
    }

    @Test func `help and unknown commands say what there is`() async {
        let terminal = ScriptedTerminal(["/help", "/dance now", "/stop"])
        #expect(await Self.chat(FakeServer(script: Self.echo), terminal) == 0)
        for words in ["/retry", "there is no /dance", "nothing to stop"] { #expect(terminal.error.contains(words)) }
        #expect(terminal.output == "")
    }

    @Test func `a reader that goes ends the chat`() async {
        let server = FakeServer(script: Self.echo)
        #expect(await Self.chat(server, ScriptedTerminal(["one", "two", "three"], closesAfter: 5)) == 0)
        #expect(server.read(\.prompts).count < 3)
    }
}
