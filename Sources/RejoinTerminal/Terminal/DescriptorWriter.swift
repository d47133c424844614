#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import Dispatch
import Synchronization

/// Writes to one descriptor on a queue of its own: a reader that pauses must not hold up anything else.
final class DescriptorWriter: Sendable {
    private let descriptor: Int32
    private let queue: DispatchQueue

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        queue = DispatchQueue(label: "rejoin.write.\(descriptor)")
    }

    /// Writes all of the text, in the order of the calls.
    ///
    /// - Throws: ``OutputClosed`` when nobody reads any more; `CancellationError` when the task was cancelled, in
    ///   which case the text may still be written.
    func write(_ text: String) async throws {
        let outcome = Outcome()
        let descriptor = descriptor
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                outcome.wait(continuation)
                queue.async {
                    outcome.settle(
                        Self.writeAll(Array(text.utf8), to: descriptor) ? .success(()) : .failure(OutputClosed()))
                }
            }
        } onCancel: {
            outcome.settle(.failure(CancellationError()))
        }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Somebody made the shared terminal non-blocking; wait as a blocking one would.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&entry, 1, 1000)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// The result of one write, settled once by whoever comes first.
    private final class Outcome: Sendable {
        private enum State {
            case fresh
            case waiting(CheckedContinuation<Void, any Error>)
            case settled(Result<Void, any Error>)
        }

        private let state = Mutex(State.fresh)

        func wait(_ continuation: CheckedContinuation<Void, any Error>) {
            let early = state.withLock { state -> Result<Void, any Error>? in
                if case .settled(let result) = state { return result }
                state = .waiting(continuation)
                return nil
            }
            if let early { continuation.resume(with: early) }
        }

        func settle(_ result: Result<Void, any Error>) {
            let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
                defer { if case .settled = state {} else { state = .settled(result) } }
                if case .waiting(let continuation) = state { return continuation }
                return nil
            }
            waiter?.resume(with: result)
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
