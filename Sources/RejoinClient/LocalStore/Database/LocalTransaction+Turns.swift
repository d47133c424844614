internal import RejoinCore
internal import SQLite

extension LocalTransaction {
    /// What must be known of a turn to move it, without its text.
    struct TurnRow {
        var key: Int64
        var id: TurnID
        var conversation: ConversationID
        var conversationKey: Int64
        var parent: AnswerID?
        var delivery: Delivery.Code
        var passage: Int64
    }

    /// A turn without its text.
    func row(of turn: TurnID) throws -> TurnRow? {
        try connection.first(
            """
            SELECT t.key, t.id, c.id, t.conversation, t.parent, t.delivery, t.passage
            FROM turn t JOIN conversation c ON c.key = t.conversation WHERE t.id = ?
            """, .id(turn), read: Self.turnRow)
    }

    private static func turnRow(_ row: borrowing Row) throws(SQLiteFailure) -> TurnRow {
        guard let delivery = Delivery.Code(rawValue: row.integer(5)) else { throw .corrupt("an unknown delivery") }
        return TurnRow(
            key: row.integer64(0), id: try row.id(1), conversation: try row.id(2), conversationKey: row.integer64(3),
            parent: try row.optionalID(4), delivery: delivery, passage: row.integer64(6))
    }

    /// Writes a prompt, its answer to be and what the server is to be told, before anything is sent.
    func begin(_ turn: StoredTurn, answer: AnswerID, clearsDraft: Bool, isTemporary: Bool) throws -> Begun {
        if try isDeleted(turn.conversation) { return .deleted }
        if try row(of: turn.id) != nil || row(of: answer) != nil { return .repeated }
        let existing = try key(of: turn.conversation)
        if let parent = turn.parent {
            guard let owner = try row(of: parent), owner.conversation == turn.conversation else {
                return .unknownParent
            }
        }
        let conversation: Int64
        if let existing {
            conversation = existing
            try connection.run(
                "UPDATE conversation SET updated_at = max(updated_at, ?), selected = ? WHERE key = ?",
                .time(turn.createdAt), .id(answer), .integer(existing))
        } else {
            conversation = try insertConversation(
                StoredConversation(
                    id: turn.conversation, updatedAt: turn.createdAt, isTemporary: isTemporary, selected: answer,
                    isComplete: true))
        }
        let firstWords = FirstWords.title(of: ContentPart.text(of: turn.content))
        try retitle(conversation, firstWords.isEmpty ? .none : .firstWords(firstWords), at: turn.createdAt)
        let key = try insertTurn(turn, conversation: conversation)
        try insertAnswer(answer, turn: key, conversation: conversation, local: Self.local(for: turn.delivery))
        if clearsDraft { try removeDraft(of: existing == nil ? nil : turn.conversation) }
        if !isTemporary, turn.delivery.isUnsent || turn.delivery == .onDevice(staysHere: false) {
            try enqueue(.turn(turn.id, answer: answer), conversation: turn.conversation, at: turn.createdAt)
        }
        touch(turn.conversation)
        return .begun
    }

    /// Writes another answer to a turn, selected, and what the server is to be told.
    func beginAnswer(_ answer: AnswerID, to turn: TurnID, at time: Timestamp) throws -> Begun {
        guard let owner = try row(of: turn) else { return .unknownParent }
        if try row(of: answer) != nil { return .repeated }
        try insertAnswer(answer, turn: owner.key, conversation: owner.conversationKey, local: .sending)
        try select(answer, in: owner.conversationKey)
        if try !isTemporary(owner.conversationKey) {
            try enqueue(.regenerate(turn, answer), conversation: owner.conversation, at: time)
        }
        touch(owner.conversation)
        return .begun
    }

    /// Notes that a turn is being sent.
    func startSending(_ turn: TurnID) throws -> Bool {
        guard let row = try row(of: turn), row.delivery == .waiting else { return false }
        try setDelivery(.sending, of: row)
        return true
    }

    /// Notes that a turn which was being sent waits again.
    func postpone(_ turn: TurnID, since: Timestamp, expires: Timestamp?) throws -> Bool {
        guard let row = try row(of: turn), row.delivery == .sending else { return false }
        try setDelivery(.waiting(since: since, expires: expires), of: row)
        return true
    }

    /// Notes that the server has a turn.
    func deliver(_ turn: TurnID) throws -> Bool {
        guard let row = try row(of: turn), row.delivery != .delivered else { return false }
        try setDelivery(.delivered, of: row)
        try removeEntries(ofTurn: turn)
        return true
    }

    /// Puts a turn behind all that the server is known to have taken.
    func noteArrival(of turn: TurnID) throws {
        guard let row = try row(of: turn) else { return }
        try connection.run(
            """
            UPDATE turn SET position = (SELECT coalesce(max(position), -1) + 1 FROM turn WHERE conversation = ?1)
            WHERE key = ?2 AND position IS NULL
            """, .integer(row.conversationKey), .integer(row.key))
    }

    /// Notes that the server has the request for another answer.
    func deliver(_ answer: AnswerID) throws -> Bool {
        guard let row = try row(of: answer), row.local == .sending || row.local == .waiting else { return false }
        _ = try mark(answer, .streaming)
        try removeEntries(ofAnswer: answer)
        return true
    }

    /// Notes that a turn was declined, with all that follow it, and gives its words back to the draft.
    func refuse(_ turn: TurnID, _ refusal: ClientRefusal, at time: Timestamp) throws -> Bool {
        guard let row = try row(of: turn), row.delivery != .delivered else { return false }
        for follower in try unsentFollowers(of: row) {
            try setDelivery(.refused(ClientRefusal(.parentUnsent)), of: follower)
            try removeEntries(ofTurn: follower.id)
        }
        try setDelivery(.refused(refusal), of: row)
        try removeEntries(ofTurn: turn)
        try giveBack(row, to: row.conversation, at: time)
        return true
    }

    /// Notes that a turn waited too long, and all that follow it with it.
    func expire(_ turn: TurnID) throws -> Bool {
        guard let row = try row(of: turn), row.delivery == .waiting else { return false }
        for each in [row] + (try unsentFollowers(of: row)) {
            try setDelivery(.expired, of: each)
            try removeEntries(ofTurn: each.id)
        }
        return true
    }

    /// Sends a turn that was refused or expired once more.
    ///
    /// - Returns: its answer to be; nil if it is not a turn to send.
    func resend(_ turn: TurnID, as delivery: Delivery, at time: Timestamp) throws -> AnswerID? {
        guard let row = try row(of: turn), row.delivery == .refused || row.delivery == .expired,
            let answer = try answerIDs(of: row).last
        else { return nil }
        try setDelivery(delivery, of: row)
        try select(answer, in: row.conversationKey)
        if try !isTemporary(row.conversationKey) {
            try enqueue(.turn(turn, answer: answer), conversation: row.conversation, at: time)
        }
        return answer
    }

    /// Takes back a turn that the server has not got; what follows it then follows the one before.
    func cancelWaiting(_ turn: TurnID, at time: Timestamp) throws -> Bool {
        guard let row = try row(of: turn), row.delivery != .delivered, row.delivery != .sending else { return false }
        let answers = try answerIDs(of: row)
        try removeEntries(ofTurn: turn)
        // A conversation of this turn alone never began: its words go back to where the next one is written.
        let isAlone = try !connection.exists(
            """
            SELECT 1 FROM turn WHERE conversation = ?1 AND key <> ?2
            UNION ALL SELECT 1 FROM outbox WHERE conversation = ?3 AND kind <> ?4
            """, .integer(row.conversationKey), .integer(row.key), .id(row.conversation), Self.askForPathCode)
        // The words of a refused turn are in the draft already, or the person has thrown them away there.
        if isAlone, let draft = try draft(of: row.conversation), try self.draft(of: nil) == nil {
            try saveDraft(Draft(conversation: nil, text: draft.text, updatedAt: time))
        } else if row.delivery != .refused {
            try giveBack(row, to: isAlone ? nil : row.conversation, at: time)
        }
        var wasChosen = false
        for answer in answers {
            try connection.run(
                "UPDATE turn SET parent = ? WHERE conversation = ? AND parent = ?", .id(row.parent),
                .integer(row.conversationKey), .id(answer))
            let changed = try connection.run(
                "UPDATE conversation SET selected = ? WHERE key = ? AND selected = ?", .id(row.parent),
                .integer(row.conversationKey), .id(answer))
            if changed > 0 { wasChosen = true }
            try connection.run("DELETE FROM answer WHERE id = ?", .id(answer))
        }
        try connection.run("DELETE FROM turn WHERE key = ?", .integer(row.key))
        try removePassage(row.passage, erases: true)
        touch(row.conversation)
        if isAlone {
            try removeContent(of: row.conversation)
        } else if wasChosen {
            try dropChoice(in: row.conversation)
        }
        return true
    }

    /// Adds a turn's row and its passage.
    func insertTurn(_ turn: StoredTurn, conversation: Int64, position: Int? = nil) throws -> Int64 {
        let content = StoredContent(turn.content)
        let passage = try addPassage(content.body, conversation: conversation, at: turn.createdAt)
        try connection.run(
            """
            INSERT INTO turn (id, conversation, parent, position, passage, parts, model, created_at, delivery)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .id(turn.id), .integer(conversation), .id(turn.parent), .optional(position), .integer(passage),
            .optional(content.parts), .text(turn.model), .time(turn.createdAt), .integer(turn.delivery.code))
        let key = connection.lastInsertedKey
        try connection.run("UPDATE passage SET turn = ? WHERE key = ?", .integer(key), .integer(passage))
        try writeDelivery(turn.delivery, of: key)
        return key
    }

    /// The state of an answer whose turn is on its way like that.
    private static func local(for delivery: Delivery) -> LocalState {
        switch delivery {
        case .waiting: .waiting
        case .sending, .onDevice: .sending
        case .delivered: .streaming
        case .refused, .expired: .none
        }
    }

    /// Notes how far a turn is, and its answers that have not begun with it.
    func setDelivery(_ delivery: Delivery, of row: TurnRow) throws {
        try writeDelivery(delivery, of: row.key)
        if delivery.isDead { try forgetStops(of: row) }
        try connection.run(
            "UPDATE answer SET local = ? WHERE turn = ? AND seq = 0 AND local IN (0, 2, 3) AND state = 'queued'",
            .integer(Self.local(for: delivery).code), .integer(row.key))
        touch(row.conversation)
    }

    /// Drops the stops of answers that will not come: they were meant for this attempt, and not for the next one.
    private func forgetStops(of row: TurnRow) throws {
        try connection.run(
            "UPDATE answer SET local = 0 WHERE turn = ? AND seq = 0 AND local = ?", .integer(row.key),
            .integer(LocalState.stopRequested.code))
        for answer in try answerIDs(of: row) {
            try connection.run(
                "DELETE FROM outbox WHERE answer = ? AND kind = ?", .id(answer), Self.stopCode)
        }
    }

    private func writeDelivery(_ delivery: Delivery, of turn: Int64) throws {
        var since: Timestamp?
        var expires: Timestamp?
        var refusal: [UInt8]?
        switch delivery {
        case .waiting(let begun, let end): (since, expires) = (begun, end)
        case .refused(let reason): refusal = reason.json
        case .sending, .delivered, .expired, .onDevice: break
        }
        try connection.run(
            "UPDATE turn SET delivery = ?, waiting_since = ?, expires_at = ?, refusal = ? WHERE key = ?",
            .integer(delivery.code), .time(since), .time(expires), .optional(refusal), .integer(turn))
    }

    /// The turns below one that the server has not got either, nearest first.
    private func unsentFollowers(of row: TurnRow) throws -> [TurnRow] {
        let unsent = try connection.all(
            """
            SELECT t.key, t.id, c.id, t.conversation, t.parent, t.delivery, t.passage
            FROM turn t JOIN conversation c ON c.key = t.conversation
            WHERE t.conversation = ? AND t.delivery < 2 ORDER BY t.key
            """, .integer(row.conversationKey), read: Self.turnRow)
        var parents = Set(try answerIDs(of: row))
        var followers: [TurnRow] = []
        // A turn is always written after its parent.
        for turn in unsent {
            guard let parent = turn.parent, parents.contains(parent) else { continue }
            followers.append(turn)
            parents.formUnion(try answerIDs(of: turn))
        }
        return followers
    }

    private func answerIDs(of row: TurnRow) throws -> [AnswerID] {
        try connection.all(
            "SELECT id FROM answer WHERE turn = ? ORDER BY position IS NULL, position, key", .integer(row.key)
        ) { row throws(SQLiteFailure) in try row.id(0) }
    }

    /// Puts a turn's words into the draft, unless the person is writing something else there.
    private func giveBack(_ row: TurnRow, to place: ConversationID?, at time: Timestamp) throws {
        let text = try connection.first("SELECT body FROM passage WHERE key = ?", .integer(row.passage)) { $0.text(0) }
        guard let text, !text.isEmpty, try draft(of: place)?.text.isEmpty ?? true else { return }
        try saveDraft(Draft(conversation: place, text: text, updatedAt: time))
    }
}
