import RejoinCore
import RejoinServer

/// A passkey and an identity for tests that need them to be there, and not to sign anybody in.
enum KeyFixture {
    static func passkey(_ id: PasskeyID, of account: AccountID, credential: [UInt8], at: Timestamp = 5) -> PasskeyRecord
    {
        PasskeyRecord(
            id: id, account: account, credential: credential, publicKey: [0xA0], signCount: 3, isBackupEligible: true,
            isBackedUp: false, transports: ["internal", "hybrid"], name: "secret key", createdAt: at)
    }

    static func identity(_ id: IdentityID, of account: AccountID, subject: String, at: Timestamp = 5) -> IdentityRecord
    {
        IdentityRecord(
            id: id, account: account, issuer: "https://login.example", subject: subject, name: "secret name",
            createdAt: at)
    }

    /// Gives an account one of each.
    static func give(to account: AccountID, in store: any Store) async throws -> (PasskeyRecord, IdentityRecord) {
        let passkey = passkey(PasskeyID(high: 7, low: 7), of: account, credential: [7])
        let identity = identity(IdentityID(high: 7, low: 8), of: account, subject: "7")
        _ = try await store.addPasskey(passkey)
        _ = try await store.linkIdentity(identity)
        return (passkey, identity)
    }
}
