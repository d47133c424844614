package import RejoinCore
package import RejoinServer
import Synchronization

/// A model that says what a test wrote down, waits where the test wants it to, and remembers what it was asked.
package final class ScriptedModel: ModelProvider {
    /// What the model does next.
    package enum Step: Sendable {
        case piece(ModelPiece)
        /// Waits until the gate is opened, or the run is cancelled.
        case wait(Gate)
        case end(ModelEnd)
    }

    package let name: String
    package let placement = Event.Placement.server
    package let capacity: Int
    private let script: @Sendable (ModelRequest) -> [Step]
    private let fitting: @Sendable (ModelRequest) -> ContextFit
    private let state = Mutex((requests: [ModelRequest](), cancelled: 0, availability: ModelAvailability.ready))

    package init(
        _ name: String = "scripted", capacity: Int = 4,
        fit: @escaping @Sendable (ModelRequest) -> ContextFit = { _ in .fits },
        script: @escaping @Sendable (ModelRequest) -> [Step]
    ) {
        self.name = name
        self.capacity = capacity
        self.script = script
        fitting = fit
    }

    /// A model that says pieces, one after the other, and is done.
    package convenience init(_ name: String = "scripted", saying pieces: [String], capacity: Int = 4) {
        self.init(name, capacity: capacity) { _ in
            pieces.map { .piece(.text($0)) } + [.end(.finished(.complete))]
        }
    }

    /// What it was asked, in order.
    package var requests: [ModelRequest] { state.withLock { $0.requests } }
    /// How many runs were cancelled before their end.
    package var cancelledCount: Int { state.withLock { $0.cancelled } }

    package var availability: ModelAvailability {
        get { state.withLock { $0.availability } }
        set { state.withLock { $0.availability = newValue } }
    }

    package func prepare() async { state.withLock { if case .loading = $0.availability { $0.availability = .ready } } }

    package func fit(_ request: ModelRequest) async -> ContextFit { fitting(request) }

    package func generate(
        _ request: ModelRequest, emit: @Sendable (ModelPiece) async -> Void
    ) async -> ModelEnd {
        state.withLock { $0.requests.append(request) }
        for step in script(request) {
            if Task.isCancelled { return cancelled() }
            switch step {
            case .piece(let piece): await emit(piece)
            case .wait(let gate): await gate.pass()
            case .end(let end): return Task.isCancelled ? cancelled() : end
            }
        }
        return Task.isCancelled ? cancelled() : .interrupted(.upstreamClosed)
    }

    private func cancelled() -> ModelEnd {
        state.withLock { $0.cancelled += 1 }
        return .cancelled
    }
}

/// Holds tasks back until it is opened; it stays open.
package final class Gate: Sendable {
    private let state = Mutex((isOpen: false, next: 0, waiting: [Int: CheckedContinuation<Void, Never>]()))

    package init() {}

    package func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until the gate is open or the task is cancelled.
    package func pass() async {
        let ticket = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    guard !state.isOpen, !Task.isCancelled else { return true }
                    state.waiting[ticket] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
        }
    }
}
