package import HTTPClient
package import RejoinCore

/// A model behind a server that speaks the OpenAI chat completions API.
///
/// The server is asked at most three times for an answer, and only while no piece of it has come; each of these
/// requests carries the same idempotency key. Nothing that the server says in words leaves: it is mapped to our
/// vocabulary of ends.
package final class OpenAIProvider: ModelProvider {
    /// How patient the provider is, and how large its model.
    package struct Limits: Sendable {
        /// Until the first byte of an answer's stream; comments count, so a server that says it lives is left to think.
        package var firstPiece: Duration = .seconds(120)
        /// The longest silence after that.
        package var idle: Duration = .seconds(120)
        /// What a server may ask to wait before another try; a longer wait is handed on as a refusal.
        package var longestWait: Duration = .seconds(20)
        /// Further requests after the first, for one answer.
        package var retries = 2
        /// Tokens of prompt and answer together; nil if unknown.
        package var contextTokens: Int?

        /// Starts from the defaults.
        package init() {}
    }

    package let name: String
    package let capacity: Int
    package let availability: ModelAvailability
    package var placement: Event.Placement { .provider }

    private let url: String
    private let model: String
    private let keys: OpenAIKeys
    private let client: HTTPClient
    private let clock: any Clock<Duration>
    private let wall: @Sendable () -> Timestamp
    private let random: @Sendable () -> UInt64
    private let limits: Limits

    /// Names a model on a server.
    ///
    /// - Parameters:
    ///   - baseURL: up to and including the version: `https://api.example.com/v1`.
    ///   - apiKey: reads the key, at the first use and again when the server refuses it; nil sends none.
    ///   - capacity: how many answers at once.
    package init(
        name: String, baseURL: String, model: String, apiKey: @escaping @Sendable () -> String?, client: HTTPClient,
        clock: any Clock<Duration>, wall: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable () -> UInt64, limits: Limits = Limits(), capacity: Int = 64
    ) {
        self.name = name
        self.model = model
        self.client = client
        self.clock = clock
        self.wall = wall
        self.random = random
        self.limits = limits
        self.capacity = capacity
        keys = OpenAIKeys(apiKey)
        url = (baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL) + "/chat/completions"
        let isAddress = baseURL.hasPrefix("http://") || baseURL.hasPrefix("https://")
        availability = isAddress ? .ready : .unavailable("the provider's base URL is not an http or https URL")
    }

    /// There is nothing to load.
    package func prepare() async {}

    package func fit(_ request: ModelRequest) async -> ContextFit {
        OpenAIRequest.fit(request, contextTokens: limits.contextTokens)
    }

    package func generate(_ request: ModelRequest, emit: @Sendable (ModelPiece) async -> Void) async -> ModelEnd {
        var call = Call(
            body: OpenAIRequest.body(request, model: model, url: url),
            idempotencyKey: ID<OpenAIProvider>(at: wall(), random: (random(), random())).description, key: keys.key())
        while true {
            switch await open(&call) {
            case .again: continue
            case .end(let end): return end
            case .stream(let response):
                return await withTaskExecutorPreference(client.executor) { await relay(response, of: request, emit) }
            }
        }
    }

    // MARK: Asking

    /// The requests for one answer.
    private struct Call {
        let body: [UInt8]
        let idempotencyKey: String
        var key: OpenAIKeys.Key
        var retries = 0
        var hasRefreshed = false
    }

    private enum Opening {
        case stream(HTTPClientResponse)
        case end(ModelEnd)
        case again
    }

    private func open(_ call: inout Call) async -> Opening {
        if Task.isCancelled { return .end(.cancelled) }
        do {
            let response = try await client.send(httpRequest(call))
            if response.status == 200 { return .stream(response) }
            let retryAfter = OpenAIRetryAfter(now: wall()) { response.field($0) }
            // An error's body helps to tell; without it the status says enough.
            response.limitRest(to: .seconds(5))
            let body = (try? await response.collect(limit: 64 << 10)) ?? []
            if Task.isCancelled { return .end(.cancelled) }
            let fault = OpenAIFault(status: response.status, body: body, fields: retryAfter)
            return await answer(fault, allowsRetry: retryAfter.allowsRetry, &call)
        } catch let error as HTTPClientError {
            return await answer(error, &call)
        } catch {
            return .end(.cancelled)
        }
    }

    private func httpRequest(_ call: Call) -> HTTPClientRequest {
        var fields = [
            (name: "Content-Type", value: "application/json"), (name: "Accept", value: "text/event-stream"),
            (name: "Idempotency-Key", value: call.idempotencyKey),
        ]
        if let key = call.key.value, !key.isEmpty { fields.append(("Authorization", "Bearer " + key)) }
        return HTTPClientRequest(
            "POST", url: url, fields: fields, body: call.body,
            timeouts: .init(firstByte: limits.firstPiece, idle: limits.idle))
    }

    private func answer(_ fault: OpenAIFault, allowsRetry: Bool, _ call: inout Call) async -> Opening {
        let end = fault.end(now: wall())
        switch fault.kind {
        case .unauthorized where !call.hasRefreshed:
            call.hasRefreshed = true
            call.key = keys.key(after: call.key)
            return .again
        case .limited, .timedOut, .failed:
            guard allowsRetry, (fault.wait ?? .zero) <= limits.longestWait else { return .end(end) }
            return await retry(&call, after: fault.wait, orElse: end)
        default: return .end(end)
        }
    }

    private func answer(_ error: HTTPClientError, _ call: inout Call) async -> Opening {
        switch error.code {
        case .unreachable: return await retry(&call, after: nil, orElse: .interrupted(.upstreamUnreachable))
        case .connectionClosed: return await retry(&call, after: nil, orElse: .interrupted(.upstreamClosed))
        case .tls: return .end(.interrupted(.upstreamUnreachable))
        case .timedOut: return .end(.interrupted(.upstreamTimeout))
        case .malformedReply, .tooLarge: return .end(.failed(.upstreamMalformed))
        case .invalidRequest, .forbidden: return .end(.failed(.modelUnavailable))
        case .cancelled: return .end(Task.isCancelled ? .cancelled : .interrupted(.serverStopped))
        case .internalFailure: return .end(.failed(.internalError))
        }
    }

    /// Waits as the server asked, or else longer each time and never the same for two callers, then asks again.
    private func retry(_ call: inout Call, after wait: Duration?, orElse end: ModelEnd) async -> Opening {
        guard call.retries < limits.retries else { return .end(end) }
        let backoff = min(Duration.milliseconds(500 << call.retries), .seconds(8))
        let jitter = Double(random() >> 11) / Double(1 << 53)
        call.retries += 1
        do {
            try await clock.sleep(for: wait ?? backoff * (1 - jitter / 4))
            return .again
        } catch {
            return .end(.cancelled)
        }
    }

    // MARK: Reading

    private func relay(
        _ response: HTTPClientResponse, of request: ModelRequest, _ emit: @Sendable (ModelPiece) async -> Void
    ) async -> ModelEnd {
        var stream = OpenAIStream(contentType: response.field("content-type"))
        var isEnding = false
        do {
            try await response.forEachPiece { bytes in
                stream.feed(bytes)
                await Self.pass(on: &stream, emit)
                if stream.hasFinishReason, !isEnding {
                    // Only usage can follow; an answer that is whole does not wait long for it.
                    isEnding = true
                    response.limitRest(to: .seconds(5))
                }
                return !stream.isOver && !Task.isCancelled
            }
            if !Task.isCancelled { stream.end(.clean) }
        } catch let error as HTTPClientError {
            switch error.code {
            case .timedOut: stream.end(.timedOut)
            case .cancelled: stream.end(.stopped)
            default: stream.end(.cut)
            }
        } catch {
            // Cancelled: the body has no end.
        }
        await Self.pass(on: &stream, emit)
        if stream.isComplete { response.leave() } else { response.cancel() }
        await emit(.usage(stream.usage ?? OpenAIRequest.estimate(request, producedBytes: stream.producedBytes)))
        return stream.isOver ? stream.outcome(now: wall()) : .cancelled
    }

    /// Hands over the pieces that were made, unless the run was told to stop.
    private static func pass(on stream: inout OpenAIStream, _ emit: @Sendable (ModelPiece) async -> Void) async {
        for piece in stream.takePieces() where !Task.isCancelled { await emit(piece) }
    }
}
