import Crypto
package import RejoinCore
import Synchronization

/// Who is calling: accounts, devices signed in, and the tokens that name them.
package final class Accounts: Sendable {
    let store: any Store
    let surroundings: Surroundings
    let hashes = HashLine()
    let streams = OpenStreams()
    private let state = Mutex(State())

    private struct State {
        /// Sessions by the hash of their token, so that a request costs no query.
        var sessions: [[UInt8]: (session: SessionRecord, askedAt: Duration)] = [:]
        /// When devices were seen that is not written down yet.
        var seen: [SessionID: Timestamp] = [:]
    }

    /// Another process may sign a device out or close an account, so a session is asked for again after this long.
    private static let sessionAge = Duration.seconds(10)
    /// More sessions than this are looked up again: a bound, not a limit.
    private static let cachedSessions = 100_000
    /// When a device was last seen is written at most this often: five minutes, in milliseconds.
    private static let seenStep: Int64 = 300_000

    package init(store: any Store, surroundings: Surroundings) {
        self.store = store
        self.surroundings = surroundings
    }

    /// The session of a token; nil if nobody holds it.
    package func session(token: String) async throws -> SessionRecord? {
        guard let hash = Token(token)?.hash else { return nil }
        let now = surroundings.monotonic()
        if let known = state.withLock({ $0.sessions[hash] }), now - known.askedAt < Self.sessionAge {
            noteSeen(known.session)
            return known.session
        }
        // Another process may have made it (`rejoin account add`), so what is not known here is asked for.
        guard let session = try await store.session(tokenHash: hash), !streams.isGone(session.id) else {
            state.withLock { $0.sessions[hash] = nil }
            return nil
        }
        remember(session, hash)
        noteSeen(session)
        return session
    }

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - password: nil for an account that signs in by token alone.
    ///   - keepsHistory: whether its conversations are kept until its person decides otherwise.
    /// - Throws: a ``Problem`` for a name that is taken or not fit, or a password that is too short.
    package func create(name: String, password: String?, keepsHistory: Bool = true) async throws -> AccountRecord {
        let account = try await draft(name: name, password: password)
        guard try await store.createAccount(account, keepsHistory: keepsHistory) else { throw Self.nameTaken }
        return account
    }

    /// An account that is ready to be stored.
    func draft(name: String, password: String?) async throws -> AccountRecord {
        let name = try name.asName()
        var hash: String?
        if let password {
            try Self.check(password, field: "password")
            hash = try await HashLine.hash(password)
        }
        return AccountRecord(id: surroundings.makeID(), name: name, passwordHash: hash, createdAt: surroundings.wall())
    }

    static let nameTaken = Problem(.conflict, "The name is taken.", field: "name")

    static func check(_ password: String, field: String) throws(Problem) {
        guard password.count >= 8 else {
            throw Problem(.invalidRequest, "A password has at least 8 characters.", field: field)
        }
        guard password.utf8.count <= 1024 else {
            throw Problem(.invalidRequest, "A password has at most 1024 bytes.", field: field)
        }
    }

    /// Signs a device in, and returns its token: the only time that it is seen.
    package func openSession(of account: AccountID, device: String) async throws -> (SessionRecord, token: String) {
        let session = SessionRecord(
            id: surroundings.makeID(), account: account, device: Self.deviceName(device), createdAt: surroundings.wall()
        )
        let token = Token()
        try await store.openSession(session, tokenHash: token.hash)
        return (session, token.text)
    }

    /// What a device is called in the list: one line of at most 80 characters.
    static func deviceName(_ name: String) -> String {
        let plain = String(String.UnicodeScalarView(name.unicodeScalars.prefix(1000).filter { !$0.isControl }))
        let shown = String(plain.trimmingSpace.prefix(80))
        return shown.isEmpty ? "unnamed" : shown
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

    // MARK: Devices

    /// The devices of an account, with when each was last seen to within some minutes.
    package func sessions(of account: AccountID) async throws -> [SessionRecord] {
        let seen = state.withLock { $0.seen }
        return try await store.sessions(of: account).map { session in
            var session = session
            if let at = seen[session.id] { session.seenAt = max(session.seenAt, at) }
            return session
        }
    }

    /// Signs a device out; its token is worth nothing from then on, and its open streams end.
    package func close(_ id: SessionID, of account: AccountID) async throws -> Bool {
        guard try await store.closeSession(id, of: account) else { return false }
        depart([id])
        return true
    }

    /// Signs every other device of an account out.
    ///
    /// - Returns: how many there were.
    package func closeOthers(of session: SessionRecord) async throws -> Int {
        let gone = try await store.closeSessions(of: session.account, but: session.id, now: surroundings.wall())
        depart(gone)
        return gone.count
    }

    /// Forgets devices that are signed out, and cuts their streams.
    func depart(_ ids: [SessionID]) {
        if ids.isEmpty { return }
        streams.cut(ids)
        let gone = Set(ids)
        state.withLock { state in
            state.sessions = state.sessions.filter { !gone.contains($0.value.session.id) }
            for id in ids { state.seen[id] = nil }
        }
    }

    /// Cuts the streams of devices that another process signed out.
    func recheck() async throws {
        let open = streams.sessions
        for start in stride(from: 0, to: open.count, by: 500) {
            let some = Array(open[start..<min(start + 500, open.count)])
            let rest = try await store.signedIn(among: some)
            depart(some.filter { !rest.contains($0) })
        }
    }

    /// Writes down when devices were seen.
    func writeSeen() async throws {
        let now = surroundings.wall()
        let open = streams.sessions
        let seen = state.withLock { state in
            for id in open { state.seen[id] = now }
            defer { state.seen = [:] }
            return state.seen
        }
        if !seen.isEmpty { try await store.noteSeen(seen) }
    }

    private func noteSeen(_ session: SessionRecord) {
        let now = surroundings.wall()
        guard now.milliseconds - session.seenAt.milliseconds >= Self.seenStep else { return }
        state.withLock { $0.seen[session.id] = now }
    }

    /// Forgets the devices of an account that was closed.
    ///
    /// - Parameter devices: its devices before it was closed.
    package func forget(_ account: AccountID, devices: [SessionID]) {
        depart(devices)
        state.withLock { state in state.sessions = state.sessions.filter { $0.value.session.account != account } }
    }

    private func remember(_ session: SessionRecord, _ hash: [UInt8]) {
        let now = surroundings.monotonic()
        state.withLock { state in
            if state.sessions.count >= Self.cachedSessions { state.sessions.removeAll() }
            state.sessions[hash] = (session, now)
        }
        // Signed out while it was being looked up.
        if streams.isGone(session.id) { state.withLock { $0.sessions[hash] = nil } }
    }
}
