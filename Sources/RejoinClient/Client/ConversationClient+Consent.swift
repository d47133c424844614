import RejoinCore

extension ConversationClient {
    /// What the person has decided, by the server; this device keeps history or not as it says.
    ///
    /// - Throws: ``ClientRefusal``.
    public func consent() async throws -> Consent {
        try await adopting { try await $0.consent() }
    }

    /// Changes a decision; it holds when this returns.
    ///
    /// - Throws: ``ClientRefusal``; nothing changed then.
    public func decide(_ topic: Consent.Topic, isOn: Bool, version: Int) async throws -> Consent {
        try await adopting { try await $0.decide(topic, isOn: isOn, version: version) }
    }

    /// Changes after how many days without a word conversations are deleted.
    ///
    /// - Throws: ``ClientRefusal``; nothing changed then.
    public func retain(days: Int, version: Int) async throws -> Consent {
        try await adopting { try await $0.retain(days: days, version: version) }
    }

    private func adopting(_ call: (RejoinClient) async throws -> Consent) async throws -> Consent {
        let consent = try await ask(call)
        tracker.noteAnswer()
        do {
            try await store.saveHistoryConsent(consent[.history])
        } catch is LocalStoreError {
            throw ClientRefusal(.notKept)
        }
        return consent
    }

    /// Reads the decisions once in a session, as soon as the server answers; later changes come by the feed.
    func readConsentAlong() async {
        while !Task.isCancelled {
            let better = tracker.better.count
            if tracker.mayTry, await adoptConsent() { return }
            guard await pause(beyond: better, nil) else { return }
        }
    }

    /// Reads the decisions anew, because they changed or were not read yet.
    ///
    /// A server without them leaves this device as it is.
    ///
    /// - Returns: whether the server answered.
    @discardableResult
    func adoptConsent() async -> Bool {
        do {
            _ = try await consent()
            hub.post(.consent)
            return true
        } catch {
            return (error as? ClientRefusal).map { $0.code != .offline } ?? false
        }
    }
}
