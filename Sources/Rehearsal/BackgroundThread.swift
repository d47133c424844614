#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Runs `body` on a thread of its own, because the pool of tasks must not be blocked.
func startThread(_ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    #if canImport(Darwin)
    var thread: pthread_t?
    let status = pthread_create(
        &thread, nil,
        { context in
            Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, context)
    if let thread { pthread_detach(thread) }
    #else
    var thread = pthread_t()
    let status = pthread_create(
        &thread, nil,
        { context in
            // The context is the box that was retained for this thread, so it is there.
            Unmanaged<ThreadBody>.fromOpaque(context!).takeRetainedValue().body()
            return nil
        }, context)
    if status == 0 { pthread_detach(thread) }
    #endif
    precondition(status == 0, "the system has no thread left")
}

private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
