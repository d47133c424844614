public import RejoinCore

extension LocalStore {
    /// Notes that this device answers a turn which has not left it; the server is given both once the answer has ended.
    ///
    /// - Returns: false if the turn was answered, or may have been sent.
    @discardableResult
    public func takeOver(_ turn: TurnID) async throws -> Bool {
        try await write(place(of: turn)) { try $0.takeOver(turn) }
    }

    /// Notes that a turn that this device answered stays here: the server declined it.
    @discardableResult
    public func keepHere(_ turn: TurnID) async throws -> Bool {
        try await write(place(of: turn)) { try $0.keepHere(turn) }
    }

    /// Ends, as interrupted, what this device was answering when an earlier process ended.
    ///
    /// - Parameter running: the answers that this process is making.
    /// - Returns: the answers that ended.
    @discardableResult
    public func interruptDeviceAnswers(except running: Set<AnswerID>) async throws -> [AnswerID] {
        try await write { try $0.interruptDeviceAnswers(except: running) }
    }
}
