import Crypto
package import RejoinCore

/// Names and passwords, slowed down for whoever guesses.
extension Accounts {
    /// A hash that no password has: argon2id at the strength of the real ones, with a salt and a key of zeros.
    private static let nobody =
        "$argon2id$v=19$m=65536,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    /// Attempts that cost nothing: few for one name or secret, more for one address, which a whole house may share.
    private enum Free {
        static let secret = 5
        static let address = 20
        /// Accounts that one address may create before it waits.
        static let registrations = 5
    }

    /// Signs a device in by name and password, slower after each failure.
    ///
    /// Attempts from an address that the account was signed in from before are counted apart: whoever guesses from
    /// elsewhere does not shut the person out.
    ///
    /// - Throws: a ``Problem``.
    package func signIn(
        name: String, password: String, device: String, address: String
    ) async throws -> (SessionRecord, token: String) {
        let account = try await hashes.inLine { try await check(name.trimmingSpace, password, address) }
        return try await openSession(of: account, device: device)
    }

    private func check(_ name: String, _ password: String, _ address: String) async throws -> AccountID {
        let account = try await store.account(named: name)
        let network = Self.network(address)
        let place = Self.hash("address", network)
        var isFamiliar = false
        if let account { isFamiliar = try await store.isFamiliar(place, to: account.id) }
        let nameKey = AccountRecord.key(ofName: name)
        let own = Attempts.Key(
            hash: isFamiliar ? Self.hash("name from " + network, nameKey) : Self.hash("name", nameKey),
            free: Free.secret)
        let shared = Attempts.Key(hash: place, free: Free.address)
        try await begin([own, shared])
        // An unknown name, or one without a password, costs the same time as a wrong password.
        let isRight = await PasswordHash.verify(password, against: account?.passwordHash ?? Self.nobody)
        guard let account, account.passwordHash != nil, isRight else {
            throw Problem(.unauthenticated, "The name or the password is wrong.")
        }
        try await store.forgiveAttempt(cleared: [own], eased: [shared])
        try await store.noteFamiliar(place, to: account.id, at: surroundings.wall())
        return account.id
    }

    /// Creates an account over the network and signs its first device in.
    ///
    /// - Parameter invite: the code of an invitation, where one is needed.
    /// - Throws: a ``Problem``; `forbidden` where accounts are not made this way.
    func register(
        name: String, password: String, invite: String?, device: String, address: String,
        by registration: Configuration.Registration
    ) async throws -> (SessionRecord, token: String) {
        if registration == .closed {
            throw Problem(.forbidden, "Accounts are made by the operator: rejoin account add NAME.")
        }
        if registration == .invite, invite == nil {
            throw Problem(.forbidden, "An account is created by invitation.", field: "invite")
        }
        let place = Self.network(address)
        let account = try await hashes.inLine {
            try await begin([Attempts.Key(hash: Self.hash("registration", place), free: Free.registrations)])
            guard let invite else { return try await create(name: name, password: password) }
            return try await register(name, password, invite)
        }
        try await store.noteFamiliar(Self.hash("address", place), to: account.id, at: surroundings.wall())
        return try await openSession(of: account.id, device: device)
    }

    private func register(_ name: String, _ password: String, _ invite: String) async throws -> AccountRecord {
        // Looked at before the hash is made: a code that does not work costs little.
        let state = try await lookAtInvite(invite)?.state(at: surroundings.wall())
        guard state == .open, let hash = Token(invite)?.hash else { throw Self.refusal(state) }
        let account = try await draft(name: name, password: password)
        switch try await store.register(account, invite: hash, now: surroundings.wall()) {
        case .created: return account
        case .nameTaken: throw Self.nameTaken
        case .refused(let state): throw Self.refusal(state)
        }
    }

    private static func refusal(_ state: InviteRecord.State?) -> Problem {
        let words =
            switch state {
            case .used: "The invitation was used already."
            case .expired: "The invitation has expired."
            case .revoked: "The invitation was taken back."
            case .open, nil: "There is no such invitation."
            }
        return Problem(.forbidden, words, field: "invite")
    }

    /// The invitation of a code; nil if there never was one.
    func lookAtInvite(_ code: String) async throws -> InviteRecord? {
        guard let hash = Token(code)?.hash else { return nil }
        return try await store.invite(codeHash: hash)
    }

    /// Makes an invitation, and returns its code: the only time that it is seen.
    package func makeInvite(
        by maker: AccountID, uses: Int, validFor: Duration
    ) async throws -> (InviteRecord, code: String) {
        let now = surroundings.wall()
        let invite = InviteRecord(
            id: surroundings.makeID(), maker: maker, createdAt: now,
            expiresAt: now.advanced(byMilliseconds: Int64(validFor.inSeconds * 1000)), uses: uses)
        let code = Token()
        try await store.createInvite(invite, codeHash: code.hash)
        return (invite, code.text)
    }

    /// Sets or changes the password of the caller's account.
    ///
    /// - Parameter current: the password until now; not needed where there is none.
    /// - Throws: a ``Problem``.
    func changePassword(of caller: SessionRecord, current: String?, new: String) async throws {
        try Self.check(new, field: "new")
        guard let account = try await store.account(caller.account) else {
            throw Problem(.unauthenticated, "The account was closed.")
        }
        if let old = account.passwordHash {
            guard let current else { throw Problem(.invalidRequest, "current is missing.", field: "current") }
            try await hashes.inLine {
                try await beginGuess(of: "password", by: account.id)
                guard await PasswordHash.verify(current, against: old) else {
                    throw Problem(.invalidRequest, "The password until now is another one.", field: "current")
                }
            }
            try await forgiveGuess(of: "password", by: account.id)
        }
        try await setPassword(of: account.id, to: new, keeping: caller.id)
    }

    /// Sets the password of an account; where it had one, its devices are signed out but for one.
    ///
    /// - Throws: a ``Problem`` for a password that is not fit.
    /// - Returns: how many devices were signed out; nil if there is no such account.
    @discardableResult
    package func setPassword(of account: AccountID, to password: String, keeping device: SessionID?) async throws
        -> Int?
    {
        try Self.check(password, field: "password")
        let hash = try await hashes.inLine { try await HashLine.hash(password) }
        let now = surroundings.wall()
        guard let gone = try await store.setPassword(hash: hash, of: account, keeping: device, now: now) else {
            return nil
        }
        depart(gone)
        return gone.count
    }

    // MARK: Guessing

    /// Counts an attempt of a signed-in person at a secret, such as a short code.
    ///
    /// - Throws: `limitReached` with the time to wait.
    func beginGuess(of what: String, by account: AccountID) async throws {
        try await begin([Attempts.Key(hash: Self.hash(what, account.description), free: Free.secret)])
    }

    /// Takes back what ``beginGuess(of:by:)`` counted; earlier wrong guesses stay counted.
    func forgiveGuess(of what: String, by account: AccountID) async throws {
        let key = Attempts.Key(hash: Self.hash(what, account.description), free: Free.secret)
        try await store.forgiveAttempt(cleared: [], eased: [key])
    }

    private func begin(_ keys: [Attempts.Key]) async throws {
        let now = surroundings.wall()
        guard let until = try await store.beginAttempt(keys, now: now) else { return }
        let seconds = Int((until.milliseconds - now.milliseconds + 999) / 1000)
        throw Problem(.limitReached, "Too many attempts.", retryAfter: max(1, seconds))
    }

    /// What callers from one place have in common.
    static func network(_ address: String) -> String {
        guard let network = NetworkAddress(address)?.network else { return address }
        return network.map { String($0) }.joined(separator: ".")
    }

    private static func hash(_ kind: String, _ what: String) -> [UInt8] {
        Digest.blake2b(Array((kind + "\n" + what).utf8))
    }
}
