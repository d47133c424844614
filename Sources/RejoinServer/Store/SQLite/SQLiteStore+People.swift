package import RejoinCore

// The verbs about people.

extension SQLiteStore {
    package func register(
        _ account: AccountRecord, invite codeHash: [UInt8], now: Timestamp
    ) async throws -> InvitedAccount {
        try await write { try $0.register(account, invite: codeHash, now: now) }
    }

    package func setRole(_ role: Role, of account: AccountID, now: Timestamp) async throws -> RoleChange {
        try await write { try $0.setRole(role, of: account, now: now) }
    }

    package func isLastOwner(_ account: AccountID) async throws -> Bool {
        try await read { try $0.isLastOwner(account) }
    }

    package func setPassword(
        hash: String, of account: AccountID, keeping device: SessionID?, now: Timestamp
    ) async throws -> [SessionID]? {
        try await write { try $0.setPassword(hash: hash, of: account, keeping: device, now: now) }
    }

    package func renameSession(
        _ id: SessionID, of account: AccountID, to device: String, now: Timestamp
    ) async throws -> Bool {
        try await write { try $0.renameSession(id, of: account, to: device, now: now) }
    }

    package func closeSessions(
        of account: AccountID, but kept: SessionID, now: Timestamp
    ) async throws -> [SessionID] {
        try await write { try $0.closeSessions(of: account, but: kept, now: now) }
    }

    package func noteSeen(_ seen: [SessionID: Timestamp]) async throws { try await write { try $0.noteSeen(seen) } }

    package func signedIn(among ids: [SessionID]) async throws -> Set<SessionID> {
        try await read { try $0.signedIn(among: ids) }
    }

    package func createInvite(_ invite: InviteRecord, codeHash: [UInt8]) async throws {
        try await write { try $0.createInvite(invite, codeHash: codeHash) }
    }

    package func invites() async throws -> [InviteRecord] { try await read { try $0.invites() } }

    package func invite(codeHash: [UInt8]) async throws -> InviteRecord? {
        try await read { try $0.invite(codeHash: codeHash) }
    }

    package func revokeInvite(_ id: InviteID, now: Timestamp) async throws -> Bool {
        try await write { try $0.revokeInvite(id, now: now) }
    }

    package func beginAttempt(_ keys: [Attempts.Key], now: Timestamp) async throws -> Timestamp? {
        try await write { try $0.beginAttempt(keys, now: now) }
    }

    package func forgiveAttempt(cleared: [Attempts.Key], eased: [Attempts.Key]) async throws {
        try await write { try $0.forgiveAttempt(cleared: cleared, eased: eased) }
    }

    package func isFamiliar(_ addressHash: [UInt8], to account: AccountID) async throws -> Bool {
        try await read { try $0.isFamiliar(addressHash, to: account) }
    }

    package func noteFamiliar(_ addressHash: [UInt8], to account: AccountID, at now: Timestamp) async throws {
        try await write { try $0.noteFamiliar(addressHash, to: account, at: now) }
    }

    package func expirePeople(now: Timestamp) async throws { try await write { try $0.expirePeople(now: now) } }
}
