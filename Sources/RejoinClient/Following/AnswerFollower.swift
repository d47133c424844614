public import RejoinCore

/// Follows one answer to its end, over as many connections as that takes.
///
/// It is pulled: nothing happens between two calls of ``next()`` but the watch over an open line. Each event comes
/// exactly once and in order, whatever the connections do; ``answer`` is the fold over all that came. One task at a
/// time may pull.
public final class AnswerFollower {
    /// What one pull gives.
    public enum Update: Sendable {
        /// The next events, as many as one read brought: never empty, without holes or repeats.
        case events([NumberedEvent])
        /// The line is open: for the first time, or again.
        case connected
        /// The line is down; the next pull waits for `delay` and tries again.
        case waiting(delay: Duration, attempt: Int, error: ClientError)
    }

    /// The request that creates the answer; safe to repeat.
    struct Creation: Sendable {
        let path: String
        let body: [UInt8]

        init(_ draft: TurnDraft) {
            path = draft.path
            body = draft.json
        }

        init(of answer: AnswerID, to turn: TurnID, model: String) {
            path = "/v1/turns/\(turn)/answers/\(answer)"
            var json = JSONWriter()
            json.beginObject()
            json.member("model", model)
            json.name("options")
            json.beginObject()
            json.endObject()
            json.endObject()
            body = json.bytes
        }
    }

    /// What is known of the answer; its `seq` is the cursor.
    public private(set) var answer: Answer
    /// Whether the server has taken the request.
    public var isAdmitted: Bool { creation == nil }

    private let client: RejoinClient
    private let policy: RetryPolicy
    private var creation: Creation?
    private var line: Line?
    private var parser = EventStreamParser()
    private var isMalformed = false
    private var delay: Duration?
    private var retries: Retries
    private var hasHeard = false

    init(_ answer: Answer, client: RejoinClient, policy: RetryPolicy, creation: Creation?) {
        self.answer = answer
        self.client = client
        self.policy = policy
        retries = Retries(policy)
        self.creation = creation
        hasHeard = answer.seq > 0
    }

    deinit { line?.close() }

    /// Lets go of the connection.
    ///
    /// The run goes on: it belongs to the server.
    public func close() {
        line?.close()
        line = nil
    }

    /// Waits for what comes next; nil after the end.
    ///
    /// - Throws: ``ClientError`` when the server refuses or stays away for longer than the policy's patience;
    ///   `CancellationError`.
    public func next() async throws -> Update? {
        while true {
            try Task.checkCancellation()
            if answer.state.end != nil {
                line?.leave()
                line = nil
                return nil
            }
            do {
                guard let line else {
                    try await connect()
                    return .connected
                }
                guard let bytes = try await line.next() else {
                    throw ClientError(.dropped, "the stream ended before the answer")
                }
                let events = take(bytes)
                if !events.isEmpty || line.age > .seconds(5) { retries.noteProgress() }
                if isMalformed {
                    close()
                    // What came before the fault counts; the fault is met again, or not, from there.
                    if events.isEmpty { throw ClientError(.malformedReply, "an event out of order or unreadable") }
                }
                if !events.isEmpty { return .events(events) }
            } catch let error as ClientError {
                close()
                return try wait(after: error)
            }
        }
    }

    private func connect() async throws {
        if let delay {
            self.delay = nil
            try await client.clock.sleep(for: delay)
        }
        let method = creation == nil ? "GET" : "PUT"
        var path = creation?.path ?? "/v1/answers/\(answer.id)/events"
        if answer.seq > 0 || creation == nil { path += "?after=\(answer.seq)" }
        let request = client.request(method, path, accept: "text/event-stream", body: creation?.body)
        let line = try await client.openEvents(request, silenceLimit: policy.silenceLimit)
        creation = nil
        hasHeard = true
        parser = EventStreamParser()
        isMalformed = false
        self.line = line
    }

    private func take(_ bytes: ArraySlice<UInt8>) -> [NumberedEvent] {
        var events: [NumberedEvent] = []
        parser.feed(bytes) { event in
            if isMalformed { return }
            guard let numbered = NumberedEvent(event) else {
                isMalformed = true
                return
            }
            switch answer.apply(numbered) {
            case .applied: events.append(numbered)
            case .gap: isMalformed = true
            case .duplicate, .afterEnd: break
            }
        }
        if parser.isOverflowing { isMalformed = true }
        return events
    }

    /// Decides what a failure means: another try, or the end of patience.
    private func wait(after error: ClientError) throws -> Update {
        let patience = hasHeard ? policy.patience : policy.initialPatience
        let delay = try retries.delay(after: error, patience: patience, client: client)
        self.delay = delay
        return .waiting(delay: delay, attempt: retries.attempts, error: error)
    }
}

extension AnswerFollower: AsyncSequence, AsyncIteratorProtocol {
    public func makeAsyncIterator() -> AnswerFollower { self }
}
