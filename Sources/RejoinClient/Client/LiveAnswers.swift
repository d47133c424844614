import RejoinCore
import Synchronization

/// The answers that are being written now: in memory first, so that the screen is instant, and then in the store.
final class LiveAnswers: Sendable {
    private struct Entry {
        let conversation: ConversationID
        var answer: Answer
        /// What the store has not got yet.
        var pending: [NumberedEvent] = []
        var pendingBytes = 0
        /// What is pending must not be shown otherwise after a kill: an end, or text that was taken back.
        var isUrgent = false
        var isFollowed = true
    }

    private struct State {
        var entries: [AnswerID: Entry] = [:]
        /// What a person stopped, whether anybody follows it or will only later.
        var sealed: Set<AnswerID> = []
    }

    private let state = Mutex(State())

    /// How many answers are held.
    var count: Int { state.withLock { $0.entries.count } }
    /// Whether the store lacks anything.
    var isDirty: Bool { state.withLock { $0.entries.values.contains { !$0.pending.isEmpty } } }

    /// Whether the store lacks so many bytes of an answer that it must not wait.
    func isFull(_ bytes: Int) -> Bool {
        state.withLock { $0.entries.values.contains { $0.isUrgent || $0.pendingBytes >= bytes } }
    }

    /// Whether nothing further of an answer is to be shown.
    func isSealed(_ answer: AnswerID) -> Bool {
        state.withLock { $0.entries[answer] == nil || $0.sealed.contains(answer) }
    }

    /// The answer as far as it has come; nil if it is not being written.
    func fold(_ answer: AnswerID) -> Answer? { state.withLock { $0.entries[answer]?.answer } }

    /// The answers of a conversation that are being written.
    func folds(in conversation: ConversationID) -> [Answer] {
        state.withLock { state in
            state.entries.values.filter { $0.conversation == conversation }.map(\.answer)
        }
    }

    /// Begins to hold an answer; one that is held, and is further, stays.
    func begin(_ answer: Answer, in conversation: ConversationID) {
        state.withLock { state in
            if let held = state.entries[answer.id], held.answer.seq >= answer.seq {
                state.entries[answer.id]?.isFollowed = true
                return
            }
            state.entries[answer.id] = Entry(conversation: conversation, answer: answer)
        }
    }

    /// What taking events did.
    enum Taken: Equatable {
        /// They are shown; whether the store should be given them at once.
        case shown(isFull: Bool)
        /// Nobody is to see them any more.
        case unwanted
    }

    /// Takes the next events of an answer.
    func take(_ events: [NumberedEvent], of answer: AnswerID, flushBytes: Int) -> Taken {
        state.withLock { state in
            guard var entry = state.entries.removeValue(forKey: answer) else { return .unwanted }
            defer { state.entries[answer] = entry }
            guard !state.sealed.contains(answer) else { return .unwanted }
            for event in events where entry.answer.apply(event) == .applied {
                entry.pending.append(event)
                entry.pendingBytes += event.event.size
                switch event.event {
                case .end, .withdrawn, .snapshot: entry.isUrgent = true
                default: break
                }
            }
            return .shown(isFull: entry.isUrgent || entry.pendingBytes >= flushBytes)
        }
    }

    /// Shows nothing further of an answer: a person stopped it.
    func seal(_ answer: AnswerID) { state.withLock { _ = $0.sealed.insert(answer) } }

    /// Forgets that an answer was stopped: it has ended.
    func unseal(_ answer: AnswerID) { state.withLock { _ = $0.sealed.remove(answer) } }

    /// Takes what the store lacks, answer by answer.
    func drain() -> [(answer: AnswerID, events: [NumberedEvent])] {
        state.withLock { state in
            var drained: [(answer: AnswerID, events: [NumberedEvent])] = []
            for (answer, entry) in state.entries where !entry.pending.isEmpty {
                drained.append((answer, entry.pending))
                state.entries[answer]?.pending = []
                state.entries[answer]?.pendingBytes = 0
                state.entries[answer]?.isUrgent = false
            }
            return drained
        }
    }

    /// Gives back what the store could not take.
    func restore(_ events: [NumberedEvent], of answer: AnswerID) {
        state.withLock { state in
            state.entries[answer]?.pending.insert(contentsOf: events, at: 0)
            state.entries[answer]?.pendingBytes += events.reduce(0) { $0 + $1.event.size }
        }
    }

    /// Lets go of answers that nobody follows and that the store holds whole.
    func release() {
        state.withLock { state in
            state.entries = state.entries.filter { $0.value.isFollowed || !$0.value.pending.isEmpty }
        }
    }

    /// Notes that nobody follows an answer any more; it is held until the store has it.
    func end(_ answer: AnswerID) {
        state.withLock { state in
            guard let entry = state.entries[answer] else { return }
            state.entries[answer]?.isFollowed = false
            if entry.pending.isEmpty { state.entries[answer] = nil }
        }
    }

    /// Forgets an answer with all that is pending.
    func discard(_ answer: AnswerID) { state.withLock { $0.entries[answer] = nil } }

    /// Forgets the answers of a conversation, or of all.
    func discard(in conversation: ConversationID?) {
        state.withLock { state in
            state.entries = state.entries.filter { conversation != nil && $0.value.conversation != conversation }
        }
    }
}

extension Event {
    /// About how many bytes of words the event holds.
    fileprivate var size: Int {
        switch self {
        case .text(let text), .reasoning(let text): text.utf8.count
        default: 32
        }
    }
}
