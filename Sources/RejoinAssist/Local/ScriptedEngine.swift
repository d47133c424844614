internal import Synchronization

/// An engine that says what a script has for each task: for tests, previews and demonstrations without a model.
///
/// It is deterministic, and as strict as the strictest model: two calls at once into one session throw
/// `gateViolation` and are counted.
public final class ScriptedEngine: LocalEngine {
    /// One step of an answer.
    public enum Step: Sendable {
        /// The next piece of the text.
        case say(String)
        /// Waits until the gate is opened or the task is cancelled.
        case wait(ScriptedGate)
        /// Ends with a failure.
        case fail(AssistantFailure)
    }

    /// What was asked of the engine so far.
    public struct Record: Sendable, Hashable {
        /// Sessions made.
        public var sessions = 0
        /// Tasks whose run began, in order.
        public var tasks: [ModelTask] = []
        /// The session, counted from 1, of each of them.
        public var sessionOfTask: [Int] = []
        /// How often a session was warmed.
        public var prewarms = 0
        /// Calls that came into a session while another was in it.
        public var overlaps = 0
        /// Runs that ended because they were cancelled.
        public var cancelled = 0
    }

    private let script: @Sendable (ModelTask) -> [Step]
    private let state: Mutex<(availability: LocalAvailability, record: Record)>
    /// How many answers wear a session out.
    private let answersPerSession: Int

    /// Plays a script.
    ///
    /// - Parameters:
    ///   - availability: what it says of itself until ``setAvailability(_:)``.
    ///   - answersPerSession: after how many answers a session is worn.
    public init(
        availability: LocalAvailability, answersPerSession: Int = .max,
        script: @escaping @Sendable (ModelTask) -> [Step]
    ) {
        self.script = script
        self.answersPerSession = answersPerSession
        state = Mutex((availability, Record()))
    }

    /// What it was asked.
    public var record: Record { state.withLock { $0.record } }

    public var availability: LocalAvailability {
        get async { state.withLock { $0.availability } }
    }

    /// Changes what it says of itself.
    public func setAvailability(_ availability: LocalAvailability) {
        state.withLock { $0.availability = availability }
    }

    public func makeSession(instructions: String) async throws(AssistantFailure) -> any LocalSession {
        let number = state.withLock { state in
            state.record.sessions += 1
            return state.record.sessions
        }
        return Session(engine: self, number: number)
    }

    private final class Session: LocalSession {
        private let engine: ScriptedEngine
        private let number: Int
        private let state = Mutex((isIn: false, answers: 0))

        init(engine: ScriptedEngine, number: Int) {
            self.engine = engine
            self.number = number
        }

        var isWorn: Bool { state.withLock { $0.answers >= engine.answersPerSession } }

        func prewarm(for task: ModelTask) async { engine.state.withLock { $0.record.prewarms += 1 } }

        func respond(
            to task: ModelTask, preview: @escaping @Sendable (String) -> Void
        ) async throws(AssistantFailure) -> String {
            let isFree = state.withLock { state in
                defer { state.isIn = true }
                return !state.isIn
            }
            engine.state.withLock { state in
                state.record.tasks.append(task)
                state.record.sessionOfTask.append(number)
                if !isFree { state.record.overlaps += 1 }
            }
            guard isFree else { throw .gateViolation }
            defer {
                state.withLock { state in
                    state.isIn = false
                    state.answers += 1
                }
            }
            return try await play(task, preview)
        }

        private func play(
            _ task: ModelTask, _ preview: @Sendable (String) -> Void
        ) async throws(AssistantFailure) -> String {
            var text = ""
            for step in engine.script(task) {
                if !Task.isCancelled {
                    switch step {
                    case .say(let piece):
                        text += piece
                        preview(text)
                    case .wait(let gate): await gate.pass()
                    case .fail(let failure): throw failure
                    }
                }
                if Task.isCancelled {
                    engine.state.withLock { $0.record.cancelled += 1 }
                    throw .cancelled
                }
            }
            return text
        }
    }
}

/// Holds a scripted answer back until it is opened; it stays open.
public final class ScriptedGate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    /// Makes a closed gate.
    public init() {}

    /// How many wait.
    public var waiting: Int { state.withLock { $0.waiters.count } }

    /// Lets everybody through, now and later.
    public func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the gate is open or the task is cancelled.
    public func pass() async {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    // A task that is cancelled from here on finds its waiter.
                    if state.isOpen || Task.isCancelled { return true }
                    state.waiters[number] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}
