internal import RejoinCore

/// What the writer remembers of answers whose log grows: to append an entry it then reads nothing.
///
/// Belongs to the writer's connection; forgotten whenever a transaction fails, since the file is then behind it.
final class RunningAnswers {
    /// One answer whose log grows.
    final class Entry {
        let key: Int64
        let account: AccountID
        let conversation: ConversationID
        /// The number of the last event in the log.
        var seq: Int

        init(key: Int64, account: AccountID, conversation: ConversationID, seq: Int) {
            self.key = key
            self.account = account
            self.conversation = conversation
            self.seq = seq
        }
    }

    let limits: Journal.Limits
    /// How much the journal holds; nil until it is counted.
    var journalSize: (rows: Int, bytes: Int)?
    private var entries: [AnswerID: Entry] = [:]

    init(limits: Journal.Limits) { self.limits = limits }

    subscript(answer: AnswerID) -> Entry? {
        get { entries[answer] }
        set { entries[answer] = newValue }
    }

    /// The answers that are remembered, by id.
    var all: [AnswerID: Entry] { entries }

    func forgetAll() {
        entries = [:]
        journalSize = nil
    }
}
