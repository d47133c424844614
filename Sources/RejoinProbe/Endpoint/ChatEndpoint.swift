package import RejoinClient
import RejoinCore

/// Any service that takes chat completions as the OpenAI API does.
package struct ChatEndpoint: Sendable {
    /// The address up to the slash before `chat/completions`.
    package var address: String
    package var model: String
    /// Sent as a bearer token; nil for a service that wants none.
    package var key: String?
    let transport: any Transport

    /// Names a service; nothing is sent yet.
    package init(address: String, model: String, key: String?, transport: any Transport) {
        var address = address[...]
        while address.last == "/" { address.removeLast() }
        self.address = String(address)
        self.model = model
        self.key = key
        self.transport = transport
    }

    /// How an answer came.
    struct Reply: Sendable {
        var status = 0
        var text = ""
        var pieces = 0
        /// From the request to the first words, and from there to the last.
        var first = Duration.zero
        var rest = Duration.zero
        var longestPause = Duration.zero
        /// Whether the reply came to its orderly end.
        var isWhole = false
        /// What was said about limits: the fields of the reply that speak of them.
        var limits: [(name: String, value: String)] = []
    }

    /// The fields in which services tell what is left and when it is more again.
    private static let limitFields = [
        "x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests",
        "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens", "ratelimit", "ratelimit-policy", "retry-after",
    ]

    /// Asks one question and reads the answer as it streams.
    ///
    /// - Throws: ``TransportFailure``.
    func ask(_ prompt: String) async throws -> Reply {
        var fields = [(name: "content-type", value: "application/json"), (name: "accept", value: "text/event-stream")]
        if let key { fields.append((name: "authorization", value: "Bearer " + key)) }
        let start = ContinuousClock.now
        let reply = try await transport.send(
            TransportRequest(method: "POST", url: address + "/chat/completions", fields: fields, body: body(prompt)))
        var result = Reply(status: reply.status)
        result.limits = Self.limitFields.compactMap { name in reply.field(name).map { (name, $0) } }
        defer { reply.body.cancel() }
        guard reply.status == 200 else { return result }
        var parser = EventStreamParser()
        var last = start
        while !result.isWhole, let piece = try await reply.body.next() {
            let now = ContinuousClock.now
            var words = ""
            var isOver = false
            parser.feed(piece) { event in
                if event.text == "[DONE]" { isOver = true } else { words += Self.words(of: event) }
            }
            if !words.isEmpty {
                if result.pieces == 0 {
                    result.first = start.duration(to: now)
                } else {
                    result.longestPause = max(result.longestPause, last.duration(to: now))
                }
                result.text += words
                result.pieces += 1
                result.rest = start.duration(to: now) - result.first
                last = now
            }
            result.isWhole = isOver
        }
        return result
    }

    private func body(_ prompt: String) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("model", model)
        json.name("stream")
        json.bool(true)
        json.name("messages")
        json.beginArray()
        json.beginObject()
        json.member("role", "user")
        json.member("content", prompt)
        json.endObject()
        json.endArray()
        json.endObject()
        return json.bytes
    }

    private static func words(of event: ServerSentEvent) -> String {
        let choice = (try? JSONReader.parse(event.data))?.object?["choices"]?.array?.first?.object
        return choice?["delta"]?.object?["content"]?.string ?? ""
    }
}
