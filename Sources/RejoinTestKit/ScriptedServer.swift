public import RejoinClient
public import RejoinCore
import Synchronization

/// A server in memory that speaks the whole protocol: turns, answers as logs, the change feed, limits.
///
/// It is a transport: hand it to `RejoinClient` and nothing touches a network. What the model says to a prompt comes from
/// a script, at once or piece by piece as the test tells. Put a ``FaultTransport`` before it to have lines break.
///
/// ```swift
/// let server = ScriptedServer { prompt in [.text("You said: "), .text(prompt), .end(.init(.done, .complete))] }
/// let client = ConversationClient(client: server.client(), store: .temporary())
/// ```
public final class ScriptedServer: Transport {
    /// When the model says what its script holds.
    public enum Pace: Sendable {
        case atOnce
        /// As ``ScriptedServer/say(_:_:)`` tells.
        case whenTold
    }

    /// An answer that a model was asked for.
    public struct Run: Equatable, Sendable {
        public let answer: AnswerID
        public let turn: TurnID
        /// The words of the prompt.
        public let prompt: String
        /// The model's name as it was asked for.
        public let model: String
    }

    struct State {
        var lines: [ConversationID: ConversationSummary] = [:]
        var deleted: Set<ConversationID> = []
        var turns: [HeldTurn] = []
        var answers: [AnswerID: HeldAnswer] = [:]
        var changes: [JSONWriter.Change] = []
        var feeds: [ScriptedBody] = []
        var runs: [Run] = []
        var stops: [AnswerID] = []
        var requests: [String] = []
        var limits: [Limit] = []
        var refusal: (@Sendable (TransportRequest) -> TransportReply?)?
        var isSignedOut = false
    }

    struct HeldTurn {
        let id: TurnID
        let conversation: ConversationID
        let parent: AnswerID?
        let content: [ContentPart]
        let model: String
        let createdAt: Timestamp
        var answers: [AnswerID] = []
    }

    struct HeldAnswer {
        let conversation: ConversationID
        var fold: Answer
        var log: [NumberedEvent] = []
        var unsaid: [Event] = []
        var readers: [ScriptedBody] = []
    }

    let state = Mutex(State())
    let now: @Sendable () -> Timestamp
    private let pace: Pace
    private let script: @Sendable (String) -> [Event]

    /// Makes a server without conversations.
    ///
    /// - Parameters:
    ///   - pace: when the model says what its script holds.
    ///   - script: what the model says to the words of a prompt, its end included; by default it repeats them.
    ///   - now: the server's clock.
    public init(
        pace: Pace = .atOnce, script: @escaping @Sendable (String) -> [Event] = ScriptedServer.echo,
        now: @escaping @Sendable () -> Timestamp = IDSource.system.now
    ) {
        self.pace = pace
        self.now = now
        self.script = script
    }

    /// Repeats a prompt word by word.
    public static func echo(_ prompt: String) -> [Event] {
        prompt.split(separator: " ").map { .text("\($0) ") } + [.end(.init(.done, .complete))]
    }

    /// A client of this server.
    ///
    /// - Parameters:
    ///   - transport: what lies between; nil for nothing.
    ///   - clock: what its waits are measured by; a manual one also gives ids that are the same in every run.
    ///   - seed: another one for each device.
    public func client(
        through transport: (any Transport)? = nil, clock: ManualClock? = nil, seed: UInt64 = 1
    ) -> RejoinClient {
        RejoinClient(
            address: "http://scripted", token: "token-\(seed)", transport: transport ?? self,
            clock: clock ?? ContinuousClock(), ids: clock?.ids(seed: seed) ?? .system)
    }

    // MARK: Looking

    /// Method and path of each request, in order.
    public var requests: [String] { state.withLock { $0.requests } }
    /// What models were asked for, in order.
    public var runs: [Run] { state.withLock { $0.runs } }
    /// The answers that were stopped, in order.
    public var stops: [AnswerID] { state.withLock { $0.stops } }
    /// The conversations that are there.
    public var conversations: Set<ConversationID> { state.withLock { Set($0.lines.keys) } }

    /// An answer as the server keeps it.
    public func answer(_ id: AnswerID) -> Answer? { state.withLock { $0.answers[id]?.fold } }

    // MARK: Telling

    /// Says the next events of an answer; by default all that is left.
    public func say(_ answer: AnswerID, _ count: Int = .max) {
        state.withLock { state in
            guard let held = state.answers[answer] else { return }
            let events = Array(held.unsaid.prefix(count))
            state.answers[answer]?.unsaid.removeFirst(events.count)
            Self.append(events, to: answer, &state)
        }
    }

    /// Says all that is left of every answer.
    public func sayAll() { for answer in state.withLock({ Array($0.answers.keys) }) { say(answer) } }

    /// Adds events to an answer, whatever its script holds.
    public func append(_ events: [Event], to answer: AnswerID) {
        state.withLock { Self.append(events, to: answer, &$0) }
    }

    /// Gives a conversation a title, as a model would.
    public func name(_ conversation: ConversationID, _ title: String) {
        state.withLock { state in
            guard let line = state.lines[conversation] else { return }
            state.lines[conversation] = line.with(title: title, updatedAt: now())
            Self.note("title", "\(conversation)", in: conversation, &state)
        }
    }

    /// Sets what the server says about limits.
    public func setLimits(_ limits: [Limit]) { state.withLock { $0.limits = limits } }

    /// Says in the feed that what the person decided about their words has changed.
    public func noteConsent() { state.withLock { Self.note("consent", "\(AccountID(high: 0, low: 1))", in: nil, &$0) } }

    /// Answers requests otherwise: a reply stands for what the server would have done; nil lets it do that.
    public func answerRequests(_ reply: (@Sendable (TransportRequest) -> TransportReply?)?) {
        state.withLock { $0.refusal = reply }
    }

    /// No longer knows any token.
    public func signOut() { state.withLock { $0.isSignedOut = true } }

    public func send(_ request: TransportRequest) async throws -> TransportReply {
        let path = request.url.split(separator: "/", maxSplits: 2).last.map { "/" + $0 } ?? "/"
        let (refusal, isSignedOut) = state.withLock { state in
            state.requests.append("\(request.method) \(path)")
            return (state.refusal, state.isSignedOut)
        }
        if isSignedOut { return .problem(Problem(.unauthenticated, "signed out")) }
        if let reply = refusal?(request) { return reply }
        do {
            return try state.withLock { try reply(to: request, path, &$0) }
        } catch let problem as Problem {
            return .problem(problem)
        }
    }

    // MARK: What happens inside

    func start(_ answer: AnswerID, to turn: HeldTurn, model: String, _ state: inout State) {
        let prompt = ContentPart.text(of: turn.content)
        state.runs.append(Run(answer: answer, turn: turn.id, prompt: prompt, model: model))
        var held = HeldAnswer(conversation: turn.conversation, fold: Answer(id: answer, turn: turn.id))
        let events = script(prompt)
        if pace == .whenTold { held.unsaid = events }
        state.answers[answer] = held
        Self.note("answer", "\(answer)", in: turn.conversation, &state)
        if pace == .atOnce { Self.append(events, to: answer, &state) }
    }

    static func append(_ events: [Event], to answer: AnswerID, _ state: inout State) {
        guard var held = state.answers[answer], held.fold.state.end == nil, !events.isEmpty else { return }
        var bytes: [UInt8] = []
        for event in events where held.fold.state.end == nil {
            let numbered = NumberedEvent(seq: held.fold.seq + 1, event: event)
            held.fold.apply(numbered)
            held.log.append(numbered)
            numbered.append(to: &bytes)
        }
        let isOver = held.fold.state.end != nil
        for reader in held.readers {
            reader.push(bytes)
            if isOver { reader.end() }
        }
        if isOver { held.readers = [] }
        state.answers[answer] = held
        if isOver { note("answer", "\(answer)", in: held.conversation, &state) }
    }

    static func note(
        _ kind: String, _ id: String, in conversation: ConversationID?, isDeletion: Bool = false, _ state: inout State
    ) {
        let change = JSONWriter.Change(
            cursor: state.changes.count + 1, kind: kind, id: id, conversation: conversation, isDeletion: isDeletion)
        state.changes.append(change)
        let bytes = change.event
        state.feeds.removeAll { $0.isCancelled }
        for feed in state.feeds { feed.push(bytes) }
    }
}
