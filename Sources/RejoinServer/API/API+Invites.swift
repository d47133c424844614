import HTTPServer
import RejoinCore

/// Invitations: made and taken back by owners, looked at by whoever was given one.
extension API {
    private static let longestDays = 365
    private static let mostUses = 1000

    func listInvites(_ call: Call) async throws {
        let invites = try await store.invites()
        let now = surroundings.wall()
        try await call.respond(200) { json in
            json.beginObject()
            json.name("items")
            json.beginArray()
            for invite in invites {
                json.beginObject()
                json.inviteMembers(invite, at: now)
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
    }

    func createInvite(_ call: Call, _ caller: SessionRecord) async throws {
        guard people.registration != .closed else {
            throw Problem(.conflict, "Nobody could use it: the server is configured with registration \"closed\".")
        }
        let object = try await call.object(limit: 4096)
        let uses = try Self.count("uses", object, 1...Self.mostUses) ?? 1
        let days = try Self.count("days", object, 1...Self.longestDays) ?? 7
        let (invite, code) = try await accounts.makeInvite(
            by: caller.account, uses: uses, validFor: .seconds(days * 86_400))
        try await call.respond(201) { json in
            json.beginObject()
            json.inviteMembers(invite, at: surroundings.wall())
            json.member("code", code)
            json.member("path", "/#invite=" + code)
            json.endObject()
        }
    }

    private static func count(
        _ name: String, _ object: RequestObject, _ bounds: ClosedRange<Int>
    ) throws(Problem) -> Int? {
        guard let value = object.value(name) else { return nil }
        guard let count = value.integer, bounds.contains(count) else {
            throw RequestObject.wrongType(name, "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return count
    }

    func revokeInvite(_ id: InviteID, _ call: Call) async throws {
        guard try await store.revokeInvite(id, now: surroundings.wall()) else {
            throw Problem(.notFound, "There is no such invitation.")
        }
        try await call.respond(204, fields: [:], body: [])
    }

    /// Says whether an invitation works, to whoever holds its code: before a form is filled in for nothing.
    func lookAtInvite(_ call: Call) async throws {
        let code = try await call.object(limit: 4096).requiredString("invite")
        let invite = people.registration == .closed ? nil : try await accounts.lookAtInvite(code)
        let state = invite?.state(at: surroundings.wall()).rawValue ?? "unknown"
        try await call.respond(200) { json in
            json.beginObject()
            json.member("state", state)
            if let invite {
                json.name("expires_at")
                json.time(invite.expiresAt)
            }
            json.endObject()
        }
    }
}

extension JSONWriter {
    fileprivate mutating func inviteMembers(_ invite: InviteRecord, at now: Timestamp) {
        name("id")
        id(invite.id)
        member("state", invite.state(at: now).rawValue)
        name("uses")
        integer(invite.uses)
        name("used")
        integer(invite.used)
        name("created_at")
        time(invite.createdAt)
        name("expires_at")
        time(invite.expiresAt)
    }
}
