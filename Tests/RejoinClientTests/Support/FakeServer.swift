import RejoinClient
import RejoinCore
import RejoinTestKit
import Synchronization

/// A server in memory: answers have logs, and lines may be cut as a test wishes.
final class FakeServer: Sendable {
    struct State {
        var logs: [AnswerID: [NumberedEvent]] = [:]
        var bodies: [AnswerID: [ScriptedBody]] = [:]
        var stops: [AnswerID] = []
        var turns: [TurnID: String] = [:]
        var prompts: [String] = []
        var parents: [String?] = []
        var models: [String] = []
        var conversations: [String] = []
        var regenerated: [AnswerID] = []
        var connections = 0
        var isDown = false
    }

    private let state = Mutex(State())
    /// What a new answer says at once; the log then stays open unless it ends in `end`.
    let script: @Sendable (String) -> [Event]
    /// After how many events each connection breaks, by its number; nil lets it live.
    let cut: @Sendable (Int) -> Int?
    /// Other replies, by method and path.
    let other: @Sendable (TransportRequest) -> TransportReply?

    init(
        script: @escaping @Sendable (String) -> [Event], cut: @escaping @Sendable (Int) -> Int? = { _ in nil },
        other: @escaping @Sendable (TransportRequest) -> TransportReply? = { _ in nil }
    ) {
        self.script = script
        self.cut = cut
        self.other = other
    }

    var transport: ScriptedTransport { ScriptedTransport { [self] request, _ in try reply(to: request) } }

    func client(clock: any Clock<Duration> = ContinuousClock()) -> RejoinClient {
        RejoinClient(address: "http://fake", token: "t0ken", transport: transport, clock: clock)
    }

    /// Looks at what happened so far.
    func read<Value: Sendable>(_ reading: (State) -> Value) -> Value { state.withLock { reading($0) } }

    /// Goes away, and breaks every open line; or comes back.
    func setDown(_ isDown: Bool) {
        state.withLock { $0.isDown = isDown }
        if isDown { breakLines() }
    }

    /// Adds events to a log and sends them down the open lines.
    func append(_ events: [Event], to answer: AnswerID) {
        let (bytes, bodies) = state.withLock { state in
            let first = (state.logs[answer]?.count ?? 0) + 1
            let added = events.enumerated().map { NumberedEvent(seq: first + $0.offset, event: $0.element) }
            state.logs[answer, default: []] += added
            return (wire(added), state.bodies[answer] ?? [])
        }
        let isOver = events.contains { if case .end = $0 { true } else { false } }
        for body in bodies {
            body.push(bytes)
            if isOver { body.end() }
        }
    }

    /// Breaks every open line.
    func breakLines() {
        let bodies = state.withLock { state in
            defer { state.bodies = [:] }
            return state.bodies.values.flatMap { $0 }
        }
        for body in bodies { body.end(.failure(TransportFailure(.dropped, "broken"))) }
    }

    private func reply(to request: TransportRequest) throws -> TransportReply {
        if state.withLock({ $0.isDown }) { throw TransportFailure(.unreachable, "down") }
        if let other = other(request) { return other }
        guard request.fields.contains(where: { $0.name == "authorization" && $0.value == "Bearer t0ken" }) else {
            return .problem(Problem(.unauthenticated, "no token"))
        }
        let (path, query) = split(request.url)
        let steps = path.split(separator: "/").map(String.init)
        let after = query["after"].flatMap { Int($0) } ?? 0
        switch (request.method, steps.dropFirst().first, steps.count) {
        case ("PUT", "conversations", 5):
            guard let object = try JSONReader.parse(request.body ?? []).object, let turn = TurnID(steps[4]),
                let answer = object["answer"]?.string.flatMap({ AnswerID($0) }),
                let parts = object["content"]?.array.flatMap(ContentPart.parts)
            else { return .problem(Problem(.invalidRequest, "body")) }
            let prompt = ContentPart.text(of: parts)
            let isNew = state.withLock { state in
                if let held = state.turns[turn] { return held == prompt ? false : nil }
                state.turns[turn] = prompt
                state.prompts.append(prompt)
                state.conversations.append(steps[2])
                state.parents.append(object["parent"]?.string)
                state.models.append(object["model"]?.string ?? "")
                state.logs[answer] = numbered(script(prompt))
                return true as Bool?
            }
            guard isNew != nil else { return .problem(Problem(.turnConflict, "other content")) }
            return stream(answer, after: after)
        case ("PUT", "turns", 5):
            guard let turn = TurnID(steps[2]), let answer = AnswerID(steps[4]) else { break }
            state.withLock { state in
                guard state.logs[answer] == nil else { return }
                state.logs[answer] = numbered(script(state.turns[turn] ?? ""))
                state.regenerated.append(answer)
            }
            return stream(answer, after: after)
        case ("GET", "answers", 4):
            guard let answer = AnswerID(steps[2]), state.withLock({ $0.logs[answer] != nil }) else { break }
            return stream(answer, after: after)
        case ("POST", "answers", 4):
            guard let answer = AnswerID(steps[2]), let log = state.withLock({ $0.logs[answer] }) else { break }
            state.withLock { $0.stops.append(answer) }
            if case .end = log.last?.event {} else { append([.end(.init(.stopped, .stoppedByPerson))], to: answer) }
            return .json(#"{"state":"stopped","seq":9}"#)
        default: break
        }
        return .problem(Problem(.notFound, "nothing here"))
    }

    private func stream(_ answer: AnswerID, after: Int) -> TransportReply {
        state.withLock { state in
            state.connections += 1
            let log = state.logs[answer] ?? []
            let rest = log.filter { $0.seq > after }
            if let count = cut(state.connections) {
                let ending = Result<Void, TransportFailure>.failure(TransportFailure(.dropped, "cut"))
                return .stream(ScriptedBody([wire(Array(rest.prefix(count)))], then: ending))
            }
            let isOver = if case .end = log.last?.event { true } else { false }
            let body = ScriptedBody([wire(rest)], then: isOver ? .success(()) : nil)
            state.bodies[answer, default: []].append(body)
            return .stream(body)
        }
    }

    private func split(_ url: String) -> (String, [String: String]) {
        let rest = url.dropFirst("http://fake".count).split(separator: "?", maxSplits: 1)
        var query: [String: String] = [:]
        if rest.count > 1 {
            for pair in rest[1].split(separator: "&") {
                let halves = pair.split(separator: "=", maxSplits: 1)
                if halves.count == 2 { query[String(halves[0])] = String(halves[1]) }
            }
        }
        return (String(rest.first ?? ""), query)
    }
}

extension RetryPolicy {
    /// Tries again at once.
    static let eager = RetryPolicy(firstDelay: .microseconds(100), maximumDelay: .milliseconds(1))
}
