import RejoinCore
import Synchronization

/// One answer that this device is making: numbers its events, and ends exactly once.
final class DeviceRun: Sendable {
    let turn: StoredTurn
    let answer: AnswerID
    private let state = Mutex(State())
    private let take: @Sendable (NumberedEvent) -> Void

    private struct State {
        var seq = 0
        var isOver = false
        var isBegun = false
        var task: Task<Void, Never>?
    }

    /// Numbers the events of an answer from 1 on.
    ///
    /// - Parameter take: takes each event, one at a time and in order.
    init(turn: StoredTurn, answer: AnswerID, take: @escaping @Sendable (NumberedEvent) -> Void) {
        self.turn = turn
        self.answer = answer
        self.take = take
    }

    /// Whether its last word was said.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Takes it up; true for the first who does, whose task is then the one that works on it, if there is one.
    @discardableResult
    func begin(_ makeTask: () -> Task<Void, Never>? = { nil }) -> Bool {
        let (isFirst, late) = state.withLock { state -> (Bool, Task<Void, Never>?) in
            guard !state.isBegun else { return (false, nil) }
            state.isBegun = true
            state.task = makeTask()
            return (true, state.isOver ? state.task : nil)
        }
        // What ended it before there was a task could not cancel it.
        late?.cancel()
        return isFirst
    }

    /// Says the next thing; nothing after the end.
    func say(_ event: Event) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.seq += 1
            if case .end = event { state.isOver = true }
            take(NumberedEvent(seq: state.seq, event: event))
        }
    }

    /// Ends the answer now, and tells the model to stop.
    func end(_ end: Event.End) {
        say(.end(end))
        cancel()
    }

    /// Says nothing more, and tells the model to stop: nobody wants the answer.
    func abandon() {
        state.withLock { $0.isOver = true }
        cancel()
    }

    /// Waits until nothing of it is under way.
    func finish() async { await state.withLock { $0.task }?.value }

    private func cancel() { state.withLock { $0.task }?.cancel() }
}
