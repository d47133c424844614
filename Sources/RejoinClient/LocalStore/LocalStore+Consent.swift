import RejoinCore

extension LocalStore {
    /// Keeps what the server said of the history switch, and keeps to it, also after a start without a connection.
    public func saveHistoryConsent(_ keeps: Bool) async throws {
        keepsHistory = keeps
        let known = try await read { try $0.historyConsent() }
        if known == keeps { return }
        try await write { try $0.saveHistoryConsent(keeps) }
    }

    /// Takes up what was last known of the history switch.
    func recallHistoryConsent() async throws {
        let known = try await read { try $0.historyConsent() }
        if let known { keepsHistory = known }
    }
}
