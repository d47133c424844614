import Crypto
import HTTPServer
import RejoinCore

/// The OpenAI-compatible endpoints: projections of the same runs and logs, not a second implementation.
///
/// These clients send the whole conversation each time and know no ids of ours, so each request is a turn of a
/// temporary conversation. Closing the connection cancels, as they expect.
extension API {
    func answerOpenAI(_ route: Route, _ call: Call) async throws {
        let caller = try await authenticate(call)
        if runs.switches.isOff(.openai) {
            throw Problem(.temporarilyUnavailable, "The operator has switched these endpoints off.", retryAfter: 60)
        }
        switch route {
        case .openAIModels: try await listOpenAIModels(call)
        default: try await completeChat(call, caller)
        }
    }

    private func listOpenAIModels(_ call: Call) async throws {
        try await call.respond(200) { json in
            json.beginObject()
            json.member("object", "list")
            json.name("data")
            json.beginArray()
            for provider in runs.models.providers {
                json.beginObject()
                json.member("id", provider.name)
                json.member("object", "model")
                json.name("created")
                json.integer(0)
                json.member("owned_by", "rejoinder")
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
    }

    private func completeChat(_ call: Call, _ caller: SessionRecord) async throws {
        let body = try await call.exchange.body(limit: limits.bodyBytes)
        let request = try ChatCompletionRequest(RequestObject(body), maximumBytes: limits.promptBytes * 4)
        let (answer, _) = try await tellingLimits(of: caller.account, call) {
            try await admitChat(request, body, call, caller)
        }
        let name = request.model == "auto" ? runs.models.defaultName : request.model
        let id = "chatcmpl-\(answer.id)"
        let created = Int(answer.startedAt.milliseconds / 1000)
        let follower = LogFollower(answer: answer.id, cursor: 0, eventLog: eventLog, store: store)
        do {
            if request.isStreamed {
                let chunks = ChatCompletionWire.Chunks(
                    id: id, created: created, model: name, includesUsage: request.includesUsage)
                try await withTaskExecutorPreference(call.exchange.executor) {
                    try await streamChat(follower, chunks, includesUsage: request.includesUsage, call)
                }
            } else {
                try await completeChat(follower, answer, id: id, created: created, model: name, call)
            }
        } catch {
            // The client has left, and to it that means stop.
            if !Task.isCancelled, !call.exchange.isDisconnected { throw error }
            let runs = runs
            await Task { _ = await runs.stop(answer.id) }.value
        }
    }

    private func admitChat(
        _ request: ChatCompletionRequest, _ body: [UInt8], _ call: Call, _ caller: SessionRecord
    ) async throws -> (answer: AnswerRecord, isNew: Bool) {
        let fields = call.exchange.request.fields
        let bodyHash = Digest.blake2b(body)
        let idempotencyKey = fields["idempotency-key"]
        let key = RepeatedRequests.Key(
            account: caller.account, digest: idempotencyKey.map { Digest.blake2b(Array($0.utf8)) } ?? bodyHash)
        let isRetry = idempotencyKey != nil || (fields["x-stainless-retry-count"].flatMap { Int($0) } ?? 0) > 0
        if isRetry, let known = try repeats.answer(key, body: bodyHash),
            case .found(let answer) = try await store.answer(known, of: caller.account),
            answer.end == nil || answer.end?.state == .done
        {
            return (answer, false)
        }
        let turn = TurnRecord(
            id: surroundings.makeID(), conversation: surroundings.makeID(), parent: nil,
            content: [.text(request.prompt)], model: request.model, options: request.options.encoded,
            createdAt: surroundings.wall())
        let admission = TurnAdmission(
            account: caller.account, turn: turn, answer: surroundings.makeID(), isTemporary: true)
        let (answer, isNew) = try await admit(admission)
        repeats.remember(answer.id, key, body: bodyHash)
        return (answer, isNew)
    }

    private func completeChat(
        _ follower: consuming LogFollower, _ record: AnswerRecord, id: String, created: Int, model: String, _ call: Call
    ) async throws {
        var follower = follower
        var answer = Answer(id: record.id, turn: record.turn)
        var parser = EventStreamParser()
        while let bytes = try await follower.next() {
            parser.feed(bytes) { event in
                if let numbered = NumberedEvent(event) { answer.apply(numbered) }
            }
        }
        guard let end = answer.state.end else { throw Problem(.temporarilyUnavailable, "The answer was interrupted.") }
        if let problem = ChatCompletionWire.problem(of: end) { throw problem }
        try await call.respond(
            200, json: ChatCompletionWire.completion(id: id, created: created, model: model, answer: answer, end: end))
    }

    private func streamChat(
        _ follower: consuming LogFollower, _ chunks: ChatCompletionWire.Chunks, includesUsage: Bool, _ call: Call
    ) async throws {
        var follower = follower
        var projection = ChatProjection(chunks: chunks, includesUsage: includesUsage)
        var stream: ResponseStream?
        while !projection.isOver {
            // A refusal that comes soon is an HTTP status; one that comes late has to come in the stream.
            if stream == nil, await !follower.hasMore(within: limits.heartbeat) {
                stream = try await call.stream(heartbeat: limits.heartbeat)
            }
            guard let bytes = try await follower.next() else { break }
            projection.feed(bytes)
            if stream == nil {
                if let problem = projection.earlyProblem { throw problem }
                if !projection.output.isEmpty { stream = try await call.stream(heartbeat: limits.heartbeat) }
            }
            if let stream, !projection.output.isEmpty { try await stream.write(projection.takeOutput()) }
        }
        try await stream?.finish()
    }
}

/// Turns the events of a log into chunks, as they come.
private struct ChatProjection {
    private let chunks: ChatCompletionWire.Chunks
    private let includesUsage: Bool
    private var parser = EventStreamParser()
    private var usage: Event.Usage?
    private var hasBegun = false
    private(set) var output: [UInt8] = []
    private(set) var isOver = false
    /// A refusal that came before any text.
    private(set) var earlyProblem: Problem?

    init(chunks: ChatCompletionWire.Chunks, includesUsage: Bool) {
        self.chunks = chunks
        self.includesUsage = includesUsage
    }

    mutating func takeOutput() -> [UInt8] {
        defer { output.removeAll(keepingCapacity: true) }
        return output
    }

    mutating func feed(_ bytes: [UInt8]) {
        var events: [ServerSentEvent] = []
        parser.feed(bytes) { events.append($0) }
        for event in events { take(event) }
    }

    private mutating func take(_ event: ServerSentEvent) {
        switch event.type {
        case "text", "reasoning":
            if !hasBegun { chunks.begin(to: &output) }
            hasBegun = true
            // The data is {"text":"…"}: what lies between is the literal.
            let literal = event.data[8..<(event.data.count - 1)]
            if event.type == "text" {
                chunks.text(literal: literal, to: &output)
            } else {
                chunks.reasoning(literal: literal, to: &output)
            }
        case "usage":
            if case .usage(let usage)? = Event(type: event.type, data: event.data) { self.usage = usage }
        case "end":
            guard case .end(let end)? = Event(type: event.type, data: event.data) else { return }
            finish(end)
        default: break
        }
    }

    private mutating func finish(_ end: Event.End) {
        isOver = true
        if let problem = ChatCompletionWire.problem(of: end) {
            guard hasBegun else {
                earlyProblem = problem
                output = Array("data: ".utf8) + ChatCompletionWire.error(problem) + Array("\n\ndata: [DONE]\n\n".utf8)
                return
            }
            output += Array("data: ".utf8) + ChatCompletionWire.error(problem) + Array("\n\n".utf8)
        } else {
            if !hasBegun { chunks.begin(to: &output) }
            chunks.end(ChatCompletionWire.finishReason(end), to: &output)
            if includesUsage, let usage { chunks.usage(usage, to: &output) }
        }
        output.append(contentsOf: "data: [DONE]\n\n".utf8)
    }
}
