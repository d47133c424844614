internal import RejoinCore
internal import SQLite

extension LocalTransaction {
    /// Whether nobody but this device has ever heard of a conversation, and nobody will.
    func isOnlyHere(_ conversation: Int64) throws -> Bool {
        let codes = (Delivery.Code.staysHere.rawValue, Delivery.Code.refused.rawValue, Delivery.Code.expired.rawValue)
        let known = try connection.exists(
            "SELECT 1 FROM turn WHERE conversation = ? AND delivery NOT IN (?, ?, ?)", .integer(conversation),
            .integer(codes.0), .integer(codes.1), .integer(codes.2))
        if known { return false }
        return try connection.exists(
            "SELECT 1 FROM turn WHERE conversation = ? AND delivery = ?", .integer(conversation), .integer(codes.0))
    }

    /// Notes that this device answers a turn which has not left it.
    func takeOver(_ turn: TurnID) throws -> Bool {
        guard let row = try row(of: turn), row.delivery == .sending || row.delivery == .waiting else { return false }
        try setDelivery(.onDevice(staysHere: false), of: row)
        return true
    }

    /// Notes that a turn that this device answered will never be given to the server.
    func keepHere(_ turn: TurnID) throws -> Bool {
        guard let row = try row(of: turn), row.delivery == .onDevice else { return false }
        try setDelivery(.onDevice(staysHere: true), of: row)
        try removeEntries(ofTurn: turn)
        return true
    }

    /// Ends what this device was answering when its process ended: nobody else knows how it goes on.
    func interruptDeviceAnswers(except running: Set<AnswerID>) throws -> [AnswerID] {
        let unfinished: [AnswerID] = try connection.all(
            """
            SELECT a.id FROM turn t JOIN answer a ON a.turn = t.key
            WHERE t.delivery > 4 AND a.state IN ('queued', 'streaming') ORDER BY a.id
            """
        ) { row throws(SQLiteFailure) in try row.id(0) }
        let left = unfinished.filter { !running.contains($0) }
        for id in left {
            guard let row = try row(of: id), let stored = try answer(id) else { continue }
            let end = Event.End(.interrupted, reason: nil)
            try save(stored.answer.ended(end, seq: stored.answer.seq + 1), of: row, local: .none)
        }
        return left
    }
}
