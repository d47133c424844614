import RejoinClient
import RejoinCore
import RejoinTerminal
import RejoinTestKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct AccountCommandTests {
    private static let audit = """
        {"items":[{"number":2,"at":"2026-01-02T03:04:05.000Z","event":"consent-changed","detail":"memory 1"},\
        {"number":1,"at":"2026-01-02T03:04:04.000Z","event":"signed-in","detail":"de\\u001b[31msk"},\
        {"number":0,"at":"2026-01-02T03:04:03.000Z","event":"something-new"}],"next":null}
        """

    private func command(_ terminal: ScriptedTerminal, _ replies: [String: String]) -> AccountCommand {
        let transport = ScriptedReplies(replies)
        let front = Front(terminal: terminal, environment: ["REJOIN_SERVER": "http://fake"], policy: .eager) {
            location in
            RejoinClient(address: location.address, token: nil, transport: transport)
        }
        return AccountCommand(front, location: .init(), now: { Timestamp(milliseconds: 0) })
    }

    @Test("S22 the audit list is sentences, harmless ones, and an event that is not known keeps its name")
    func auditing() async {
        let terminal = ScriptedTerminal()
        #expect(await command(terminal, ["GET /v1/account/audit?limit=3": Self.audit]).audit(limit: 3) == 0)
        let lines = terminal.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first?.hasSuffix("  memory was switched on") == true)
        #expect(!terminal.output.contains("\u{1B}") && terminal.output.contains("signed in: de"))
        #expect(lines.last?.hasSuffix("  something-new") == true)
    }

    @Test("A75 a fact is named by the end of its id, if that is clear")
    func naming() async {
        let (one, two) = ("00000000-0000-7000-8000-0000aaaa1111", "00000000-0000-7000-8000-0000bbbb1111")
        let memory = """
            {"on":true,"items":[{"id":"\(one)","text":"likes tea","state":"proposed","source":"model"},\
            {"id":"\(two)","text":"lives in Lyon","state":"accepted","source":"person"}]}
            """
        let replies = [
            "GET /v1/memory": memory,
            "PATCH /v1/memory/\(one)": "{\"id\":\"\(one)\",\"text\":\"likes tea\",\"state\":\"accepted\"}",
        ]
        let listed = ScriptedTerminal()
        #expect(await command(listed, replies).listMemory() == 0)
        #expect(listed.output == "bbbb1111  lives in Lyon\naaaa1111  proposed: likes tea\n")
        let accepted = ScriptedTerminal()
        #expect(await command(accepted, replies).accept("AAAA1111") == 0)
        #expect(accepted.output == "aaaa1111  likes tea\n")
        for (name, words) in [("1111", "several ids end"), ("2222", "there is no fact"), ("11", "there is no fact")] {
            let terminal = ScriptedTerminal()
            #expect(await command(terminal, replies).forget(name) == 5)
            #expect(terminal.error.contains(words), "\(name)")
        }
    }

    @Test("A73 A74 a decision is printed as the server made it, and one that makes no sense is not sent")
    func deciding() async {
        let consent = """
            {"version":4,"improvement":{"on":false,"version":0,"at":null},\
            "history":{"on":false,"version":4,"at":"2026-01-02T03:04:05.000Z"},\
            "memory":{"on":false,"version":0,"at":null},"retention_days":{"days":0,"version":0,"at":null}}
            """
        let terminal = ScriptedTerminal()
        let replies = ["GET /v1/consent": consent, "PUT /v1/consent": consent]
        #expect(await command(terminal, replies).setPrivacy("history", to: "off") == 0)
        #expect(terminal.output.contains("history: off, since 2026-01-02T03:04:05.000Z\n"))
        #expect(terminal.output.hasSuffix("retention: conversations are kept\n"))
        for (topic, value) in [("history", "maybe"), ("retention", "-1"), ("retention", "x")] {
            let terminal = ScriptedTerminal()
            #expect(await command(terminal, [:]).setPrivacy(topic, to: value) == 64)
            #expect(terminal.output.isEmpty && !terminal.error.isEmpty)
        }
        // Nobody there, and nothing of it here.
        #expect(await command(ScriptedTerminal(), [:]).showPrivacy() == 5)
    }
}

/// Answers requests from a table, by method and path.
private struct ScriptedReplies: Transport {
    let replies: [String: String]

    init(_ replies: [String: String]) { self.replies = replies }

    func send(_ request: TransportRequest) async throws -> TransportReply {
        let path = request.url.dropFirst("http://fake".count)
        guard let reply = replies["\(request.method) \(path)"] else { return .problem(Problem(.notFound, "")) }
        return .json(Array(reply.utf8))
    }
}
