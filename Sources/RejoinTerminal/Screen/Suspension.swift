#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import Dispatch
import Synchronization

/// Stops the process as the shell's key would, and takes the screen again when it goes on.
final class Suspension: Sendable {
    private let continuation: AsyncStream<ScreenEvent>.Continuation
    private let queue = DispatchQueue(label: "rejoin.suspension")
    private let continued = DispatchSemaphore(value: 0)
    private let paused = Atomic(false)

    init(_ continuation: AsyncStream<ScreenEvent>.Continuation) { self.continuation = continuation }

    /// Whether the screen belongs to the shell: nothing may be drawn.
    var isPaused: Bool { paused.load(ordering: .sequentiallyConsistent) }

    /// Stops.
    ///
    /// - Parameter everybody: whether those who were started along stop as well, as with the terminal's own key.
    func stop(everybody: Bool) {
        queue.async { [self] in
            paused.store(true, ordering: .sequentiallyConsistent)
            RawMode.restore()
            while continued.wait(timeout: .now()) == .success {}
            signal(SIGTSTP, SIG_DFL)
            kill(everybody ? 0 : getpid(), SIGTSTP)
            // Another thread may be the one that is stopped; and where no shell could wake it, nobody is.
            _ = continued.wait(timeout: .now() + .milliseconds(300))
            signal(SIGTSTP, SIG_IGN)
            takeScreen()
        }
    }

    /// The process goes on, whoever had stopped it.
    func wasContinued() {
        continued.signal()
        queue.async { [self] in if !isPaused { takeScreen() } }
    }

    private func takeScreen() {
        guard RawMode.begin() else {
            continuation.yield(.ended)
            return
        }
        let bytes = Array(RawMode.enter.utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
        paused.store(false, ordering: .sequentiallyConsistent)
        continuation.yield(.resumed)
    }
}
