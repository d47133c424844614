public import RejoinCore

/// The calls that are answered at once.
///
/// Each throws ``ClientError``, and `CancellationError` when its task was cancelled.
extension RejoinClient {
    /// Stops an answer.
    ///
    /// Harmless when repeated, and when the answer has ended.
    ///
    /// - Returns: the state that the answer is in now.
    @discardableResult
    public func stop(_ answer: AnswerID) async throws -> String {
        try read(await call("POST", "/v1/answers/\(answer)/stop")) { $0.object?["state"]?.string }
    }

    /// The answer as it is stored now.
    public func answer(_ answer: AnswerID) async throws -> Answer {
        try read(await call("GET", "/v1/answers/\(answer)")) { Answer($0) }
    }

    /// The account's conversations, newest first.
    ///
    /// - Parameter before: the `next` of the page before; nil for the first page.
    public func conversations(limit: Int = 50, before: String? = nil) async throws -> Page<ConversationSummary> {
        var path = "/v1/conversations?limit=\(limit)"
        if let before { path += "&before=" + PercentEncoding.encode(before) }
        return try read(await call("GET", path)) { value in
            guard let object = value.object, let items = object["items"]?.array else { return nil }
            return Page(
                items: items.compactMap(ConversationSummary.init), next: object["next"]?.string,
                cursor: object["cursor"]?.integer)
        }
    }

    /// A conversation with its whole tree.
    public func conversation(_ conversation: ConversationID) async throws -> Conversation {
        try read(await call("GET", "/v1/conversations/\(conversation)")) { Conversation($0) }
    }

    /// Creates a conversation under an id of ours, or leaves the one that is there as it is.
    @discardableResult
    public func create(
        _ conversation: ConversationID, title: String? = nil, isTemporary: Bool = false
    ) async throws -> ConversationSummary {
        var json = JSONWriter()
        json.beginObject()
        json.member("title", title)
        if isTemporary {
            json.name("temporary")
            json.bool(true)
        }
        json.endObject()
        return try read(await call("PUT", "/v1/conversations/\(conversation)", body: json.bytes)) {
            ConversationSummary($0)
        }
    }

    /// Changes what is said about a conversation: its title, its place in the list, the path that is shown.
    @discardableResult
    public func change(
        _ conversation: ConversationID, _ patch: ConversationPatch
    ) async throws -> ConversationSummary {
        try read(await call("PATCH", "/v1/conversations/\(conversation)", body: patch.json)) {
            ConversationSummary($0)
        }
    }

    /// Deletes a conversation everywhere; deleting it twice is harmless.
    public func delete(_ conversation: ConversationID) async throws {
        _ = try await call("DELETE", "/v1/conversations/\(conversation)")
    }

    /// Deletes every conversation of the account.
    public func deleteAll() async throws { _ = try await call("DELETE", "/v1/conversations") }

    /// The models on offer.
    public func models() async throws -> [ModelSummary] {
        try read(await call("GET", "/v1/models")) { value in
            guard let object = value.object, let items = object["items"]?.array else { return nil }
            let standard = object["default"]?.string
            return items.compactMap { ModelSummary($0, standard: standard) }
        }
    }

    /// What changed in the account after a cursor; 0 is the beginning.
    public func changes(after cursor: Int) async throws -> Changes {
        try read(await call("GET", "/v1/changes?after=\(cursor)")) { value in
            guard let object = value.object, let changes = object["changes"]?.array,
                let cursor = object["cursor"]?.integer
            else { return nil }
            return Changes(
                changes: changes.compactMap(Change.init), cursor: cursor, hasMore: object["more"]?.bool ?? false)
        }
    }

    func read<Value>(_ value: JSONValue, _ reading: (JSONValue) -> Value?) throws -> Value {
        guard let read = reading(value) else {
            throw ClientError(.malformedReply, "members are missing or of the wrong kind")
        }
        return read
    }
}
