import HTTPServer
import RejoinCore

extension API {
    /// Finds what was said in the account's conversations.
    func search(_ call: Call, _ caller: SessionRecord) async throws {
        guard let text = call.exchange.request.query("q") else {
            throw Problem(.invalidRequest, "q is missing.", field: "q")
        }
        guard text.utf8.count <= 1000 else {
            throw Problem(.invalidRequest, "q has at most 1000 bytes.", field: "q")
        }
        let limit = try call.integer("limit", in: 1...100) ?? 20
        let hits = try await store.search(text, of: caller.account, limit: limit)
        try await call.respond(200) { json in
            json.beginObject()
            json.name("items")
            json.beginArray()
            for hit in hits { json.hit(hit) }
            json.endArray()
            json.endObject()
        }
    }
}

extension JSONWriter {
    /// A text that was found; where it matches is told in bytes of UTF-8, never in markup.
    fileprivate mutating func hit(_ hit: SearchHit) {
        beginObject()
        member("kind", hit.kind.rawValue)
        name("conversation")
        id(hit.conversation)
        name("title")
        if let title = hit.title { string(title) } else { null() }
        if let turn = hit.turn {
            name("turn")
            id(turn)
        }
        if let answer = hit.answer {
            name("answer")
            id(answer)
        }
        name("at")
        time(hit.at)
        name("excerpt")
        beginObject()
        member("text", hit.excerpt.text)
        name("matches")
        beginArray()
        for match in hit.excerpt.matches {
            beginArray()
            integer(match.lowerBound)
            integer(match.upperBound)
            endArray()
        }
        endArray()
        endObject()
        endObject()
    }
}
