package import HTTPClient
package import RejoinCore
package import RejoinServer

/// A plain client of the wire, for tests: what it sends is what a test wrote, and what came back is kept whole.
package final class TestClient: Sendable {
    package let client = HTTPClient()
    package let port: Int
    private let surroundings: Surroundings

    /// Talks to a server on this machine.
    package init(port: Int, surroundings: Surroundings = .system) {
        self.port = port
        self.surroundings = surroundings
    }

    package func shutdown() { client.shutdown() }

    /// A new id of any kind.
    package func id<Kind>() -> ID<Kind> { surroundings.makeID() }

    /// A reply, whole.
    package struct Reply: Sendable {
        package let status: Int
        package let fields: [(name: String, value: String)]
        package let body: [UInt8]

        package var json: JSONObject { (try? JSONReader.parse(body).object) ?? JSONObject() }
        package var problem: Problem? { Problem(json: body) }
        package func field(_ name: String) -> String? {
            fields.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// One device of one account.
    package struct Device: Sendable {
        package let account: AccountID
        package let token: String

        package init(account: AccountID = AccountID(high: 0, low: 0), token: String) {
            self.account = account
            self.token = token
        }
    }

    package func request(
        _ method: String, _ path: String, _ device: Device?, body: [UInt8]? = nil, fields: [(String, String)] = []
    ) -> HTTPClientRequest {
        var all: [(name: String, value: String)] = fields.map { (name: $0.0, value: $0.1) }
        if let device { all.append((name: "Authorization", value: "Bearer \(device.token)")) }
        if body != nil, !all.contains(where: { $0.name == "Content-Type" }) {
            all.append((name: "Content-Type", value: "application/json"))
        }
        return HTTPClientRequest(method, url: "http://127.0.0.1:\(port)\(path)", fields: all, body: body)
    }

    package func send(
        _ method: String, _ path: String, _ device: Device?, body: [UInt8]? = nil, fields: [(String, String)] = []
    ) async throws -> Reply {
        let response = try await client.send(request(method, path, device, body: body, fields: fields))
        return Reply(
            status: response.status, fields: response.fields, body: try await response.collect(limit: 64 << 20))
    }

    package func send(_ method: String, _ path: String, _ device: Device?, json: String) async throws -> Reply {
        try await send(method, path, device, body: Array(json.utf8))
    }

    /// A turn with ids of its own.
    package struct Draft: Sendable {
        package var conversation: ConversationID
        package var turn: TurnID
        package var answer: AnswerID
        package var parent: AnswerID?
        package var text: String
        package var model = "auto"

        package var path: String { "/v1/conversations/\(conversation)/turns/\(turn)" }
        package var body: [UInt8] {
            var json = JSONWriter()
            json.beginObject()
            json.name("parent")
            if let parent { json.id(parent) } else { json.null() }
            json.name("answer")
            json.id(answer)
            json.name("content")
            json.content([.text(text)])
            json.member("model", model)
            json.endObject()
            return json.bytes
        }
    }

    package func draft(_ text: String, in conversation: ConversationID? = nil, after parent: AnswerID? = nil) -> Draft {
        Draft(
            conversation: conversation ?? surroundings.makeID(), turn: surroundings.makeID(),
            answer: surroundings.makeID(), parent: parent, text: text)
    }

    package func put(_ draft: Draft, _ device: Device) async throws -> Reply {
        try await send("PUT", draft.path, device, body: draft.body)
    }

    /// Follows an answer from a cursor until the stream ends.
    package func events(_ answer: AnswerID, after: Int = 0, _ device: Device) async throws -> [NumberedEvent] {
        let reply = try await send("GET", "/v1/answers/\(answer)/events?after=\(after)", device)
        var parser = EventStreamParser()
        var events: [NumberedEvent] = []
        parser.feed(reply.body) { event in if let numbered = NumberedEvent(event) { events.append(numbered) } }
        return events
    }

    /// The answer as a client that followed it to its end sees it.
    package func fold(_ answer: AnswerID, _ device: Device) async throws -> Answer {
        var fold = Answer(id: answer, turn: TurnID(high: 0, low: 0))
        for event in try await events(answer, device) { fold.apply(event) }
        return fold
    }
}
