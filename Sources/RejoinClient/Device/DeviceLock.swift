import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Lets one process at a time answer by itself into the store of an account.
///
/// The system gives it back when the process dies, so that whoever takes it then knows that what is unfinished was left.
final class DeviceLock: Sendable {
    private struct State {
        var descriptor: Int32 = -1
        var holders = 0
    }

    private let path: String?
    private let state = Mutex(State())

    /// - Parameter path: the lock's file; nil where nobody else can have the store.
    init(path: String?) { self.path = path }

    deinit { state.withLock { Self.release(&$0) } }

    /// Takes it, or takes it once more.
    ///
    /// - Returns: false if another process has it, or its file cannot be made.
    func take() -> Bool {
        guard let path else { return true }
        return state.withLock { state in
            if state.holders == 0 {
                let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
                guard descriptor >= 0 else { return false }
                guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                    close(descriptor)
                    return false
                }
                state.descriptor = descriptor
            }
            state.holders += 1
            return true
        }
    }

    /// Gives it back once; the last gives it to others.
    func giveBack() {
        guard path != nil else { return }
        state.withLock { state in
            guard state.holders > 0 else { return }
            state.holders -= 1
            if state.holders == 0 { Self.release(&state) }
        }
    }

    private static func release(_ state: inout State) {
        guard state.descriptor >= 0 else { return }
        // A program that is just being started may have a copy of the descriptor: closing ours is not enough.
        flock(state.descriptor, LOCK_UN)
        close(state.descriptor)
        state.descriptor = -1
    }
}
