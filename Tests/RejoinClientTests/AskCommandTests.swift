import RejoinClient
import RejoinCore
import RejoinTestKit
import RejoinTerminal
import Testing

@Suite(.timeLimit(.minutes(1))) struct AskCommandTests {
    static let story: [Event] = [
        .status(.init(.queued, position: 2)), .model(.init("small", placement: .server)), .status(.init(.thinking)),
        .text("Once "), .text("upon "), .text("a time."),
        .usage(.init(inputTokens: 3, outputTokens: 4, isEstimated: false)), .end(.init(.done, .complete)),
    ]

    static func front(
        _ terminal: ScriptedTerminal, _ server: FakeServer, clock: any Clock<Duration> = ContinuousClock(),
        policy: RetryPolicy = .eager, environment: [String: String] = ["REJOIN_SERVER": "http://fake"]
    ) -> Front {
        Front(terminal: terminal, environment: environment, policy: policy) { _ in server.client(clock: clock) }
    }

    static func ask(
        _ server: FakeServer, _ terminal: ScriptedTerminal, words: [String] = ["tell", "me"],
        wait: Duration = .seconds(600), clock: any Clock<Duration> = ContinuousClock(), policy: RetryPolicy = .eager
    ) async -> Int32 {
        await AskCommand(front(terminal, server, clock: clock, policy: policy))
            .run(AskOptions(words: words, wait: wait))
    }

    @Test func `writes the text alone to a pipe and leaves 0`() async {
        let server = FakeServer(script: { _ in Self.story })
        let terminal = ScriptedTerminal()
        #expect(await Self.ask(server, terminal) == 0)
        #expect(terminal.output == "Once upon a time.\n")
        #expect(terminal.error == "")
        #expect(server.read(\.prompts) == ["tell me"])
        #expect(server.read(\.parents) == [nil])
    }

    @Test func `shows what happens before the words on a screen and wipes it`() async {
        let server = FakeServer(script: { _ in Self.story })
        let terminal = ScriptedTerminal(isInteractive: true)
        #expect(await Self.ask(server, terminal) == 0)
        #expect(terminal.error.contains("waiting in the queue, place 2"))
        #expect(terminal.error.contains("small: thinking"))
        #expect(terminal.error.hasSuffix("\r\u{1B}[K"))
        #expect(terminal.output == "Once upon a time.\n")
    }

    @Test func `puts what is piped in below the prompt`() async {
        let server = FakeServer(script: { _ in Self.story })
        let terminal = ScriptedTerminal(["line 1", "line 2"], isInputPiped: true)
        #expect(await Self.ask(server, terminal, words: ["summarise"]) == 0)
        #expect(server.read(\.prompts) == ["summarise\n\nline 1\nline 2"])
    }

    @Test func `takes the prompt from standard input for a dash`() async {
        let server = FakeServer(script: { _ in Self.story })
        #expect(await Self.ask(server, ScriptedTerminal(["why?", ""]), words: ["-"]) == 0)
        #expect(server.read(\.prompts) == ["why?\n"])
    }

    @Test func `asks nothing without words`() async {
        let server = FakeServer(script: { _ in Self.story })
        for words in [[], [" "], ["-"]] {
            let terminal = ScriptedTerminal([" ", ""])
            #expect(await Self.ask(server, terminal, words: words) == 64)
            #expect(terminal.error.contains("nothing to ask"))
        }
        #expect(server.read(\.connections) == 0)
    }

    static let endings: [(EndState, Int32)] = [
        (.done, 0), (.stopped, 130), (.interrupted, 3), (.refused, 4), (.failed, 5),
    ]

    @Test(arguments: endings)
    func `the exit code says how it ended and the text stays`(state: EndState, code: Int32) async {
        let server = FakeServer(script: { _ in [.text("half"), .end(.init(state, reason: "some-reason"))] })
        let terminal = ScriptedTerminal()
        #expect(await Self.ask(server, terminal) == code)
        #expect(terminal.output == "half\n")
        #expect(terminal.error.isEmpty == (state == .done))
    }

    static let refusals: [(Problem, Int32)] = [
        (Problem(.unauthenticated, ""), 77), (Problem(.limitReached, "enough", retryAfter: 60), 4),
        (Problem(.queueFull, ""), 4), (Problem(.turnConflict, ""), 5), (Problem(.invalidRequest, ""), 5),
    ]

    @Test(arguments: refusals)
    func `a refusal has its exit code and its words`(problem: Problem, code: Int32) async {
        let server = FakeServer(script: { _ in Self.story }, other: { _ in .problem(problem) })
        let terminal = ScriptedTerminal()
        #expect(await Self.ask(server, terminal) == code)
        #expect(terminal.output == "")
        #expect(terminal.error.contains(problem.kind.title))
        if let seconds = problem.retryAfter { #expect(terminal.error.contains("try again in \(seconds) s")) }
    }

    @Test func `a server that is not there gives 69 after a short while`() async throws {
        let server = FakeServer(script: { _ in Self.story })
        server.setDown(true)
        var policy = RetryPolicy.eager
        policy.initialPatience = .milliseconds(20)
        let terminal = ScriptedTerminal()
        #expect(await Self.ask(server, terminal, policy: policy) == 69)
        #expect(terminal.error.contains("cannot be reached at http://fake"))
    }

    @Test func `no server at all says how to start one`() async {
        let terminal = ScriptedTerminal()
        let server = FakeServer(script: { _ in Self.story })
        let front = Self.front(terminal, server, environment: ["HOME": "/nowhere"])
        #expect(await AskCommand(front).run(AskOptions(words: ["x"])) == 69)
        #expect(terminal.error.contains("make run"))
        #expect(terminal.error.contains("/nowhere/.local/share/rejoinder"))
    }

    @Test("A18 an answer cut after every event is printed once and whole")
    func cutsEverywhere() async {
        for count in 0...Self.story.count {
            let server = FakeServer(script: { _ in Self.story }, cut: { $0 == 1 ? count : nil })
            let terminal = ScriptedTerminal()
            #expect(await Self.ask(server, terminal) == 0)
            #expect(terminal.output == "Once upon a time.\n", "cut after \(count)")
        }
        let server = FakeServer(script: { _ in Self.story }, cut: { _ in 1 })
        let terminal = ScriptedTerminal()
        #expect(await Self.ask(server, terminal) == 0)
        #expect(terminal.output == "Once upon a time.\n")
        #expect(server.read(\.prompts).count == 1)
    }

    @Test func `a server that goes away is waited for, with one notice`() async throws {
        let server = FakeServer(script: { _ in [.text("one ")] })
        let terminal = ScriptedTerminal()
        async let code = Self.ask(server, terminal)
        try await eventually("the first words") { terminal.output == "one " }
        server.setDown(true)
        try await eventually("the notice") { terminal.error.contains("waiting for the server") }
        let answer = try #require(server.read { $0.logs.keys.first })
        server.append([.text("two"), .end(.init(.done, .complete))], to: answer)
        server.setDown(false)
        #expect(await code == 0)
        #expect(terminal.output == "one two\n")
        #expect(terminal.error == "rejoin: the connection broke; waiting for the server\n")
    }

    @Test func `a server that stays away is given up after the wait`() async throws {
        let server = FakeServer(script: { _ in [.text("one ")] })
        let terminal = ScriptedTerminal()
        async let code = Self.ask(server, terminal, wait: .milliseconds(30))
        try await eventually("the first words") { terminal.output == "one " }
        server.setDown(true)
        #expect(await code == 69)
        #expect(terminal.output == "one \n")
    }

    @Test("A11 Ctrl-C stops the answer at the server and keeps the text")
    func controlC() async throws {
        let server = FakeServer(script: { _ in [.text("half a sen")] })
        let terminal = ScriptedTerminal()
        async let code = Self.ask(server, terminal)
        try await eventually("the first words") { terminal.output == "half a sen" }
        terminal.pressControlC()
        #expect(await code == 130)
        #expect(terminal.output == "half a sen\n")
        #expect(server.read(\.stops).count == 1)
        #expect(server.read { $0.logs.values.first?.last?.event } == .end(.init(.stopped, .stoppedByPerson)))
    }

    @Test func `a second Ctrl-C leaves at once`() async throws {
        // A server that takes the stop and never ends.
        let server = FakeServer(
            script: { _ in [.text("half")] },
            other: { $0.method == "POST" ? .json(#"{"state":"streaming","seq":1}"#) : nil })
        let terminal = ScriptedTerminal()
        async let code = Self.ask(server, terminal)
        try await eventually("the first words") { terminal.output == "half" }
        terminal.pressControlC()
        terminal.pressControlC()
        #expect(await code == 130)
    }

    @Test func `a stop that brings no end is not waited for without bound`() async throws {
        let clock = ManualClock()
        let server = FakeServer(
            script: { _ in [.text("half")] },
            other: { $0.method == "POST" ? .json(#"{"state":"streaming","seq":1}"#) : nil })
        let terminal = ScriptedTerminal()
        async let code = Self.ask(server, terminal, clock: clock)
        try await eventually("the first words") { terminal.output == "half" }
        terminal.pressControlC()
        // The silence watch of the line sleeps for 25 s; the wait for the end for 5 s.
        try await eventually("the wait") { clock.nextDeadline == .seconds(5) && clock.sleepers == 2 }
        clock.advance(by: .seconds(5))
        #expect(await code == 130)
        #expect(terminal.error.contains("may still be answering"))
    }

    @Test func `a Ctrl-C while the server is away leaves after a bounded wait`() async throws {
        let clock = ManualClock()
        let server = FakeServer(script: { _ in [.text("half")] })
        let terminal = ScriptedTerminal()
        async let code = Self.ask(server, terminal, clock: clock)
        try await eventually("the first words") { terminal.output == "half" }
        server.setDown(true)
        terminal.pressControlC()
        let isDone = Flag()
        async let pump: Void = {
            while !isDone.isSet {
                clock.advance(by: .milliseconds(50))
                try? await Task.sleep(for: .microseconds(200))
            }
        }()
        #expect(await code == 130)
        isDone.set()
        await pump
        #expect(terminal.error.contains("may still be answering"))
    }

    @Test func `a reader that goes stops the run and is no failure`() async throws {
        let server = FakeServer(script: { _ in [.text("line 1\n")] })
        let terminal = ScriptedTerminal(closesAfter: 7)
        async let code = Self.ask(server, terminal)
        try await eventually("the first line") { terminal.output == "line 1\n" }
        let answer = try #require(server.read { $0.logs.keys.first })
        server.append([.text("line 2\n")], to: answer)
        #expect(await code == 0)
        #expect(server.read(\.stops) == [answer])
        #expect(terminal.output == "line 1\n")
    }

    @Test func `escape sequences of a model do nothing`() async {
        let server = FakeServer(script: { _ in
            [.text("a\u{1B}[2Jb\r"), .text("\nc\u{9B}31m\u{7}\td"), .end(.init(.done, .complete))]
        })
        let terminal = ScriptedTerminal()
        #expect(await Self.ask(server, terminal) == 0)
        #expect(terminal.output == "a␛[2Jb\nc\u{FFFD}31m␇\td\n")
    }

    @Test func `a snapshot adds only what is not there yet`() async {
        let server = FakeServer(script: { _ in
            [
                .text("one "), .snapshot(.init(seq: 2, content: [.text("one two ")])), .text("three"),
                .end(.init(.done, .complete)),
            ]
        })
        let terminal = ScriptedTerminal()
        #expect(await Self.ask(server, terminal) == 0)
        #expect(terminal.output == "one two three\n")
    }

    @Test("A26 withdrawn text is announced as such")
    func withdrawn() async {
        let server = FakeServer(script: { _ in
            [.text("bad"), .withdrawn(reason: "safety"), .end(.init(.refused, .contentFilter))]
        })
        let terminal = ScriptedTerminal()
        #expect(await Self.ask(server, terminal) == 4)
        #expect(terminal.error.contains("withdrawn (safety)"))
    }
}
