internal import CEvent
internal import Dispatch
internal import Synchronization

/// The one thread that polls: it accepts, reads, parses and keeps the deadlines; tasks do the writing.
///
/// It is a task executor as well: what many tasks write at one moment wakes this one thread, and it writes.
// SAFETY: everything mutable is either under `mailbox`, atomic, or touched by the loop's thread only (marked below).
@safe final class EventLoop: @unchecked Sendable {
    /// What a descriptor is watched for.
    enum Interest {
        case readable, writable
        /// The peer will send nothing more; seen even while reading is held back, where the system can tell.
        case ended
    }

    private struct Mailbox {
        var closed: [Connection] = []
        var posts: [@Sendable (EventLoop) -> Void] = []
        var jobs: [UnownedJob] = []
        var isOver = false
    }

    private enum Drain {
        case none
        case waiting(until: Moment)
        case cancelled(until: Moment)
        case cut
    }

    /// So many callers over the limit are told so; more are cut without a word.
    private static let maximumTurnedAway = 64

    let configuration: HTTPServer.Configuration
    let counters: Counters
    let handler: @Sendable (Exchange) async -> Void
    let sweepInterval: Moment
    /// Where received bytes land; the loop's thread only, and never kept.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    let isDraining = Atomic(false)

    private let base: OpaquePointer
    private let mailbox = Mutex(Mailbox())
    private let dateText = Mutex("")

    // The loop's thread only, from here on.
    private var connections: [Connection] = []
    private var connectionsPerNetwork: [UInt64: Int] = [:]
    private var turnedAway = 0
    private var listeners: [(socket: ListeningSocket, event: EventHandle)] = []
    private var listenersArePaused = false
    private var wakeEvent: EventHandle?
    private var sweepEvent: EventHandle?
    private var drain = Drain.none
    private var drained: [CheckedContinuation<Void, Never>] = []

    init?(
        _ configuration: HTTPServer.Configuration, counters: Counters,
        handler: @escaping @Sendable (Exchange) async -> Void
    ) {
        // Before the first base, or its events are not guarded against other threads.
        guard evthread_use_pthreads() == 0, let base = unsafe event_base_new() else { return nil }
        unsafe self.base = base
        self.configuration = configuration
        self.counters = counters
        self.handler = handler
        sweepInterval = configuration.sweepInterval.nanoseconds
    }

    deinit {
        // Not when the thread ends: a handler that outlives a drain may still ring.
        wakeEvent?.free()
        sweepEvent?.free()
        unsafe event_base_free(base)
        unsafe scratch.deallocate()
    }

    /// The Date field's value, renewed by the sweep.
    var date: String { dateText.withLock { $0 } }

    // MARK: Life

    /// Registers the listeners and starts the thread; false if the system has none to give.
    func start(_ sockets: [ListeningSocket]) -> Bool {
        renewDate()
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        let onWake: event_callback_fn = { _, _, loop in
            guard let loop = unsafe loop else { return }
            unsafe Unmanaged<EventLoop>.fromOpaque(loop).takeUnretainedValue().readMailbox()
        }
        let onSweep: event_callback_fn = { _, _, loop in
            guard let loop = unsafe loop else { return }
            unsafe Unmanaged<EventLoop>.fromOpaque(loop).takeUnretainedValue().sweep()
        }
        let onCaller: event_callback_fn = { descriptor, _, loop in
            guard let loop = unsafe loop else { return }
            unsafe Unmanaged<EventLoop>.fromOpaque(loop).takeUnretainedValue().accept(on: descriptor)
        }
        wakeEvent = unsafe EventHandle(event_new(base, -1, Int16(EV_PERSIST), onWake, me))
        sweepEvent = unsafe EventHandle(event_new(base, -1, Int16(EV_PERSIST), onSweep, me))
        for socket in sockets {
            let event = unsafe event_new(base, socket.number, Int16(EV_READ | EV_PERSIST), onCaller, me)
            guard let event = unsafe EventHandle(event) else { return false }
            event.add()
            listeners.append((socket, event))
        }
        wakeEvent?.add()
        sweepEvent?.add(every: configuration.sweepInterval)
        // Released where the thread ends.
        let kept = unsafe Unmanaged.passRetained(self)
        let result = unsafe cevent_start_thread(
            { loop in
                guard let loop = unsafe loop else { return nil }
                let kept = unsafe Unmanaged<EventLoop>.fromOpaque(loop)
                unsafe kept.takeUnretainedValue().run()
                unsafe kept.release()
                return nil
            }, kept.toOpaque())
        if result != 0 { unsafe kept.release() }
        return result == 0
    }

    private func run() {
        unsafe event_base_loop(base, Int32(EVLOOP_NO_EXIT_ON_EMPTY))
        for listener in listeners { listener.event.free() }
        listeners = []
    }

    /// Has the loop's thread do something soon; false if the thread has ended.
    func post(_ work: @escaping @Sendable (EventLoop) -> Void) -> Bool {
        let isOver = mailbox.withLock { mailbox in
            if !mailbox.isOver { mailbox.posts.append(work) }
            return mailbox.isOver
        }
        if !isOver { wakeEvent?.activate() }
        return !isOver
    }

    /// Takes back a connection that has ended: its events are freed where no callback of theirs can be running.
    func bury(_ connection: Connection) {
        let isFirst = mailbox.withLock { mailbox in
            mailbox.closed.append(connection)
            return mailbox.closed.count == 1
        }
        if isFirst { wakeEvent?.activate() }
    }

    /// Has the loop look again whether everything has ended.
    func noteExchangeEnded() {
        if isDraining.load(ordering: .relaxed) { wakeEvent?.activate() }
    }

    func makeEvent(
        _ interest: Interest, of descriptor: SocketDescriptor, _ callback: event_callback_fn,
        context: UnsafeMutableRawPointer
    ) -> EventHandle? {
        let flag =
            switch interest {
            case .readable: EV_READ
            case .writable: EV_WRITE
            case .ended: EV_CLOSED
            }
        return unsafe EventHandle(event_new(base, descriptor.number, Int16(flag | EV_PERSIST), callback, context))
    }

    // MARK: The loop's thread

    private func readMailbox() {
        let (closed, posts, jobs) = mailbox.withLock { mailbox in
            defer {
                mailbox.closed = []
                mailbox.posts = []
                mailbox.jobs = []
            }
            return (mailbox.closed, mailbox.posts, mailbox.jobs)
        }
        for post in posts { post(self) }
        let executor = unsafe asUnownedTaskExecutor()
        for job in jobs { unsafe job.runSynchronously(on: executor) }
        for connection in closed { remove(connection) }
        endIfDrained()
    }

    private func remove(_ connection: Connection) {
        connection.freeEvents()
        let last = connections.removeLast()
        if last !== connection {
            let slot = unsafe connection.slot
            unsafe last.slot = slot
            connections[slot] = last
        }
        if connection.isTurnedAway { turnedAway -= 1 }
        let left = (connectionsPerNetwork[connection.network] ?? 1) - 1
        connectionsPerNetwork[connection.network] = left > 0 ? left : nil
        counters.openConnections.subtract(1, ordering: .relaxed)
    }

    private func accept(on descriptor: Int32) {
        guard let listener = listeners.first(where: { $0.socket.number == descriptor }) else { return }
        // Others must get a turn between bursts of callers.
        for _ in 0..<64 {
            switch listener.socket.accept() {
            case .accepted(let caller): admit(caller)
            case .nobody: return
            case .gone: continue
            case .exhausted:
                // The listener would call back without end: it rests until the next sweep, when some may have left.
                counters.acceptFailures.add(1, ordering: .relaxed)
                for listener in listeners { listener.event.remove() }
                listenersArePaused = true
                return
            }
        }
    }

    private func admit(_ caller: ListeningSocket.Accepted) {
        let ofNetwork = connectionsPerNetwork[caller.network, default: 0]
        var refusal: Refusal?
        if connections.count - turnedAway >= configuration.maximumConnections { refusal = .tooManyConnections }
        if ofNetwork >= configuration.maximumConnectionsPerAddress { refusal = .tooManyConnectionsFromAddress }
        if refusal != nil, turnedAway >= Self.maximumTurnedAway {
            counters.count(refusal ?? .tooManyConnections)
            return caller.descriptor.close()
        }
        let connection = Connection(caller, loop: self, isTurnedAway: refusal != nil)
        unsafe connection.slot = connections.count
        connections.append(connection)
        connectionsPerNetwork[caller.network] = ofNetwork + 1
        counters.acceptedConnections.add(1, ordering: .relaxed)
        counters.openConnections.add(1, ordering: .relaxed)
        if refusal != nil { turnedAway += 1 }
        connection.open(refusing: refusal)
    }

    private func sweep() {
        renewDate()
        if listenersArePaused {
            listenersArePaused = false
            for listener in listeners { listener.event.add() }
        }
        let now = monotonicNow()
        for connection in connections { connection.sweep(now) }
        advanceDrain(now)
    }

    private func renewDate() {
        let text = httpDate(configuration.now())
        dateText.withLock { $0 = text }
    }

    // MARK: Draining, on the loop's thread

    /// Stops listening and lets what is at work end; resumes the continuation when nothing is left.
    func beginDrain(within time: Duration, _ continuation: CheckedContinuation<Void, Never>) {
        drained.append(continuation)
        if case .none = drain {
            isDraining.store(true, ordering: .relaxed)
            drain = .waiting(until: monotonicNow() + time.nanoseconds)
            for listener in listeners {
                listener.event.free()
                listener.socket.close()
            }
            listeners = []
            for connection in connections { connection.closeIfIdle() }
        }
        endIfDrained()
    }

    private func advanceDrain(_ now: Moment) {
        switch drain {
        case .waiting(let deadline) where now >= deadline:
            drain = .cancelled(until: now + configuration.cancelledTimeout.nanoseconds)
            for connection in connections { connection.cancelTask() }
        case .cancelled(let deadline) where now >= deadline:
            drain = .cut
            for connection in connections { connection.cut() }
        case .cut: for connection in connections { connection.cut() }
        default: break
        }
        endIfDrained()
    }

    private func endIfDrained() {
        guard connections.isEmpty, !drained.isEmpty else { return }
        if case .none = drain { return }
        // A handler that ignores its cancellation must not hold up the end for ever.
        if case .cut = drain {} else if counters.activeRequests.load(ordering: .relaxed) > 0 { return }
        // Once over, nothing more is posted; what was posted until now is read before the thread may end.
        let isOver = mailbox.withLock { mailbox in
            mailbox.isOver = mailbox.posts.isEmpty && mailbox.closed.isEmpty && mailbox.jobs.isEmpty
            return mailbox.isOver
        }
        guard isOver else { return }
        let waiting = drained
        drained = []
        unsafe event_base_loopbreak(base)
        for continuation in waiting { continuation.resume() }
    }
}

extension EventLoop: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isOver, isFirst) = mailbox.withLock { mailbox in
            if mailbox.isOver { return (true, false) }
            mailbox.jobs.append(job)
            return (false, mailbox.jobs.count == 1)
        }
        if isFirst { wakeEvent?.activate() }
        // A task that outlives the server ends somewhere else.
        if isOver { DispatchQueue.global().async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
    }
}
