package import RejoinCore

// The verbs about the ways to sign in beside passwords.

extension SQLiteStore {
    package func addPasskey(_ passkey: PasskeyRecord) async throws -> PasskeyPut {
        try await write { try $0.addPasskey(passkey) }
    }

    package func passkey(_ id: PasskeyID, of account: AccountID) async throws -> PasskeyRecord? {
        try await read { try $0.passkey(id, of: account) }
    }

    package func passkey(_ id: PasskeyID) async throws -> PasskeyRecord? {
        try await read { try $0.passkey(id) }
    }

    package func passkey(credential: [UInt8]) async throws -> PasskeyRecord? {
        try await read { try $0.passkey(credential: credential) }
    }

    package func passkeys(of account: AccountID) async throws -> [PasskeyRecord] {
        try await read { try $0.passkeys(of: account) }
    }

    package func notePasskeyUse(
        _ id: PasskeyID, signCount: UInt32, isBackedUp: Bool, now: Timestamp
    ) async throws -> Bool {
        try await write { try $0.notePasskeyUse(id, signCount: signCount, isBackedUp: isBackedUp, now: now) }
    }

    package func renamePasskey(
        _ id: PasskeyID, of account: AccountID, to name: String, now: Timestamp
    ) async throws -> PasskeyRecord? {
        try await write { try $0.renamePasskey(id, of: account, to: name, now: now) }
    }

    package func deletePasskey(_ id: PasskeyID, of account: AccountID, now: Timestamp) async throws -> Bool {
        try await write { try $0.deletePasskey(id, of: account, now: now) }
    }

    package func identity(issuer: String, subject: String) async throws -> IdentityRecord? {
        try await read { try $0.identity(issuer: issuer, subject: subject) }
    }

    package func identities(of account: AccountID) async throws -> [IdentityRecord] {
        try await read { try $0.identities(of: account) }
    }

    package func linkIdentity(_ identity: IdentityRecord) async throws -> IdentityLink {
        try await write { try $0.linkIdentity(identity) }
    }

    package func createAccount(
        _ account: AccountRecord, keepsHistory: Bool, identity: IdentityRecord
    ) async throws -> Bool {
        try await write { try $0.createAccount(account, keepsHistory: keepsHistory, identity: identity) }
    }

    package func noteIdentityUse(_ id: IdentityID, now: Timestamp) async throws {
        try await write { try $0.noteIdentityUse(id, now: now) }
    }

    package func unlinkIdentity(_ id: IdentityID, of account: AccountID, now: Timestamp) async throws -> Bool {
        try await write { try $0.unlinkIdentity(id, of: account, now: now) }
    }
}
