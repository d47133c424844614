package import RejoinCore
package import RejoinServer

extension MemoryStore {
    package func addPasskey(_ passkey: PasskeyRecord) async throws -> PasskeyPut {
        try write { try $0.addPasskey(passkey) }
    }
    package func passkey(_ id: PasskeyID, of account: AccountID) async throws -> PasskeyRecord? {
        try read { $0.passkeys.first { $0.id == id && $0.account == account } }
    }
    package func passkey(_ id: PasskeyID) async throws -> PasskeyRecord? {
        try read { $0.passkeys.first { $0.id == id } }
    }
    package func passkey(credential: [UInt8]) async throws -> PasskeyRecord? {
        try read { $0.passkeys.first { $0.credential == credential } }
    }
    package func passkeys(of account: AccountID) async throws -> [PasskeyRecord] {
        try read { $0.passkeys(of: account) }
    }
    package func notePasskeyUse(
        _ id: PasskeyID, signCount: UInt32, isBackedUp: Bool, now: Timestamp
    ) async throws -> Bool {
        try write { $0.notePasskeyUse(id, signCount: signCount, isBackedUp: isBackedUp, now: now) }
    }
    package func renamePasskey(
        _ id: PasskeyID, of account: AccountID, to name: String, now: Timestamp
    ) async throws -> PasskeyRecord? {
        try write { try $0.renamePasskey(id, of: account, to: name, now: now) }
    }
    package func deletePasskey(_ id: PasskeyID, of account: AccountID, now: Timestamp) async throws -> Bool {
        try write { try $0.deletePasskey(id, of: account, now: now) }
    }

    package func identity(issuer: String, subject: String) async throws -> IdentityRecord? {
        try read { $0.identity(issuer: issuer, subject: subject) }
    }
    package func identities(of account: AccountID) async throws -> [IdentityRecord] {
        try read { $0.identities(of: account) }
    }
    package func linkIdentity(_ identity: IdentityRecord) async throws -> IdentityLink {
        try write { try $0.linkIdentity(identity) }
    }
    package func createAccount(
        _ account: AccountRecord, keepsHistory: Bool, identity: IdentityRecord
    ) async throws -> Bool {
        try write { tables in
            guard tables.identity(issuer: identity.issuer, subject: identity.subject) == nil,
                try tables.createAccount(account, keepsHistory: keepsHistory)
            else { return false }
            return try tables.linkIdentity(identity) == .linked
        }
    }
    package func noteIdentityUse(_ id: IdentityID, now: Timestamp) async throws {
        try write { tables in
            for index in tables.identities.indices where tables.identities[index].id == id {
                tables.identities[index].lastUsedAt = now
            }
        }
    }
    package func unlinkIdentity(_ id: IdentityID, of account: AccountID, now: Timestamp) async throws -> Bool {
        try write { try $0.unlinkIdentity(id, of: account, now: now) }
    }
}
