import Crypto
import RejoinCore

/// Passkeys of accounts: what a browser is asked for, and what becomes of its answer.
final class Passkeys: Sendable {
    private let store: any Store
    private let accounts: Accounts
    private let address: PublicAddress
    private let surroundings: Surroundings
    private let mint: TicketMint

    /// What a challenge is for; it is good for nothing else.
    private enum Purpose {
        static let registration = "passkey registration"
        static let signIn = "passkey sign-in"
    }

    init(store: any Store, accounts: Accounts, address: PublicAddress, surroundings: Surroundings) {
        self.store = store
        self.accounts = accounts
        self.address = address
        self.surroundings = surroundings
        mint = TicketMint(lifetime: .seconds(300), surroundings: surroundings)
    }

    // MARK: Adding

    /// What a browser needs for a new passkey, as its `parseCreationOptionsFromJSON` takes it.
    ///
    /// - Throws: a ``Problem`` where there can be no passkeys.
    func registrationOptions(for account: AccountID) async throws -> PasskeyOptions {
        let party = try address.relyingParty()
        let name = try await store.account(account)?.name ?? ""
        let known = try await store.passkeys(of: account)
        let challenge = mint.make(Purpose.registration, for: account.bytes)
        return .registration(party, account: account, name: name, known: known, challenge: challenge)
    }

    /// Keeps what an authenticator made, after all checks.
    ///
    /// - Returns: the passkey, and whether it is new; the same request again finds it there.
    /// - Throws: a ``Problem``.
    func add(
        _ id: PasskeyID, name: String, credential: JSONValue?, of account: AccountID
    ) async throws -> (PasskeyRecord, isNew: Bool) {
        let known = try await store.passkey(id)
        if let known, known.account != account { throw Self.missing }
        let party = try address.relyingParty()
        let record: PasskeyRecord
        do throws(PasskeyFault) {
            let reply = try RegistrationReply(credential)
            let isRepeat = known?.credential == reply.credential
            let made = try PasskeyCeremony(party: party).register(reply) { challenge in
                // Who did not hear back sends the same again: its challenge was used, by this very passkey.
                isRepeat
                    ? mint.isGood(challenge, Purpose.registration, for: account.bytes)
                    : mint.useUp(challenge, Purpose.registration, for: account.bytes)
            }
            record = PasskeyRecord(
                id: id, account: account, credential: made.credential, publicKey: made.publicKey,
                signCount: made.signCount, isBackupEligible: made.isBackupEligible, isBackedUp: made.isBackedUp,
                transports: reply.transports, name: name, createdAt: surroundings.wall())
        } catch {
            throw error.problem(.invalidRequest)
        }
        switch try await store.addPasskey(record) {
        case .added: return (record, true)
        case .existing(let known): return (known, false)
        case .conflict:
            throw Problem(.conflict, "The id or the credential is that of another passkey.", field: "credential")
        case .notFound: throw Self.missing
        case .full:
            throw Problem(.conflict, "An account has at most \(PasskeyRecord.most) passkeys: remove one first.")
        }
    }

    static let missing = Problem(.notFound, "There is no such passkey.")

    // MARK: Signing in

    /// What a browser needs to offer the passkeys that it has for this server, whoever's they are.
    ///
    /// - Throws: a ``Problem`` where there can be no passkeys.
    func signInOptions() throws -> PasskeyOptions {
        .signIn(try address.relyingParty(), challenge: mint.make(Purpose.signIn))
    }

    /// Signs a device in by what an authenticator signed.
    ///
    /// There is nothing to guess and so no slowing: a signature is right or wrong, and checking one costs a fraction of a
    /// millisecond.
    ///
    /// - Throws: ``Problem/Kind/unauthenticated`` with the reason.
    func signIn(_ credential: JSONValue?, device: String) async throws -> (SessionRecord, token: String) {
        let party = try address.relyingParty()
        let account: AccountID
        do {
            let reply = try AssertionReply(credential)
            guard let known = try await store.passkey(credential: reply.credential),
                known.account.bytes == reply.user
            else { throw PasskeyFault.unknown }
            let made = try PasskeyCeremony(party: party).assert(reply, by: known) { challenge in
                mint.useUp(challenge, Purpose.signIn)
            }
            let isNoted = try await store.notePasskeyUse(
                known.id, signCount: made.signCount, isBackedUp: made.isBackedUp, now: surroundings.wall())
            guard isNoted else { throw PasskeyFault.counter }
            account = known.account
        } catch let fault as PasskeyFault {
            throw fault.problem(fault == .malformed ? .invalidRequest : .unauthenticated)
        }
        return try await accounts.openSession(of: account, device: device)
    }
}
