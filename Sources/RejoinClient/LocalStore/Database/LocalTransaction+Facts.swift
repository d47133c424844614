internal import RejoinCore
internal import SQLite

extension LocalTransaction {
    /// How far the account's feed was read.
    func syncState() throws -> SyncState {
        guard let object = try object("sync") else { return SyncState() }
        return SyncState(cursor: object["cursor"]?.integer ?? 0, listedAt: object.time("listed_at"))
    }

    /// Notes how far the account's feed was read.
    func setSyncState(_ state: SyncState) throws {
        var json = JSONWriter()
        json.beginObject()
        json.name("cursor")
        json.integer(state.cursor)
        json.member("listed_at", state.listedAt)
        json.endObject()
        try setFact("sync", json.bytes)
    }

    /// The limits that the server told last.
    func limits() throws -> LimitsSnapshot? {
        guard let object = try object("limits"), let asOf = object.time("as_of") else { return nil }
        let items = (object["items"]?.array ?? []).compactMap { value -> Limit? in
            guard let item = value.object, let capability = item["capability"]?.string else { return nil }
            return Limit(
                capability: capability, plan: item["plan"]?.string, limit: item["limit"]?.integer,
                remaining: item["remaining"]?.integer, resetsAt: item.time("resets_at"), asOf: item.time("as_of"))
        }
        return LimitsSnapshot(items: items, asOf: asOf)
    }

    /// Keeps what the server told of limits.
    func saveLimits(_ limits: LimitsSnapshot) throws {
        var json = JSONWriter()
        json.beginObject()
        json.member("as_of", limits.asOf)
        json.name("items")
        json.beginArray()
        for item in limits.items {
            json.beginObject()
            json.member("capability", item.capability)
            json.member("plan", item.plan)
            json.member("limit", item.limit)
            json.member("remaining", item.remaining)
            json.member("resets_at", item.resetsAt)
            json.member("as_of", item.asOf)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        try setFact("limits", json.bytes)
        change.limits = true
    }

    /// What the server said of the history switch; nil if it never did.
    func historyConsent() throws -> Bool? { try object("consent")?["history"]?.bool }

    /// Keeps what the server said of the history switch.
    func saveHistoryConsent(_ keeps: Bool) throws {
        var json = JSONWriter()
        json.beginObject()
        json.name("history")
        json.bool(keeps)
        json.endObject()
        try setFact("consent", json.bytes)
    }

    private func object(_ name: String) throws -> JSONObject? {
        guard let bytes = try fact(name) else { return nil }
        guard let object = try? JSONReader.parse(bytes).object else {
            throw SQLiteFailure.corrupt("a fact is not readable")
        }
        return object
    }
}

extension JSONObject {
    /// A moment under a name.
    fileprivate func time(_ name: String) -> Timestamp? { self[name]?.string.flatMap { Timestamp($0) } }
}

extension JSONWriter {
    /// Writes a member, or nothing for nil.
    fileprivate mutating func member(_ name: String, _ value: Timestamp?) {
        guard let value else { return }
        self.name(name)
        time(value)
    }

    /// Writes a member, or nothing for nil.
    fileprivate mutating func member(_ name: String, _ value: Int?) {
        guard let value else { return }
        self.name(name)
        integer(value)
    }
}
