package import RejoinCore

/// What a ``PasskeyID`` names.
package enum PasskeyKind {}
/// A passkey of an account; the client makes the id.
package typealias PasskeyID = ID<PasskeyKind>

/// What an ``IdentityID`` names.
package enum IdentityKind {}
/// An account's identity at a provider.
package typealias IdentityID = ID<IdentityKind>

/// A passkey as the store keeps it: everything that is needed to check a signature, and nothing that could make one.
package struct PasskeyRecord: Equatable, Sendable {
    package var id: PasskeyID
    package var account: AccountID
    /// The authenticator's own name for it; no two passkeys of a server share one.
    package var credential: [UInt8]
    /// As COSE.
    package var publicKey: [UInt8]
    package var signCount: UInt32
    /// Never changes: a passkey that may be copied is made so.
    package var isBackupEligible: Bool
    package var isBackedUp: Bool
    /// How the authenticator is reached, in the words of WebAuthn.
    package var transports: [String]
    /// What the person calls it.
    package var name: String
    package var createdAt: Timestamp
    package var lastUsedAt: Timestamp?

    package init(
        id: PasskeyID, account: AccountID, credential: [UInt8], publicKey: [UInt8], signCount: UInt32,
        isBackupEligible: Bool, isBackedUp: Bool, transports: [String], name: String, createdAt: Timestamp,
        lastUsedAt: Timestamp? = nil
    ) {
        self.id = id
        self.account = account
        self.credential = credential
        self.publicKey = publicKey
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
        self.isBackedUp = isBackedUp
        self.transports = transports
        self.name = name
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }

    /// How many an account may have.
    package static let most = 50
}

/// What became of a passkey that was to be added.
package enum PasskeyPut: Equatable, Sendable {
    case added
    /// The account has it already under this id.
    case existing(PasskeyRecord)
    /// The id names another passkey of the account, or the credential is known already.
    case conflict
    /// The id is of another account.
    case notFound
    /// The account has as many as it may have.
    case full
}

/// Who an account's person is at a provider: by issuer and subject, never by an e-mail address, which may change hands.
package struct IdentityRecord: Equatable, Sendable {
    package var id: IdentityID
    package var account: AccountID
    package var issuer: String
    package var subject: String
    /// What the provider calls the person; shown to nobody else.
    package var name: String?
    package var createdAt: Timestamp
    package var lastUsedAt: Timestamp?

    package init(
        id: IdentityID, account: AccountID, issuer: String, subject: String, name: String?, createdAt: Timestamp,
        lastUsedAt: Timestamp? = nil
    ) {
        self.id = id
        self.account = account
        self.issuer = issuer
        self.subject = subject
        self.name = name
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}

/// What became of an identity that was to be linked.
package enum IdentityLink: Equatable, Sendable {
    case linked
    /// The account has it already.
    case existing
    /// It is another account's.
    case taken
}
