package import RejoinCore

/// The verbs about people: who may come in, what they may do, and on which devices they are.
package protocol PeopleStore: Sendable {
    // MARK: Accounts

    /// Creates an account by an invitation, of which it takes one use.
    func register(
        _ account: AccountRecord, invite codeHash: [UInt8], now: Timestamp
    ) async throws -> InvitedAccount
    /// Gives an account a role, unless the last owner would lose it.
    func setRole(_ role: Role, of account: AccountID, now: Timestamp) async throws -> RoleChange
    /// Whether the account is the only owner while there are other accounts.
    func isLastOwner(_ account: AccountID) async throws -> Bool
    /// Replaces the password; where there was one, every device but one is signed out.
    ///
    /// - Parameter device: the device that stays signed in.
    /// - Returns: the devices that were signed out; nil if there is no such account.
    func setPassword(
        hash: String, of account: AccountID, keeping device: SessionID?, now: Timestamp
    ) async throws -> [SessionID]?

    // MARK: Devices

    /// Gives a device another name; false if the account has no such device.
    func renameSession(_ id: SessionID, of account: AccountID, to device: String, now: Timestamp) async throws -> Bool
    /// Signs every other device of the account out.
    func closeSessions(of account: AccountID, but kept: SessionID, now: Timestamp) async throws -> [SessionID]
    /// Notes when devices were seen; one that is gone is left out.
    func noteSeen(_ seen: [SessionID: Timestamp]) async throws
    /// Those of some devices that are signed in still.
    func signedIn(among ids: [SessionID]) async throws -> Set<SessionID>

    // MARK: Invitations

    func createInvite(_ invite: InviteRecord, codeHash: [UInt8]) async throws
    /// All that are listed, newest first.
    func invites() async throws -> [InviteRecord]
    func invite(codeHash: [UInt8]) async throws -> InviteRecord?
    /// Takes an invitation back; false if there is none of that id.
    func revokeInvite(_ id: InviteID, now: Timestamp) async throws -> Bool

    // MARK: Guessing

    /// Counts an attempt under each key, unless one of them has to wait.
    ///
    /// - Returns: when the last of the waits is over; nil if the attempt was counted.
    func beginAttempt(_ keys: [Attempts.Key], now: Timestamp) async throws -> Timestamp?
    /// Takes back what an attempt counted that was right.
    ///
    /// - Parameters:
    ///   - cleared: keys that are forgotten.
    ///   - eased: keys that lose one attempt.
    func forgiveAttempt(cleared: [Attempts.Key], eased: [Attempts.Key]) async throws
    /// Whether the account was signed in from an address before.
    func isFamiliar(_ addressHash: [UInt8], to account: AccountID) async throws -> Bool
    /// Notes that the account was signed in from an address; of each account the newest hundred are kept.
    func noteFamiliar(_ addressHash: [UInt8], to account: AccountID, at now: Timestamp) async throws
    /// Forgets attempts, addresses and invitations that have outlived their time.
    func expirePeople(now: Timestamp) async throws
}

/// What creating an account by an invitation did.
package enum InvitedAccount: Equatable, Sendable {
    case created
    case nameTaken
    /// The invitation does not work, or no longer; nil if there never was one.
    case refused(InviteRecord.State?)
}

/// What giving a role did.
package enum RoleChange: Equatable, Sendable {
    case changed, notFound, lastOwner
}

/// How long and how many addresses of an account are familiar.
package enum FamiliarAddresses {
    package static let perAccount = 100
    /// 90 days, in milliseconds.
    package static let memory: Int64 = 90 * 86_400_000
}
