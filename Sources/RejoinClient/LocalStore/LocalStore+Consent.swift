import RejoinCore

extension LocalStore {
    /// Keeps what the server said of the history switch, and keeps to it, also after a start without a connection.
    public func saveHistoryConsent(_ keeps: Bool) async throws {
        keepsHistory = keeps
        guard try await read({ try $0.historyConsent() }) != keeps else { return }
        try await write { try $0.saveHistoryConsent(keeps) }
    }

    /// Takes up what was last known of the history switch.
    func recallHistoryConsent() async throws {
        if let keeps = try await read({ try $0.historyConsent() }) { keepsHistory = keeps }
    }
}
