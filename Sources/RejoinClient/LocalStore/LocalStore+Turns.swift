public import RejoinCore

extension LocalStore {
    /// Writes a prompt with its answer to be, selects it, and notes that the server is to be told, in one step.
    ///
    /// Called before anything is sent. A conversation that is not here begins with it.
    ///
    /// - Parameters:
    ///   - turn: `sending`, or `waiting` for a connection.
    ///   - draftCleared: whether the words came out of the draft, which is then empty.
    ///   - isTemporary: whether a new conversation is to leave nothing behind; its turns never enter the outbox.
    @discardableResult
    public func begin(
        turn: StoredTurn, answer: AnswerID, draftCleared: Bool = true, isTemporary: Bool = false
    ) async throws -> Begun {
        let id = turn.conversation
        if isClosed(id) { return .deleted }
        var place = place(of: id)
        if place == .file, isTemporary || !keepsHistory {
            let isHere = try await read { try $0.key(of: id) != nil || $0.isDeleted(id) }
            if !isHere { place = .memory }
        }
        if place == .memory { keepInMemory(id, turns: [turn.id], answers: [answer]) }
        let begun = try await write(place) { transaction in
            let isTemporary = try transaction.key(of: id).map(transaction.isTemporary) ?? isTemporary
            return try transaction.begin(turn, answer: answer, clearsDraft: draftCleared, isTemporary: isTemporary)
        }
        // The words of a prompt that lives in memory may have been drafted in the file.
        if place == .memory, draftCleared, begun == .begun {
            try await write { try $0.removeDraft(of: nil) }
        }
        return begun
    }

    /// Writes another answer to a turn beside those it has, selects it, and notes that the server is to be told.
    @discardableResult
    public func beginAnswer(
        to turn: TurnID, answer: AnswerID, at time: Timestamp
    ) async throws -> Begun {
        let place = place(of: turn)
        let begun = try await write(place) { try $0.beginAnswer(answer, to: turn, at: time) }
        if place == .memory, begun == .begun, let id = try await self.turn(turn)?.conversation {
            keepInMemory(id, answers: [answer])
        }
        return begun
    }

    /// Notes that a turn that waited is being sent now.
    @discardableResult
    public func startSending(_ turn: TurnID) async throws -> Bool {
        try await write(place(of: turn)) { try $0.startSending(turn) }
    }

    /// Notes that a turn which was being sent waits again.
    @discardableResult
    public func postpone(
        _ turn: TurnID, since: Timestamp, expires: Timestamp?
    ) async throws -> Bool {
        try await write(place(of: turn)) { try $0.postpone(turn, since: since, expires: expires) }
    }

    /// Notes that the server has a turn; its entry leaves the outbox.
    @discardableResult
    public func deliver(_ turn: TurnID) async throws -> Bool {
        try await write(place(of: turn)) { try $0.deliver(turn) }
    }

    /// Notes that the feed tells of turns which are held here, in the order in which the server took them.
    ///
    /// A delivery alone does not say where a turn stands: its reply may be lost, and another turn be taken meanwhile.
    public func noteArrivals(of turns: [TurnID]) async throws {
        for (place, turns) in Dictionary(grouping: turns, by: place(of:)) {
            try await write(place) { for turn in turns { try $0.noteArrival(of: turn) } }
        }
    }

    /// Notes that the server has the request for another answer; its entry leaves the outbox.
    @discardableResult
    public func deliver(_ answer: AnswerID) async throws -> Bool {
        try await write(place(of: answer)) { try $0.deliver(answer) }
    }

    /// Notes that a turn was declined: its words go back to the draft unless something else is written there.
    ///
    /// Unsent turns that follow it are declined with it, as `parentUnsent`.
    @discardableResult
    public func refuse(
        _ turn: TurnID, _ reason: ClientRefusal, at time: Timestamp
    ) async throws -> Bool {
        try await write(place(of: turn)) { try $0.refuse(turn, reason, at: time) }
    }

    /// Ends an answer that the server declined to begin.
    @discardableResult
    public func refuse(_ answer: AnswerID, _ end: Event.End) async throws -> Bool {
        try await write(place(of: answer)) { try $0.refuse(answer: answer, end) }
    }

    /// Notes that a turn waited too long, and all that follow it with it.
    @discardableResult
    public func expire(_ turn: TurnID) async throws -> Bool {
        try await write(place(of: turn)) { try $0.expire(turn) }
    }

    /// Sends a turn that was refused or expired once more.
    ///
    /// - Returns: its answer; nil if it is not such a turn.
    public func resend(
        _ turn: TurnID, as delivery: Delivery, at time: Timestamp
    ) async throws -> AnswerID? {
        try await write(place(of: turn)) { try $0.resend(turn, as: delivery, at: time) }
    }

    /// Takes back a turn that was not sent; its words go to the draft unless something else is written there.
    ///
    /// What follows it follows the answer before it from then on.
    ///
    /// - Returns: false if it is being sent or was sent: then it is too late.
    @discardableResult
    public func cancelWaiting(_ turn: TurnID, at time: Timestamp) async throws -> Bool {
        try await write(place(of: turn)) { try $0.cancelWaiting(turn, at: time) }
    }
}
