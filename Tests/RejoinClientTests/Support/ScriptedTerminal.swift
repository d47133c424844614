import RejoinTerminal
import Synchronization

/// A person in a test: types lines, presses Ctrl-C, and keeps what was shown.
final class ScriptedTerminal: Terminal {
    private struct State {
        var output = ""
        var error = ""
        var closesAfter: Int?
        var listeners: [AsyncStream<Void>.Continuation] = []
    }

    let isInputInteractive: Bool
    let isInputPiped: Bool
    let isOutputInteractive: Bool
    let isErrorInteractive: Bool
    let width = 80
    private let lines = LineQueue()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - input: the lines; nil leaves the input open for a person who types later.
    ///   - closesAfter: how many characters the reader of the output takes before it goes.
    init(
        _ input: [String]? = [], isInteractive: Bool = false, isInputPiped: Bool = false, closesAfter: Int? = nil
    ) {
        isInputInteractive = isInteractive
        self.isInputPiped = isInputPiped
        isOutputInteractive = isInteractive
        isErrorInteractive = isInteractive
        state.withLock { $0.closesAfter = closesAfter }
        for line in input ?? [] { lines.append(line) }
        if input != nil { lines.finish() }
    }

    var output: String { state.withLock { $0.output } }
    var error: String { state.withLock { $0.error } }

    func write(_ text: String) async throws {
        let isOpen = state.withLock { state in
            if let limit = state.closesAfter, state.output.count >= limit { return false }
            state.output += text
            return true
        }
        if !isOpen { throw OutputClosed() }
    }

    func writeError(_ text: String) async { state.withLock { $0.error += text } }

    func readLine() async -> String? { await lines.next() }

    func interrupts() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        state.withLock { $0.listeners.append(continuation) }
        return stream
    }

    func type(_ line: String) { lines.append(line) }

    func endInput() { lines.finish() }

    func pressControlC() { for listener in state.withLock({ $0.listeners }) { listener.yield() } }
}
