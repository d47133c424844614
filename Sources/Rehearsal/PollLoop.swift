import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What a ``PollLoop`` turns: sockets with something to do on each.
protocol PollDriven {
    /// The sockets to watch, into an empty list.
    func interests(into list: inout [pollfd])
    /// When something has to happen even if no socket stirs.
    var nextDeadline: ContinuousClock.Instant? { get }
    /// Does what the stirred sockets and the time ask for.
    mutating func turn(_ ready: [pollfd], now: ContinuousClock.Instant)
    /// Closes everything.
    mutating func close()
}

/// Sockets and timers on one thread of its own, around a state that tests may look into and change at any moment.
///
/// One poll call over all sockets is plenty for tests and portable; the tests' own speed is not at stake here.
final class PollLoop<State: PollDriven & Sendable>: Sendable {
    private let state: Mutex<State>
    private let isStopped = Mutex(false)
    /// The end of a pipe that wakes the thread; nil once the thread has ended.
    private let bell: Mutex<Int32?>

    /// Starts the thread.
    init(_ initial: State) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SocketFailure(errno: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        bell = Mutex(ends[1])
        state = Mutex(initial)
        let loop = self
        let reading = ends[0]
        startThread { loop.run(wokenBy: reading) }
    }

    /// Looks into the state or changes it; the thread takes note at once.
    func withState<Result: Sendable>(_ body: (inout State) throws -> Result) rethrows -> Result {
        defer { ring() }
        return try state.withLock { state in try body(&state) }
    }

    /// Looks into the state without waking the thread.
    func look<Result: Sendable>(_ body: (State) throws -> Result) rethrows -> Result {
        try state.withLock { state in try body(state) }
    }

    /// Closes everything and ends the thread.
    func stop() {
        isStopped.withLock { $0 = true }
        ring()
    }

    private func ring() {
        bell.withLock { bell in
            var byte: UInt8 = 1
            if let bell { _ = write(bell, &byte, 1) }
        }
    }

    private func run(wokenBy reading: Int32) {
        var list: [pollfd] = []
        while !isStopped.withLock({ $0 }) {
            list.removeAll(keepingCapacity: true)
            let deadline = state.withLock { state in
                state.interests(into: &list)
                return state.nextDeadline
            }
            list.append(pollfd(fd: reading, events: Int16(POLLIN), revents: 0))
            var patience: Int32 = -1
            if let deadline {
                let wait = ContinuousClock.now.duration(to: deadline) / Duration.milliseconds(1)
                patience = Int32(min(60_000, max(0, wait.rounded(.up))))
            }
            let count = poll(&list, nfds_t(list.count), patience)
            if list[list.count - 1].revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 256)
                _ = read(reading, &bytes, bytes.count)
            }
            list.removeLast()
            if count <= 0 { list.removeAll(keepingCapacity: true) }
            state.withLock { $0.turn(list, now: .now) }
        }
        state.withLock { $0.close() }
        bell.withLock { writing in
            _ = close(reading)
            if let writing { _ = close(writing) }
            writing = nil
        }
    }
}
