internal import CEvent
internal import Synchronization

/// One client's connection: the loop's thread reads and parses, tasks write, both under one lock that is held briefly.
final class Connection: Sendable {
    let socket: SocketDescriptor
    let remoteAddress: String
    let network: UInt64
    /// Over a limit, and only here to be told so.
    let isTurnedAway: Bool
    let loop: EventLoop
    // SAFETY: the place in the loop's table; the loop's thread only.
    nonisolated(unsafe) var slot = 0
    private let state: Mutex<ConnectionState>

    init(_ caller: ListeningSocket.Accepted, loop: EventLoop, isTurnedAway: Bool) {
        socket = caller.descriptor
        remoteAddress = caller.address
        network = caller.network
        self.isTurnedAway = isTurnedAway
        self.loop = loop
        state = Mutex(ConnectionState(parser: RequestParser(limits: loop.configuration.limits)))
    }

    deinit { socket.close() }

    var configuration: HTTPServer.Configuration { loop.configuration }

    /// Changes the state under the lock, then does what the change asks for.
    func withState<Result: Sendable, Failure>(
        _ change: (inout ConnectionState, inout Effects) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var effects = Effects()
        defer { perform(effects) }
        return try state.withLock { state throws(Failure) in try change(&state, &effects) }
    }

    private func perform(_ effects: Effects) {
        for continuation in effects.resumed { continuation.resume() }
        effects.cancelled?.cancel()
        if effects.isClosed { loop.bury(self) }
        if effects.endedExchange { loop.noteExchangeEnded() }
    }

    // MARK: The loop's thread

    /// Starts watching the socket; the loop's table keeps the connection for as long as events may call it.
    func open(refusing refusal: Refusal?) {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        let callback: event_callback_fn = { _, what, connection in
            guard let connection = unsafe connection else { return }
            unsafe Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().handle(Int32(what))
        }
        let readable = unsafe loop.makeEvent(.readable, of: socket, callback, context: me)
        let writable = unsafe loop.makeEvent(.writable, of: socket, callback, context: me)
        let ended = unsafe loop.makeEvent(.ended, of: socket, callback, context: me)
        withState { state, effects in
            guard let readable, let writable else { return close(&state, &effects) }
            state.events = .init(readable: readable, writable: writable, ended: ended)
            state.deadline = monotonicNow() + configuration.headTimeout.nanoseconds
            readable.add()
            if let refusal { refuse(refusal, &state, &effects) }
        }
    }

    /// Frees the events, on the loop's thread after the connection has closed.
    func freeEvents() {
        withState { state, _ in
            state.events?.readable.free()
            state.events?.writable.free()
            state.events?.ended?.free()
            state.events = nil
        }
    }

    private func handle(_ what: Int32) {
        withState { state, effects in
            if what & Int32(EV_WRITE) != 0 { flush(&state, &effects) }
            if what & Int32(EV_READ) != 0 { receive(&state, &effects) }
            if what & Int32(EV_CLOSED) != 0 { close(&state, &effects) }
        }
    }

    private func receive(_ state: inout ConnectionState, _ effects: inout Effects) {
        if state.phase == .closed { return }
        switch unsafe socket.receive(into: loop.scratch) {
        case .nothing: return
        case .end, .failed: return close(&state, &effects)
        case .bytes(let count):
            loop.counters.bytesRead.add(count, ordering: .relaxed)
            switch state.phase {
            case .closed, .flushing, .lingering: return
            case .waiting, .exchange, .discarding:
                if state.phase == .waiting, !state.hasHeadBegun {
                    state.hasHeadBegun = true
                    state.deadline = monotonicNow() + configuration.headTimeout.nanoseconds
                }
                unsafe state.parser.feed(loop.scratch[..<count])
                advance(&state, &effects)
            }
        }
    }

    /// Keeps the deadlines and sends the heartbeat.
    func sweep(_ now: Moment) {
        withState { state, effects in
            if state.phase == .closed { return }
            if state.queuedOutput > 0 {
                guard now - state.lastProgress >= configuration.stalledWriteTimeout.nanoseconds else { return }
                loop.counters.stalledClients.add(1, ordering: .relaxed)
                return close(&state, &effects)
            }
            switch state.phase {
            case .waiting where now >= state.deadline:
                if state.parser.isInsideHead { refuse(.headTimeout, &state, &effects) } else { close(&state, &effects) }
            case .discarding where now >= min(state.deadline, state.bodyDeadline): close(&state, &effects)
            case .lingering where now >= state.deadline: close(&state, &effects)
            case .exchange:
                checkBody(now, &state, &effects)
                beat(now, &state, &effects)
            default: break
            }
        }
    }

    private func checkBody(_ now: Moment, _ state: inout ConnectionState, _ effects: inout Effects) {
        // A client that we hold back, or that waits for our 100, is not slow.
        guard !state.isBodyComplete, state.bodyFailure == nil, !state.isReadPaused, !state.awaitsContinue,
            now >= min(state.deadline, state.bodyDeadline)
        else { return }
        loop.counters.bodyTimeouts.add(1, ordering: .relaxed)
        failBody(HTTPServerError(.bodyTimeout, "The body did not arrive in time."), &state, &effects)
    }

    private func beat(_ now: Moment, _ state: inout ConnectionState, _ effects: inout Effects) {
        // A sweep early rather than late: the silence must never be longer than was promised.
        guard let pulse = state.pulse, now + loop.sweepInterval > pulse.lastWrite + pulse.after else { return }
        loop.counters.heartbeats.add(1, ordering: .relaxed)
        push(pulse.bytes, &state, &effects)
    }

    // MARK: Ending

    /// Ends a connection that no request is at work on, for a drain.
    func closeIfIdle() {
        withState { state, effects in
            if state.phase == .waiting, state.queuedOutput == 0, !state.parser.isInsideHead {
                close(&state, &effects)
            }
        }
    }

    func cancelTask() {
        withState { state, effects in
            if let task = state.task { effects.cancelled = task } else { close(&state, &effects) }
        }
    }

    /// Cancels the handler of an exchange, unless that is over.
    func cancelTask(exchange number: Int) {
        withState { state, effects in
            if state.isCurrent(number), let task = state.task { effects.cancelled = task }
        }
    }

    func cut() { withState { state, effects in close(&state, &effects) } }

    /// Answers what never becomes an exchange and ends the connection.
    func refuse(_ refusal: Refusal, _ state: inout ConnectionState, _ effects: inout Effects) {
        loop.counters.count(refusal)
        push(refusal.response, &state, &effects)
        endAfterOutput(lingers: true, &state, &effects)
    }

    /// Closes as soon as everything queued is out.
    func endAfterOutput(lingers: Bool, _ state: inout ConnectionState, _ effects: inout Effects) {
        if state.phase == .closed { return }
        state.phase = .flushing(lingers: lingers)
        // Nothing of what is still to come will be read as a request.
        state.parser = RequestParser()
        resumeReading(&state)
        if state.queuedOutput == 0 { finishFlushing(&state, &effects) }
    }

    func finishFlushing(_ state: inout ConnectionState, _ effects: inout Effects) {
        guard case .flushing(let lingers) = state.phase else { return }
        guard lingers else { return close(&state, &effects) }
        socket.endSending()
        state.phase = .lingering
        state.deadline = monotonicNow() + configuration.lingerTimeout.nanoseconds
    }

    /// Ends the connection now: whoever waits on it goes on, its handler's task is cancelled.
    func close(_ state: inout ConnectionState, _ effects: inout Effects) {
        if state.phase == .closed { return }
        state.phase = .closed
        state.events?.readable.remove()
        state.events?.writable.remove()
        state.events?.ended?.remove()
        socket.end()
        effects.resumed += state.readers.removeAll() + state.writers.removeAll()
        if let task = state.task {
            loop.counters.abandonedRequests.add(1, ordering: .relaxed)
            effects.cancelled = task
        }
        state.parser = RequestParser()
        state.pieces = []
        state.output = []
        state.outputStart = 0
        state.pulse = nil
        effects.isClosed = true
    }

    // MARK: Waiting

    enum WaitingFor {
        case body
        case output
    }

    /// Waits until the connection gets on, ends, or the task is cancelled; the caller looks again what is true.
    func wait(for reason: WaitingFor, exchange number: Int) async {
        let waiter = withState { state, _ in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                withState { state, effects in
                    // Looked at again under the lock, or a wake-up that came in between is lost.
                    let isStuck =
                        switch reason {
                        case .body: state.pieces.isEmpty && !state.isBodyComplete && state.bodyFailure == nil
                        case .output: state.queuedOutput > configuration.writeHighMark
                        }
                    guard isStuck, state.isCurrent(number), !Task.isCancelled else {
                        return effects.resumed.append(continuation)
                    }
                    switch reason {
                    case .body: state.readers.append(continuation, number: waiter)
                    case .output: state.writers.append(continuation, number: waiter)
                    }
                }
            }
        } onCancel: {
            withState { state, effects in
                let continuation =
                    switch reason {
                    case .body: state.readers.remove(waiter)
                    case .output: state.writers.remove(waiter)
                    }
                if let continuation { effects.resumed.append(continuation) }
            }
        }
    }
}
