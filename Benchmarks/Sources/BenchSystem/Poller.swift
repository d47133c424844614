import CEpoll
import Glibc

/// Waits for many sockets at once; a thin, level-triggered epoll.
@safe
package final class Poller {
    /// What a socket is waited for.
    package enum Interest: Sendable {
        /// Bytes to read, or the other side gone.
        case reading
        /// The same, and room to write.
        case readingAndWriting
    }

    /// What became possible on one socket.
    package struct Readiness: Sendable {
        /// There is something to read; an end counts.
        package let readable: Bool
        /// There is room to write.
        package let writable: Bool
        /// The other side closed or reset the connection.
        package let gone: Bool
    }

    private let descriptor: Int32
    private let capacity = 512
    private let events: UnsafeMutablePointer<epoll_event>

    /// Makes an empty one, and lets the process hold as many sockets as the machine allows.
    ///
    /// - Throws: ``SystemFailure`` if the kernel refuses.
    package init() throws(SystemFailure) {
        cepoll_prepare_process()
        descriptor = epoll_create1(0)
        unsafe events = .allocate(capacity: capacity)
        if descriptor < 0 { throw SystemFailure(call: "epoll_create1", code: errno) }
    }

    deinit {
        unsafe events.deallocate()
        close(descriptor)
    }

    /// Begins to watch a socket under a key of the caller's choice.
    package func add(_ socket: Socket, key: UInt64, for interest: Interest) {
        _ = cepoll_control(descriptor, EPOLL_CTL_ADD, socket.descriptor, mask(interest), key)
    }

    /// Changes what a watched socket is waited for.
    package func change(_ socket: Socket, key: UInt64, for interest: Interest) {
        _ = cepoll_control(descriptor, EPOLL_CTL_MOD, socket.descriptor, mask(interest), key)
    }

    /// Ends the watch of a socket that stays open.
    package func remove(_ socket: Socket) { _ = cepoll_control(descriptor, EPOLL_CTL_DEL, socket.descriptor, 0, 0) }

    /// Waits for at most so long and hands over what is ready.
    ///
    /// A negative time waits for ever. Closing a socket ends its watch.
    package func wait(nanoseconds: Int64, _ take: (_ key: UInt64, _ readiness: Readiness) -> Void) {
        let count = unsafe cepoll_wait(descriptor, events, Int32(capacity), nanoseconds)
        guard count > 0 else { return }
        for index in 0..<count {
            let bits = unsafe cepoll_readiness(events, index)
            let key = unsafe cepoll_key(events, index)
            take(
                key,
                Readiness(
                    readable: bits & cepoll_readable != 0, writable: bits & cepoll_writable != 0,
                    gone: bits & cepoll_gone != 0))
        }
    }

    private func mask(_ interest: Interest) -> UInt32 {
        switch interest {
        case .reading: cepoll_readable
        case .readingAndWriting: cepoll_readable | cepoll_writable
        }
    }
}
