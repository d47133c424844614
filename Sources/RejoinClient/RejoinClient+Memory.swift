public import RejoinCore

/// The calls about what is remembered of the person.
///
/// Each throws ``ClientError``, and `CancellationError` when its task was cancelled.
extension RejoinClient {
    /// Everything that is remembered, and what is proposed.
    public func memory() async throws -> Memory { try read(await call("GET", "/v1/memory")) { Memory($0) } }

    /// Has a fact remembered.
    ///
    /// - Returns: the fact, or the one that said the same already.
    /// - Throws: ``ClientError`` with the code `conflict` while memory is off.
    @discardableResult
    public func remember(_ text: String) async throws -> RememberedFact {
        var json = JSONWriter()
        json.beginObject()
        json.name("id")
        json.id(ids.make() as FactID)
        json.member("text", text)
        json.endObject()
        return try read(await call("POST", "/v1/memory", body: json.bytes)) { RememberedFact($0) }
    }

    /// Puts a fact into other words, which are the person's then.
    @discardableResult
    public func reword(_ fact: FactID, _ text: String) async throws -> RememberedFact {
        try await patch(fact, "text", text)
    }

    /// Accepts what a model proposed.
    @discardableResult
    public func accept(_ fact: FactID) async throws -> RememberedFact {
        try await patch(fact, "state", "accepted")
    }

    private func patch(_ fact: FactID, _ name: String, _ value: String) async throws -> RememberedFact {
        var json = JSONWriter()
        json.beginObject()
        json.member(name, value)
        json.endObject()
        return try read(await call("PATCH", "/v1/memory/\(fact)", body: json.bytes)) { RememberedFact($0) }
    }

    /// Deletes a fact, or declines a proposal: it is not proposed again.
    public func forget(_ fact: FactID) async throws {
        do { _ = try await call("DELETE", "/v1/memory/\(fact)") } catch let error as ClientError where error.isAbsence {
            // Somebody was faster, or the reply to the first try was lost.
        }
    }

    /// Deletes everything that is remembered.
    public func forgetEverything() async throws { _ = try await call("DELETE", "/v1/memory") }
}
