internal import RejoinCore
internal import SQLite

/// What must be known of an answer to let it grow, without its text.
struct AnswerRow {
    var key: Int64
    var id: AnswerID
    var turn: TurnID
    var conversation: ConversationID
    var conversationKey: Int64
    var turnKey: Int64
    var turnTime: Timestamp
    var local: LocalState
    var state: Answer.State
    var seq: Int

    static let columns = """
        a.key, a.id, t.id, c.id, a.conversation, a.turn, t.created_at, a.local, a.withdrawal, a.state, a.reason,
        a.resets_at, a.retry_after, a.seq
        """
    static let tables = "answer a JOIN turn t ON t.key = a.turn JOIN conversation c ON c.key = a.conversation"

    init(_ row: borrowing Row) throws(SQLiteFailure) {
        key = row.integer64(0)
        id = try row.id(1)
        turn = try row.id(2)
        conversation = try row.id(3)
        conversationKey = row.integer64(4)
        turnKey = row.integer64(5)
        turnTime = row.time(6)
        local = try row.local(7, withdrawal: 8)
        state = try row.state(9)
        seq = row.integer(13)
    }
}

extension Row {
    /// What the device knows of an answer.
    func local(_ column: Int32, withdrawal: Int32) throws(SQLiteFailure) -> LocalState {
        guard let local = LocalState(code: integer(column), withdrawal: optionalText(withdrawal)) else {
            throw .corrupt("an unknown state of an answer on this device")
        }
        return local
    }

    /// An answer's state, from four columns on.
    func state(_ column: Int32) throws(SQLiteFailure) -> Answer.State {
        let name = text(column)
        switch name {
        case "queued": return .queued
        case "streaming": return .streaming
        default:
            guard let end = EndState(rawValue: name) else { throw .corrupt("an unknown state of an answer") }
            return .ended(
                Event.End(
                    end, reason: optionalText(column + 1), resetsAt: optionalTime(column + 2),
                    retryAfter: optionalInteger(column + 3)))
        }
    }
}
