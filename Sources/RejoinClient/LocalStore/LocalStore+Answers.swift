public import RejoinCore

extension LocalStore {
    /// Lets an answer grow by events of its log, in any order, held ones among them or not.
    ///
    /// What it costs does not depend on how long the answer is. Nothing after a hole is taken, and nothing that comes
    /// after a person's stop is shown.
    @discardableResult
    public func append(
        _ answer: AnswerID, events: [NumberedEvent]
    ) async throws -> Appended {
        try await write(place(of: answer)) { try $0.append(answer, events) }
    }

    /// Takes in an answer that was fetched whole.
    ///
    /// Its text is taken only as a continuation of the text that is shown, unless that was withdrawn.
    @discardableResult
    public func replace(_ answer: Answer) async throws -> Replaced {
        try await write(place(of: answer.id)) { try $0.replace(answer) }
    }

    /// Notes what the device knows of an answer; a withdrawal removes its text for good.
    ///
    /// - Returns: false if the answer is not here, has ended, was stopped by a person or withdrawn, or is so already.
    @discardableResult
    public func mark(_ answer: AnswerID, _ state: LocalState) async throws -> Bool {
        try await write(place(of: answer)) { try $0.mark(answer, state) }
    }

    /// Notes that a person stopped an answer, and that the server is to be told once.
    ///
    /// - Returns: false if it has ended, in which case nothing changes.
    @discardableResult
    public func requestStop(_ answer: AnswerID, at time: Timestamp) async throws -> Bool {
        try await write(place(of: answer)) { try $0.requestStop(answer, at: time) }
    }

    /// An answer with its text.
    public func answer(_ id: AnswerID) async throws -> StoredAnswer? {
        try await read(place(of: id)) { try $0.answer(id) }
    }

    /// The answers whose events are coming in.
    public func streamingAnswers() async throws -> [StoredAnswer] {
        try await unfinished([.streaming])
    }

    /// The answers that are to be recovered: those that dropped, and those that a person stopped.
    public func interruptedAnswers() async throws -> [StoredAnswer] {
        try await unfinished([.interrupted, .stopRequested])
    }

    /// Makes every answer that streamed when the process ended an interrupted one.
    ///
    /// - Returns: those answers, once.
    public func interruptLeftovers() async throws -> [AnswerID] {
        try await write { try $0.interruptLeftovers() }
    }

    private func unfinished(_ states: [LocalState]) async throws -> [StoredAnswer] {
        var answers = try await read { try $0.unfinished(states) }
        if usesMemory { answers += try await read(.memory) { try $0.unfinished(states) } }
        return answers
    }
}
