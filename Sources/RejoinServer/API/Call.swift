import HTTPServer
import RejoinCore
import Synchronization

/// One request on its way to its reply, with what is counted about it.
final class Call: Sendable {
    let exchange: Exchange
    private let metrics: Metrics
    private let state = Mutex(State())

    private struct State {
        var route = "none"
        var hasBegun = false
        var extra = HTTPFields()
        /// Whose device it is, for the streams that end when it is signed out.
        var session: SessionID?
        var streams: OpenStreams?
        var isStreaming = false
    }

    init(exchange: Exchange, metrics: Metrics) {
        self.exchange = exchange
        self.metrics = metrics
    }

    /// The pattern of the route, for the metrics.
    var route: String {
        get { state.withLock { $0.route } }
        set { state.withLock { $0.route = newValue } }
    }

    /// Whether a reply has begun, so that no other can be given.
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Notes whose device asks: a stream ends when that is signed out.
    func belongs(to session: SessionRecord, streams: OpenStreams) {
        state.withLock { state in
            state.session = session.id
            state.streams = streams
        }
    }

    private func enterStream() {
        let (session, streams) = state.withLock { state in
            state.isStreaming = state.session != nil
            return (state.session, state.streams)
        }
        if let session { streams?.open(exchange, of: session) }
    }

    /// Notes that the request was answered, as far as it could be.
    func leaveStream() {
        let (session, streams) = state.withLock { $0.isStreaming ? ($0.session, $0.streams) : (nil, nil) }
        if let session { streams?.close(exchange, of: session) }
    }

    /// Adds fields to the reply, whatever it will be.
    func add(_ fields: HTTPFields) {
        state.withLock { state in for (name, value) in fields { state.extra.append(name, value) } }
    }

    private func completed(_ fields: HTTPFields) -> HTTPFields {
        var fields = fields
        for (name, value) in state.withLock({ $0.extra }) { fields.append(name, value) }
        return fields
    }

    /// Whether the client asked for an event stream.
    var wantsEvents: Bool { exchange.request.fields["accept"]?.contains("text/event-stream") == true }

    /// The body as the parameters of a form.
    ///
    /// - Returns: nil where it is none.
    func form(limit: Int) async throws -> FormBody? {
        let type = exchange.request.fields["content-type"]?.split(separator: ";").first.map { String($0).trimmingSpace }
        guard type?.lowercased() == "application/x-www-form-urlencoded" else { return nil }
        return FormBody(try await exchange.body(limit: limit))
    }

    /// The body as an object; it must be JSON where a type is named.
    func object(limit: Int) async throws -> RequestObject {
        let body = try await exchange.body(limit: limit)
        if !body.isEmpty, let type = exchange.request.fields["content-type"] {
            let essence = type.split(separator: ";").first.map { String($0).trimmingSpace.lowercased() }
            guard essence == "application/json" else {
                throw Problem(.unsupportedMedia, "The body is application/json.")
            }
        }
        return try RequestObject(body)
    }

    func respond(_ status: Int, fields: HTTPFields, body: [UInt8]) async throws {
        begin(status)
        try await exchange.respond(status, fields: completed(fields), body: body)
    }

    func respond(_ status: Int, json: [UInt8]) async throws {
        let fields: HTTPFields = ["Content-Type": "application/json", "Cache-Control": "no-store"]
        try await respond(status, fields: fields, body: json)
    }

    /// Builds a JSON reply and sends it.
    func respond(_ status: Int, _ build: (inout JSONWriter) -> Void) async throws {
        var json = JSONWriter()
        build(&json)
        try await respond(status, json: json.bytes)
    }

    /// Begins an event stream with a comment on silence.
    ///
    /// - Parameter location: where the same events can be read again, for a stream that answers another request.
    func stream(heartbeat: Duration, location: String? = nil) async throws -> ResponseStream {
        begin(200)
        var fields: HTTPFields = [
            "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store",
            "X-Accel-Buffering": "no",
        ]
        if let location { fields.append("Content-Location", location) }
        let comment: [UInt8] = [UInt8(ascii: ":"), 0x0A, 0x0A]
        enterStream()
        return try await exchange.stream(
            200, fields: completed(fields), heartbeat: Heartbeat(bytes: comment, after: heartbeat))
    }

    /// Begins a reply of bytes that are to be kept as a file.
    func download(_ fields: HTTPFields) async throws -> ResponseStream {
        begin(200)
        enterStream()
        return try await exchange.stream(200, fields: fields)
    }

    private func begin(_ status: Int) {
        let route = state.withLock { state in
            state.hasBegun = true
            return state.route
        }
        metrics.answered(route: route, status: status)
    }

    /// A whole number from the query, within bounds.
    func integer(_ name: String, in bounds: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = exchange.request.query(name) else { return nil }
        guard let number = Int(digits: text), bounds.contains(number) else {
            let range = "\(bounds.lowerBound) to \(bounds.upperBound)"
            throw Problem(.invalidRequest, "\(name) is a whole number from \(range).", field: name)
        }
        return number
    }

    /// The cursor to go on from: `after` in the query, or what a browser that reconnects sends.
    ///
    /// Such a browser repeats the address that it was given, so of the two the greater is the newer.
    func cursor() throws(Problem) -> Int {
        let after = try integer("after", in: 0...Int.greatestWritten) ?? 0
        guard let text = exchange.request.fields["last-event-id"], !text.isEmpty else { return after }
        guard let number = Int(digits: text) else {
            throw Problem(.invalidRequest, "Last-Event-ID is the number of an event.", field: "Last-Event-ID")
        }
        return max(after, number)
    }
}
