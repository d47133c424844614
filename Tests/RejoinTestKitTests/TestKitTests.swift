import RejoinClient
import RejoinCore
import RejoinTestKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct TestKitTests {
    private func open(
        _ server: ScriptedServer, through transport: (any Transport)? = nil,
        _ body: (ConversationClient) async throws -> Void
    ) async throws {
        let chat = ConversationClient(
            client: server.client(through: transport), store: .temporary(),
            configuration: {
                var configuration = ConversationClient.Configuration()
                configuration.retry = RetryPolicy(firstDelay: .milliseconds(1), maximumDelay: .milliseconds(5))
                return configuration
            }())
        let running = Task { await chat.run() }
        defer { running.cancel() }
        try await body(chat)
    }

    private func isWhole(_ chat: ConversationClient, _ sent: ConversationClient.Sent, _ text: String) async throws {
        try await eventually("the answer is whole") {
            let answer = try await chat.tree(sent.conversation)?.answers[sent.answer]?.answer
            return answer?.state.end?.state == .done && answer?.text == text
        }
    }

    @Test func `a prompt is answered as the script says`() async throws {
        let server = ScriptedServer { prompt in [.text("You said: \(prompt)"), .end(.init(.done, .complete))] }
        try await open(server) { chat in
            let sent = try await chat.send("Hello", in: nil)
            try await isWhole(chat, sent, "You said: Hello")
            #expect(server.runs.map(\.prompt) == ["Hello"])
            #expect(server.runs.map(\.answer) == [sent.answer])
            #expect(server.answer(sent.answer)?.text == "You said: Hello")
        }
    }

    @Test func `an answer grows as the test tells, and is stopped on the server`() async throws {
        let server = ScriptedServer(pace: .whenTold)
        try await open(server) { chat in
            let sent = try await chat.send("one two three", in: nil)
            try await eventually("the server works") { server.runs.count == 1 }
            server.say(sent.answer, 2)
            try await eventually("two words came") { chat.live(sent.answer)?.text == "one two " }
            try await chat.stop(sent.answer)
            try await eventually("the server was told") { server.stops == [sent.answer] }
            #expect(server.answer(sent.answer)?.state.end?.state == .stopped)
        }
    }

    @Test func `a second device learns of conversations, titles and deletions by the feed`() async throws {
        let server = ScriptedServer()
        try await open(server) { phone in
            let sent = try await phone.send("Hello", in: nil)
            try await isWhole(phone, sent, "Hello ")
            try await open(server) { laptop in
                try await eventually("it is in the list") { try await laptop.list().map(\.id) == [sent.conversation] }
                try await laptop.open(sent.conversation)
                #expect(try await laptop.tree(sent.conversation)?.answers[sent.answer]?.answer.text == "Hello ")
                server.name(sent.conversation, "Greeting")
                try await eventually("it has its title") {
                    try await laptop.list().first?.title == .server("Greeting")
                }
                try await phone.delete(sent.conversation)
                try await eventually("it is gone") { try await laptop.list().isEmpty }
                #expect(server.conversations.isEmpty)
            }
        }
    }

    @Test(arguments: [
        FaultTransport.Fault.refuse, .loseReply, .cut(afterBytes: 30), .cut(afterBytes: 0), .duplicate, .sendTwice,
    ])
    func `whatever befalls the line, the answer is whole and was asked for once`(fault: FaultTransport.Fault)
        async throws
    {
        let server = ScriptedServer()
        let network = FaultTransport(server)
        network.add(fault, times: 2) { $0.method == "PUT" || $0.url.contains("/events") }
        try await open(server, through: network) { chat in
            let sent = try await chat.send("one two three four", in: nil)
            try await isWhole(chat, sent, "one two three four ")
            #expect(server.runs.count == 1)
        }
    }

    @Test func `a line that stalls says nothing more until it is broken`() async throws {
        let server = ScriptedServer()
        let network = FaultTransport(server)
        network.add(.stall(afterBytes: 60)) { $0.method == "PUT" }
        try await open(server, through: network) { chat in
            let sent = try await chat.send("one two three four", in: nil)
            try await eventually("the first word came") { chat.live(sent.answer)?.text.hasPrefix("one") == true }
            #expect(chat.live(sent.answer)?.state.end == nil)
            network.breakLines()
            try await isWhole(chat, sent, "one two three four ")
        }
    }

    @Test func `a network that is away lets nothing through`() async throws {
        let server = ScriptedServer()
        let network = FaultTransport(server)
        network.setDown(true)
        await #expect(throws: TransportFailure.self) {
            _ = try await network.send(TransportRequest(method: "GET", url: "http://scripted/v1/models"))
        }
        #expect(server.requests.isEmpty)
        network.setDown(false)
        let reply = try await network.send(TransportRequest(method: "GET", url: "http://scripted/v1/models"))
        #expect(reply.status == 200)
        #expect(server.requests == ["GET /v1/models"])
    }

    @Test func `a limit refuses with its capability and its moment`() async throws {
        let server = ScriptedServer()
        let moment = Timestamp(milliseconds: 1_900_000_000_000)
        server.answerRequests { $0.method == "PUT" ? .limitReached("messages", resetsAt: moment) : nil }
        try await open(server) { chat in
            let sent = try await chat.send("Hello", in: nil)
            try await eventually("it is refused") {
                guard case .refused(let refusal)? = try await chat.tree(sent.conversation)?.turns.first?.delivery else {
                    return false
                }
                return refusal.capability == "messages" && refusal.resetsAt == moment
            }
        }
    }

    @Test func `the clock wakes sleepers when it is moved past their moment, and not before`() async throws {
        let clock = ManualClock()
        let sleeping = Task { try await clock.sleep(for: .seconds(5)) }
        try await eventually("it sleeps") { clock.sleepers == 1 }
        clock.advance(by: .seconds(4))
        #expect(clock.sleepers == 1)
        clock.advance(by: .seconds(1))
        try await sleeping.value
        #expect(clock.wall == Timestamp(milliseconds: 1_800_000_005_000))
        let cancelled = Task { try await clock.sleep(for: .seconds(5)) }
        try await eventually("it sleeps") { clock.sleepers == 1 }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(clock.sleepers == 0)
    }

    @Test func `ids are the same in every run and differ between devices`() {
        let (first, again, other) = (ManualClock().ids(seed: 1), ManualClock().ids(seed: 1), ManualClock().ids(seed: 2))
        let id: TurnID = first.make()
        #expect(id == again.make())
        #expect(id != other.make())
    }

    @Test func `a wait that is in vain ends with what it waited for`() async throws {
        await #expect(throws: NeverHappened.self) {
            try await eventually("pigs fly", within: .milliseconds(5)) { false }
        }
    }
}
