package import RejoinCore

/// The part of a store that keeps the ways to sign in beside passwords.
///
/// What is added or goes is in the account's feed and in its audit.
package protocol KeyStore: Sendable {
    // MARK: Passkeys

    func addPasskey(_ passkey: PasskeyRecord) async throws -> PasskeyPut
    /// A passkey of the account; nil if it has none of that id.
    func passkey(_ id: PasskeyID, of account: AccountID) async throws -> PasskeyRecord?
    /// The passkey of an id, whoever's it is.
    func passkey(_ id: PasskeyID) async throws -> PasskeyRecord?
    /// Whoever's passkey has this credential.
    func passkey(credential: [UInt8]) async throws -> PasskeyRecord?
    /// The account's passkeys, oldest first.
    func passkeys(of account: AccountID) async throws -> [PasskeyRecord]
    /// Notes a sign-in by a passkey, if its counter still goes up.
    ///
    /// - Returns: false, with nothing changed, if the passkey is gone or another sign-in came with a later count.
    func notePasskeyUse(_ id: PasskeyID, signCount: UInt32, isBackedUp: Bool, now: Timestamp) async throws -> Bool
    /// Gives a passkey another name; nil if the account has none of that id.
    func renamePasskey(
        _ id: PasskeyID, of account: AccountID, to name: String, now: Timestamp
    ) async throws -> PasskeyRecord?
    /// Forgets a passkey, which signs in no more; false if the account has none of that id.
    func deletePasskey(_ id: PasskeyID, of account: AccountID, now: Timestamp) async throws -> Bool

    // MARK: Identities at a provider

    func identity(issuer: String, subject: String) async throws -> IdentityRecord?
    /// The account's identities, oldest first.
    func identities(of account: AccountID) async throws -> [IdentityRecord]
    /// Links an identity to the account that it names.
    func linkIdentity(_ identity: IdentityRecord) async throws -> IdentityLink
    /// Creates an account that an identity signs in to, unless its name or the identity is taken.
    ///
    /// - Returns: false if one is; nothing changed then.
    func createAccount(
        _ account: AccountRecord, keepsHistory: Bool, identity: IdentityRecord
    ) async throws -> Bool
    func noteIdentityUse(_ id: IdentityID, now: Timestamp) async throws
    /// Forgets an identity, which signs in no more; false if the account has none of that id.
    func unlinkIdentity(_ id: IdentityID, of account: AccountID, now: Timestamp) async throws -> Bool
}
