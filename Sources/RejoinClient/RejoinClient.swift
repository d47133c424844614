public import RejoinCore

/// Speaks with one server as one account.
///
/// Everything that creates names what it creates, so every call here may be repeated after a broken line, and is.
public final class RejoinClient: Sendable {
    /// The server's address without a path: `http://127.0.0.1:8765`.
    public let address: String
    public let ids: IDSource
    let transport: any Transport
    /// What every wait is measured by.
    package let clock: any Clock<Duration>
    private let token: String?

    /// How often a call that is not followed is tried before its error is handed on.
    static let callAttempts = 3
    /// The largest reply that is read whole, in bytes.
    static let replyLimit = 64 << 20

    /// Makes a client; nothing is sent yet.
    public init(
        address: String, token: String?, transport: any Transport, clock: any Clock<Duration> = ContinuousClock(),
        ids: IDSource = .system
    ) {
        var address = address[...]
        while address.last == "/" { address.removeLast() }
        self.address = String(address)
        self.token = token
        self.transport = transport
        self.clock = clock
        self.ids = ids
    }

    /// Sends a turn and follows its answer.
    ///
    /// The request is repeated with the same ids until the answer comes or the server refuses. Nothing is sent before
    /// the first pull.
    public func send(_ draft: TurnDraft, policy: RetryPolicy = RetryPolicy()) -> AnswerFollower {
        AnswerFollower(
            Answer(id: draft.answer, turn: draft.turn), client: self, policy: policy,
            creation: .init(draft))
    }

    /// Asks for another answer to a turn, beside those it has, and follows it.
    public func regenerate(
        _ turn: TurnID, as answer: AnswerID, model: String = "auto", policy: RetryPolicy = RetryPolicy()
    ) -> AnswerFollower {
        AnswerFollower(
            Answer(id: answer, turn: turn), client: self, policy: policy,
            creation: .init(of: answer, to: turn, model: model))
    }

    /// Follows an answer that the server has, from what is already shown of it.
    public func follow(_ answer: Answer, policy: RetryPolicy = RetryPolicy()) -> AnswerFollower {
        AnswerFollower(answer, client: self, policy: policy, creation: nil)
    }

    func request(_ method: String, _ path: String, accept: String, body: [UInt8]? = nil) -> TransportRequest {
        var fields: [(name: String, value: String)] = [("accept", accept)]
        if let token { fields.append(("authorization", "Bearer " + token)) }
        if body != nil { fields.append(("content-type", "application/json")) }
        return TransportRequest(method: method, url: address + path, fields: fields, body: body)
    }

    /// Sends a request and gives the reply if it is a success.
    ///
    /// - Throws: ``ClientError``; `CancellationError`.
    func open(_ request: TransportRequest, silenceLimit: Duration) async throws -> Line {
        let line = try await Line.open(request, over: transport, silenceLimit: silenceLimit, clock: clock)
        if (200..<300).contains(line.status) { return line }
        let retryAfter = line.field("retry-after").flatMap { Int($0) }
        let body = try await line.collect(limit: 1 << 20)
        line.leave()
        throw ClientError(status: line.status, body: body, retryAfter: retryAfter)
    }

    /// Sends a request whose reply is an event stream, and gives the reply if it is one.
    ///
    /// - Throws: ``ClientError``; `CancellationError`.
    func openEvents(_ request: TransportRequest, silenceLimit: Duration) async throws -> Line {
        let line = try await open(request, silenceLimit: silenceLimit)
        guard let type = line.field("content-type"), type.lowercased().hasPrefix("text/event-stream") else {
            line.close()
            throw ClientError(.malformedReply, "not an event stream", status: line.status)
        }
        return line
    }

    /// Makes one call and reads its reply, trying again where the line was to blame.
    ///
    /// - Returns: `null` for a reply without a body.
    /// - Throws: ``ClientError``; `CancellationError`.
    func call(
        _ method: String, _ path: String, body: [UInt8]? = nil, fields: [(name: String, value: String)] = [],
        attempts: Int = callAttempts
    ) async throws -> JSONValue {
        let policy = RetryPolicy()
        var request = request(method, path, accept: "application/json", body: body)
        request.fields += fields
        var attempt = 1
        while true {
            do {
                let line = try await open(request, silenceLimit: policy.silenceLimit)
                let bytes = try await line.collect(limit: Self.replyLimit)
                line.leave()
                if bytes.isEmpty { return .null }
                do { return try JSONReader.parse(bytes) } catch {
                    throw ClientError(.malformedReply, "not JSON", status: line.status, cause: error)
                }
            } catch let error as ClientError where error.isTransient && attempt < attempts {
                let delay = policy.delay(attempt: attempt, retryAfter: error.retryAfter, random: ids.random())
                try await clock.sleep(for: delay)
                attempt += 1
            }
        }
    }
}
