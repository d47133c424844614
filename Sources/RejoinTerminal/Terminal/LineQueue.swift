import Synchronization

/// Hands lines from the thread that reads them to tasks that want them, one at a time.
///
/// A waiting task may be cancelled without losing a line: what nobody took stays for the next.
package final class LineQueue: Sendable {
    private struct State {
        var lines: [String] = []
        var isFinished = false
        var waiter: (number: Int, continuation: CheckedContinuation<String?, Never>)?
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// An empty queue.
    package init() {}

    /// Adds a line.
    ///
    /// - Returns: how many lines wait now: the reader slows down by it.
    @discardableResult
    package func append(_ line: String) -> Int {
        let (waiter, count) = state.withLock { state in
            guard let waiter = state.waiter else {
                state.lines.append(line)
                return (CheckedContinuation<String?, Never>?.none, state.lines.count)
            }
            state.waiter = nil
            return (waiter.continuation, 0)
        }
        waiter?.resume(returning: line)
        return count
    }

    /// Marks the end of input.
    package func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.continuation.resume(returning: nil)
    }

    /// The next line; nil at the end, or when the task was cancelled.
    ///
    /// One task at a time may wait.
    package func next() async -> String? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isReady, line) = state.withLock { state -> (Bool, String?) in
                    precondition(state.waiter == nil, "two tasks wait for a line")
                    if Task.isCancelled { return (true, nil) }
                    if !state.lines.isEmpty { return (true, state.lines.removeFirst()) }
                    if state.isFinished { return (true, nil) }
                    state.waiter = (number, continuation)
                    return (false, nil)
                }
                if isReady { continuation.resume(returning: line) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                guard let waiter = state.waiter, waiter.number == number else {
                    return CheckedContinuation<String?, Never>?.none
                }
                state.waiter = nil
                return waiter.continuation
            }
            waiter?.resume(returning: nil)
        }
    }
}
