import Crypto
package import RejoinCore
import Synchronization

/// Who is calling: accounts, devices signed in, and the tokens that name them.
package final class Accounts: Sendable {
    private let store: any Store
    private let surroundings: Surroundings
    private let state = Mutex(State())

    private struct State {
        /// Sessions by the hash of their token, so that a request costs no query.
        var sessions: [[UInt8]: (session: SessionRecord, askedAt: Duration)] = [:]
        var failures: [String: Failures] = [:]
    }

    /// Sign-ins that failed for one name or address.
    private struct Failures {
        var count = 0
        var blockedUntil = Duration.zero
    }

    /// Another process may sign a device out or close an account, so a session is asked for again after this long.
    private static let sessionAge = Duration.seconds(10)
    /// More sessions than this are looked up again: a bound, not a limit.
    private static let cachedSessions = 100_000
    /// Failed sign-ins that cost nothing; each one after doubles the wait.
    private static let freeFailures = 5
    /// A hash that no password has: argon2id at the strength of the real ones, with a salt and a key of zeros.
    private static let nobody =
        "$argon2id$v=19$m=65536,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    package init(store: any Store, surroundings: Surroundings) {
        self.store = store
        self.surroundings = surroundings
    }

    /// The session of a token; nil if nobody holds it.
    package func session(token: String) async throws -> SessionRecord? {
        guard let hash = Token(token)?.hash else { return nil }
        let now = surroundings.monotonic()
        if let known = state.withLock({ $0.sessions[hash] }), now - known.askedAt < Self.sessionAge {
            return known.session
        }
        // Another process may have made it (`rejoin account add`), so what is not known here is asked for.
        guard let session = try await store.session(tokenHash: hash) else {
            state.withLock { $0.sessions[hash] = nil }
            return nil
        }
        remember(session, hash)
        return session
    }

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - password: nil for an account that signs in by token alone.
    ///   - keepsHistory: whether its conversations are kept until its person decides otherwise.
    /// - Throws: a ``Problem`` for a name that is taken or not fit, or a password that is too short.
    package func create(name: String, password: String?, keepsHistory: Bool = true) async throws -> AccountRecord {
        let name = name.trimmingSpace
        guard (1...64).contains(name.count), name.utf8.count <= 256, !name.unicodeScalars.contains(where: \.isControl)
        else {
            throw Problem(.invalidRequest, "A name has 1 to 64 characters and no control characters.", field: "name")
        }
        var hash: String?
        if let password {
            try Self.check(password)
            guard let made = await PasswordHash.make(password) else {
                throw Problem(.temporarilyUnavailable, "There is not enough memory to hash a password.", retryAfter: 5)
            }
            hash = made
        }
        let account = AccountRecord(
            id: surroundings.makeID(), name: name, passwordHash: hash, createdAt: surroundings.wall())
        guard try await store.createAccount(account, keepsHistory: keepsHistory) else {
            throw Problem(.conflict, "The name is taken.", field: "name")
        }
        return account
    }

    private static func check(_ password: String) throws(Problem) {
        guard password.count >= 8, password.utf8.count <= 1024 else {
            throw Problem(.invalidRequest, "A password has at least 8 characters.", field: "password")
        }
    }

    /// Signs a device in, and returns its token: the only time that it is seen.
    package func openSession(of account: AccountID, device: String) async throws -> (SessionRecord, token: String) {
        let session = SessionRecord(
            id: surroundings.makeID(), account: account, device: String(device.prefix(80)),
            createdAt: surroundings.wall())
        let token = Token()
        try await store.openSession(session, tokenHash: token.hash)
        return (session, token.text)
    }

    /// Signs a device in by name and password, slower after each failure.
    package func signIn(
        name: String, password: String, device: String, address: String
    ) async throws -> (SessionRecord, token: String) {
        let keys = ["name:" + name.lowercased(), "address:" + address]
        try refuseWhileBlocked(keys)
        let account = try await store.account(named: name)
        // An unknown name, or one without a password, costs the same time as a wrong password.
        let isRight = await PasswordHash.verify(password, against: account?.passwordHash ?? Self.nobody)
        guard let account, account.passwordHash != nil, isRight else {
            noteFailure(keys)
            throw Problem(.unauthenticated, "The name or the password is wrong.")
        }
        state.withLock { $0.failures[keys[0]] = nil }
        return try await openSession(of: account.id, device: device)
    }

    private func refuseWhileBlocked(_ keys: [String]) throws(Problem) {
        let now = surroundings.monotonic()
        let wait = state.withLock { state in
            keys.compactMap { state.failures[$0]?.blockedUntil }.max() ?? .zero
        }
        guard wait <= now else {
            let seconds = Int((wait - now).inSeconds.rounded(.up))
            throw Problem(.limitReached, "Too many wrong sign-ins.", retryAfter: max(1, seconds))
        }
    }

    private func noteFailure(_ keys: [String]) {
        let now = surroundings.monotonic()
        state.withLock { state in
            if state.failures.count > 10_000 { state.failures = state.failures.filter { $0.value.blockedUntil > now } }
            for key in keys {
                var failures = state.failures[key] ?? Failures()
                failures.count += 1
                let excess = failures.count - Self.freeFailures
                if excess > 0 { failures.blockedUntil = now + .seconds(1 << min(excess, 10)) }
                state.failures[key] = failures
            }
        }
    }

    /// Makes a link code that signs one browser in once.
    package func makeSignInCode(for account: AccountID, validFor: Duration) async throws -> String {
        let code = Token()
        let expiry = surroundings.wall().advanced(byMilliseconds: Int64(validFor.inSeconds * 1000))
        try await store.saveSignInCode(hash: code.hash, account: account, expiresAt: expiry)
        return code.text
    }

    /// Uses a link code up.
    package func redeem(code: String, device: String) async throws -> (SessionRecord, token: String) {
        guard let hash = Token(code)?.hash,
            let account = try await store.redeemSignInCode(hash: hash, now: surroundings.wall())
        else {
            throw Problem(
                .unauthenticated, "The link was used already, or is too old. Restart the server for a new one.")
        }
        return try await openSession(of: account, device: device)
    }

    package func sessions(of account: AccountID) async throws -> [SessionRecord] {
        try await store.sessions(of: account)
    }

    /// Signs a device out; its token is worth nothing from then on.
    package func close(_ id: SessionID, of account: AccountID) async throws -> Bool {
        state.withLock { state in
            for (hash, known) in state.sessions where known.session.id == id { state.sessions[hash] = nil }
        }
        return try await store.closeSession(id, of: account)
    }

    /// Forgets the devices of an account that was closed.
    package func forget(_ account: AccountID) {
        state.withLock { state in state.sessions = state.sessions.filter { $0.value.session.account != account } }
    }

    private func remember(_ session: SessionRecord, _ hash: [UInt8]) {
        let now = surroundings.monotonic()
        state.withLock { state in
            if state.sessions.count >= Self.cachedSessions { state.sessions.removeAll() }
            state.sessions[hash] = (session, now)
        }
    }
}
