public import RejoinCore

/// The calls of an owner: who has an account on the server, and who may make one.
///
/// Each throws ``ClientError``, with the code `forbidden` for who is no owner, and `CancellationError` when its task was
/// cancelled.
extension RejoinClient {
    /// Everybody who has an account, oldest first.
    public func people() async throws -> [Person] {
        try read(await call("GET", "/v1/accounts")) { $0.object?["items"]?.array?.compactMap(Person.init) }
    }

    /// Says what an account may do.
    ///
    /// - Throws: ``ClientError`` with the code `conflict` for the last owner.
    public func setRole(_ role: Person.Role, of account: AccountID) async throws {
        var json = JSONWriter()
        json.beginObject()
        json.member("role", role.rawValue)
        json.endObject()
        _ = try await call("PATCH", "/v1/accounts/\(account)", body: json.bytes)
    }

    /// Closes another one's account: everything of it is gone.
    public func closeAccount(_ account: AccountID) async throws {
        do { _ = try await call("DELETE", "/v1/accounts/\(account)") } catch let error as ClientError
            where error.isAbsence
        {
            // The reply to the first try was lost, or another owner was faster.
        }
    }

    /// All invitations, those that work no more among them.
    public func invitations() async throws -> [Invitation] {
        try read(await call("GET", "/v1/invites")) { $0.object?["items"]?.array?.compactMap(Invitation.init) }
    }

    /// Makes an invitation.
    ///
    /// It is asked for once: a reply that was lost leaves an invitation that nobody knows the link of.
    ///
    /// - Parameters:
    ///   - uses: how many accounts it is good for.
    ///   - days: how long it works.
    /// - Returns: the link to hand on, which is seen this once.
    /// - Throws: ``ClientError`` with the code `conflict` where the server takes no accounts.
    public func invite(uses: Int = 1, days: Int = 7) async throws -> String {
        var json = JSONWriter()
        json.beginObject()
        json.name("uses")
        json.integer(uses)
        json.name("days")
        json.integer(days)
        json.endObject()
        let reply = try await call("POST", "/v1/invites", body: json.bytes, attempts: 1)
        return address + (try read(reply) { $0.object?["path"]?.string })
    }

    /// Takes an invitation back.
    public func revoke(_ invitation: InviteID) async throws {
        _ = try await call("DELETE", "/v1/invites/\(invitation)")
    }
}
