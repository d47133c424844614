package import RejoinCore
import Synchronization

/// The log of one running answer: written by its run, committed by ``EventLog``, read by any number of followers.
///
/// An event goes through three places. It is *numbered* when the run appends it, *committed* when the store has it,
/// and only then *readable*. Text that comes faster than the flush window is joined before it gets a number.
package final class AnswerLog: Sendable {
    package let answer: AnswerID
    private let state: Mutex<State>
    private let policy: EventLog.Policy
    private let markDirty: @Sendable (AnswerLog) -> Void

    /// How far the log has come.
    private enum Phase {
        /// The run may append.
        case open
        /// The end is numbered; nothing more is taken.
        case ending
        /// The end is committed.
        case ended
        /// The conversation was deleted under the run.
        case deleted
    }

    private struct State {
        var phase = Phase.open
        var fold: Answer
        /// Text that waits for the flush window to pass.
        var joined = ""
        var lastNumberedText = Duration.seconds(-1)
        var pending: [UInt8] = []
        var pendingStarts: [Int] = []
        var isDirty = false
        /// What was sent to the model and is not stored yet.
        var sent: Sending?
        var tail: LogTail
        var nextWaiter = 0
        var waiters: [Waiter] = []

        mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
            defer { waiters.removeAll(keepingCapacity: true) }
            return waiters.map(\.continuation)
        }
    }

    /// Who waits: a follower for more to read, or the run for room to write.
    ///
    /// Each looks again when it is woken.
    private struct Waiter {
        let ticket: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    init(
        _ fold: Answer, policy: EventLog.Policy, markDirty: @escaping @Sendable (AnswerLog) -> Void
    ) {
        answer = fold.id
        self.policy = policy
        self.markDirty = markDirty
        state = Mutex(State(fold: fold, tail: LogTail(after: fold.seq, maximumBytes: policy.tailBytes)))
    }

    // MARK: The run's side

    /// What has been numbered so far, committed or not: for decisions of the run, never for a reader.
    package var numbered: Answer { state.withLock { $0.fold } }

    /// Takes the next event of the run; after the end it is dropped.
    ///
    /// Waits while the store is far behind.
    ///
    /// - Returns: whether the event was taken.
    @discardableResult
    package func append(_ event: Event, at now: Duration) async -> Bool {
        let isTaken = take(CollectionOfOne(event), at: now)
        await waitForRoom()
        return isTaken
    }

    /// Takes the next event without waiting for room: for the few events that do not come from a model.
    @discardableResult
    package func appendNow(_ event: Event, at now: Duration) -> Bool { take(CollectionOfOne(event), at: now) }

    /// Takes the last events; the log is closed with them.
    ///
    /// Never waits, so that a stop is immediate.
    ///
    /// - Parameter usage: what to settle if the model has not reported.
    /// - Returns: false if the log had ended before; nothing changed then.
    @discardableResult
    package func finish(_ end: Event.End, usage: Event.Usage?, at now: Duration) -> Bool {
        let needsUsage = state.withLock { $0.fold.usage == nil }
        var events: [Event] = []
        if needsUsage, let usage { events.append(.usage(usage)) }
        return take(events + [.end(end)], at: now)
    }

    /// Notes what was sent to the model; it is stored along with the next events.
    package func note(_ sending: Sending) { state.withLock { $0.sent = sending } }

    private func take(_ events: some Collection<Event>, at now: Duration) -> Bool {
        let (isTaken, becameDirty) = state.withLock { state -> (Bool, Bool) in
            guard case .open = state.phase else { return (false, false) }
            for event in events { Self.take(event, at: now, policy, &state) }
            let becameDirty = !state.isDirty && (!state.pending.isEmpty || !state.joined.isEmpty)
            if becameDirty { state.isDirty = true }
            return (true, becameDirty)
        }
        if becameDirty { markDirty(self) }
        return isTaken
    }

    private static func take(_ event: Event, at now: Duration, _ policy: EventLog.Policy, _ state: inout State) {
        if case .text(let text) = event {
            guard !text.isEmpty else { return }
            if state.joined.isEmpty, now - state.lastNumberedText >= policy.window {
                state.lastNumberedText = now
                number(event, &state)
            } else {
                state.joined += text
                if state.joined.utf8.count >= policy.maximumPiece { numberJoined(at: now, &state) }
            }
            return
        }
        numberJoined(at: now, &state)
        number(event, &state)
        if case .end = event { state.phase = .ending }
    }

    private static func numberJoined(at now: Duration, _ state: inout State) {
        guard !state.joined.isEmpty else { return }
        let text = state.joined
        state.joined = ""
        state.lastNumberedText = now
        number(.text(text), &state)
    }

    private static func number(_ event: Event, _ state: inout State) {
        let numbered = NumberedEvent(seq: state.fold.seq + 1, event: event)
        state.fold.apply(numbered)
        state.pendingStarts.append(state.pending.count)
        numbered.append(to: &state.pending)
    }

    private func waitForRoom() async {
        while true {
            let isFull = state.withLock { $0.pending.count > policy.maximumPending && $0.phase == .open }
            guard isFull, !Task.isCancelled else { return }
            await wait { $0.pending.count > self.policy.maximumPending && $0.phase == .open }
        }
    }

    // MARK: The committer's side

    /// What is to be committed now, if anything is due.
    ///
    /// The log stays dirty while text is being joined.
    func takePending(now: Duration, at time: Timestamp) -> (entry: LogEntry?, staysDirty: Bool) {
        state.withLock { state in
            if !state.joined.isEmpty, now - state.lastNumberedText >= policy.window {
                Self.numberJoined(at: now, &state)
            }
            let staysDirty = !state.joined.isEmpty
            state.isDirty = staysDirty
            guard !state.pendingStarts.isEmpty else { return (nil, staysDirty) }
            let last = state.fold.seq
            let entry = LogEntry(
                answer: answer, firstSeq: last - state.pendingStarts.count + 1, lastSeq: last, bytes: state.pending,
                ended: state.fold.state.end == nil ? nil : state.fold, at: time, sent: state.sent)
            return (entry, staysDirty)
        }
    }

    /// Makes committed events readable.
    ///
    /// `entry` is what ``takePending(now:at:)`` gave; more may be pending behind it.
    ///
    /// - Returns: who waited for them, to be woken when every log of the commit is readable.
    func publish(_ entry: LogEntry) -> [CheckedContinuation<Void, Never>] {
        state.withLock { state in
            // Deleted while it was being committed: nothing of it is pending or read any more.
            if case .deleted = state.phase { return state.takeWaiters() }
            let count = entry.lastSeq - entry.firstSeq + 1
            state.tail.append(entry.bytes, starts: Array(state.pendingStarts.prefix(count)))
            if count == state.pendingStarts.count {
                state.pending.removeAll(keepingCapacity: state.pending.count < 1024)
                state.pendingStarts.removeAll(keepingCapacity: true)
            } else {
                let offset = entry.bytes.count
                state.pending.removeFirst(offset)
                state.pendingStarts.removeFirst(count)
                for index in state.pendingStarts.indices { state.pendingStarts[index] -= offset }
            }
            if entry.sent != nil { state.sent = nil }
            if entry.ended != nil { state.phase = .ended }
            return state.takeWaiters()
        }
    }

    /// Notes that what ``takePending(now:at:)`` gave was not committed and has to be taken again.
    ///
    /// - Returns: whether the log was not among the dirty ones any more.
    func keepPending() -> Bool {
        state.withLock { state in
            defer { state.isDirty = true }
            return !state.isDirty
        }
    }

    /// Ends the log because its conversation is gone: nothing more is taken or read.
    func abandon() {
        let waiters = state.withLock { state in
            state.phase = .deleted
            state.pending = []
            state.pendingStarts = []
            state.joined = ""
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    // MARK: The followers' side

    /// What a follower at a cursor gets now.
    package enum Reading: Equatable, Sendable {
        /// Committed events after the cursor.
        case events([UInt8], lastSeq: Int)
        /// Nothing new yet.
        case upToDate
        /// Nothing new, and nothing will come: the cursor is at the end.
        case ended
        /// The store has what was asked for; memory does not reach back that far.
        case older
        case deleted
    }

    /// Reads after a cursor without waiting.
    package func read(after seq: Int, maximumBytes: Int) -> Reading {
        state.withLock { state in
            if case .deleted = state.phase { return .deleted }
            switch state.tail.read(after: seq, maximumBytes: maximumBytes) {
            case .events(let bytes, let lastSeq): return .events(bytes, lastSeq: lastSeq)
            case .older: return .older
            case .upToDate:
                if case .ended = state.phase { return .ended }
                return .upToDate
            }
        }
    }

    /// Waits until something is readable after a cursor, the log has ended, or the task is cancelled.
    package func waitForMore(after seq: Int) async {
        await wait { state in
            switch state.phase {
            case .ended, .deleted: false
            case .open, .ending: state.tail.lastSeq <= seq
            }
        }
    }

    /// The answer as far as it is durable now: what is numbered at the time of asking, once it is committed.
    package func snapshot() async -> Answer {
        let answer = numbered
        await waitForCommit(upTo: answer.seq)
        return answer
    }

    /// Waits until the end is committed, or the log is gone, or the task is cancelled.
    package func waitForEnd() async { await waitForCommit(upTo: .max) }

    private func waitForCommit(upTo seq: Int) async {
        while !Task.isCancelled {
            let last = state.withLock { state -> Int? in
                switch state.phase {
                case .ended, .deleted: nil
                case .open, .ending: state.tail.lastSeq
                }
            }
            guard let last, last < seq else { return }
            await waitForMore(after: last)
        }
    }

    private func wait(while condition: @Sendable (borrowing State) -> Bool) async {
        let ticket = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The condition is looked at again under the lock, or a wake-up between two looks would be lost.
                let goesOn = state.withLock { state in
                    guard !Task.isCancelled, condition(state) else { return true }
                    state.waiters.append(Waiter(ticket: ticket, continuation: continuation))
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                state.waiters.firstIndex { $0.ticket == ticket }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }
    }
}
