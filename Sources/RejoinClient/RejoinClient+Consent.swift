import RejoinCore

/// The calls about what a person has decided, and what happened to their account.
///
/// Each throws ``ClientError``, and `CancellationError` when its task was cancelled.
extension RejoinClient {
    /// What the person has decided.
    public func consent() async throws -> Consent { try read(await call("GET", "/v1/consent")) { Consent($0) } }

    /// Changes one decision, made on the version that was shown.
    ///
    /// - Returns: the decisions as they are now.
    /// - Throws: ``ClientError`` with the code `conflict` where somebody changed something since.
    public func decide(_ topic: Consent.Topic, isOn: Bool, version: Int) async throws -> Consent {
        var json = JSONWriter()
        json.beginObject()
        json.name(topic.rawValue)
        json.bool(isOn)
        json.endObject()
        return try await putConsent(json.bytes, version: version)
    }

    /// Changes after how many days without a word conversations are deleted; 0 keeps them.
    public func retain(days: Int, version: Int) async throws -> Consent {
        var json = JSONWriter()
        json.beginObject()
        json.name("retention_days")
        json.integer(days)
        json.endObject()
        return try await putConsent(json.bytes, version: version)
    }

    private func putConsent(_ body: [UInt8], version: Int) async throws -> Consent {
        let reply = try await call(
            "PUT", "/v1/consent", body: body, fields: [(name: "if-match", value: "\"\(version)\"")])
        return try read(reply) { Consent($0) }
    }

    /// What happened to the account, newest first.
    ///
    /// - Parameter before: the number of the last line of the page before.
    public func accountEvents(limit: Int = 50, before: Int? = nil) async throws -> [AccountEvent] {
        let path = "/v1/account/audit?limit=\(limit)" + (before.map { "&before=\($0)" } ?? "")
        return try read(await call("GET", path)) { $0.object?["items"]?.array?.compactMap(AccountEvent.init) }
    }
}
