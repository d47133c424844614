internal import Dispatch
internal import Foundation
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The one thread that hashes passwords, behind everything else that wants the processor.
///
/// On a machine with two cores a crowd that signs in would otherwise have one of them: answers under way go first. Not
/// by much, or nobody could sign in while a model of this machine writes: a quarter of a busy core's time is left.
final class PasswordThread: Sendable {
    /// Started when the first password is hashed.
    static let shared: PasswordThread = {
        let worker = PasswordThread()
        Thread.detachNewThread { worker.work() }
        return worker
    }()

    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let count = DispatchSemaphore(value: 0)

    private init() {}

    /// Runs a body after those that were given before.
    func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            jobs.withLock { $0.append { continuation.resume(returning: body()) } }
            count.signal()
        }
    }

    private func work() {
        #if os(Linux)
        // On Linux this is the calling thread alone; elsewhere it would be the whole process.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        #endif
        while true {
            count.wait()
            let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            job?()
        }
    }
}
