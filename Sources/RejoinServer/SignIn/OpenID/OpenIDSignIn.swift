import Crypto
import RejoinCore

/// Signing in with a provider: sends a browser there and makes something of what it comes back with.
final class OpenIDSignIn: Sendable {
    /// What the page's button says.
    let name: String
    private let configuration: Configuration.OpenID
    private let provider: OpenIDProvider
    private let store: any Store
    private let accounts: Accounts
    private let address: PublicAddress
    private let surroundings: Surroundings
    private let logger: Logger
    private let mint: TicketMint

    /// What the browser's coming back led to.
    enum Outcome {
        case signedIn(token: String)
        case linked
        /// The identity is another account's.
        case taken
        /// Nobody here has this identity, and none is made.
        case unknown
        case denied
        case failed

        /// What the page's address ends in, so that the page can say it.
        var anchor: String {
            switch self {
            case .signedIn: "#signed-in"
            case .linked: "#identity-linked"
            case .taken: "#identity-taken"
            case .unknown: "#identity-unknown"
            case .denied: "#identity-denied"
            case .failed: "#identity-failed"
            }
        }
    }

    init(
        _ configuration: Configuration.OpenID, store: any Store, accounts: Accounts, address: PublicAddress,
        surroundings: Surroundings, logger: Logger
    ) {
        name = configuration.name
        self.configuration = configuration
        self.store = store
        self.accounts = accounts
        self.address = address
        self.surroundings = surroundings
        self.logger = logger
        provider = OpenIDProvider(configuration, surroundings: surroundings)
        mint = TicketMint(lifetime: .seconds(600), surroundings: surroundings)
    }

    /// Where a browser begins: it has to be the address that it comes back to, which its cookie belongs to.
    var startURL: String { (address.origin ?? "") + "/sign-in/oidc" }

    private var redirect: String { startURL + "/callback" }

    /// The provider that an identity belongs to.
    var issuer: String { configuration.issuer }

    /// Whether cookies may be asked for over TLS alone.
    var isSecure: Bool { address.isSecure }

    /// Begins a flow.
    ///
    /// - Parameter account: the account to link an identity to; nil for signing in.
    /// - Returns: where to send the browser, and what it has to keep.
    /// - Throws: ``Problem/Kind/temporarilyUnavailable`` if the provider cannot be reached.
    func begin(linking account: AccountID?) async throws -> (location: String, cookie: String) {
        let flow = OpenIDFlow(linking: account, mint)
        do {
            let endpoint = try await provider.discover().authorization
            let query = PercentEncoding.form([
                (name: "response_type", value: "code"), (name: "client_id", value: configuration.clientID),
                (name: "redirect_uri", value: redirect), (name: "scope", value: "openid profile"),
                (name: "state", value: flow.state), (name: "nonce", value: flow.nonce),
                (name: "code_challenge", value: flow.challenge), (name: "code_challenge_method", value: "S256"),
            ])
            return (endpoint + (endpoint.contains("?") ? "&" : "?") + query, flow.cookie)
        } catch let fault as OpenIDFault {
            note(fault)
            throw Problem(.temporarilyUnavailable, "The sign-in provider did not answer as it should.", retryAfter: 5)
        }
    }

    /// What came back in the browser's address.
    struct Reply {
        var code: String?
        var state: String?
        var issuer: String?
        var error: String?
    }

    /// Ends a flow.
    ///
    /// - Parameter cookie: what the browser kept; without it, or with another's, nothing happens.
    func finish(_ reply: Reply, cookie: String?) async throws -> Outcome {
        do {
            guard let cookie, let flow = OpenIDFlow(cookie: cookie, mint), let state = reply.state,
                Digest.areEqual(Array(state.utf8), Array(flow.state.utf8))
            else { throw OpenIDFault.state }
            if let issuer = reply.issuer, issuer != configuration.issuer { throw OpenIDFault.issuer }
            if let error = reply.error { throw error == "access_denied" ? OpenIDFault.denied : .refused }
            guard let code = reply.code, (1...4096).contains(code.utf8.count) else { throw OpenIDFault.refused }
            // Only now: what is kept of a used flow must not be filled by who brings nothing.
            guard flow.end(mint) else { throw OpenIDFault.state }
            let person = try await provider.person(code: code, flow: flow, redirect: redirect)
            if let account = flow.account { return try await link(person, to: account) }
            return try await signIn(person)
        } catch let fault as OpenIDFault {
            note(fault)
            return fault == .denied ? .denied : .failed
        }
    }

    private func note(_ fault: OpenIDFault) { logger.log(.notice, "oidc", ["fault": fault.rawValue]) }

    private func link(_ person: IDToken.Person, to account: AccountID) async throws -> Outcome {
        // It may have been closed meanwhile.
        guard try await store.account(account) != nil else { return .failed }
        return try await store.linkIdentity(identity(person, of: account)) == .taken ? .taken : .linked
    }

    private func signIn(_ person: IDToken.Person) async throws -> Outcome {
        let account: AccountID
        if let known = try await store.identity(issuer: configuration.issuer, subject: person.subject) {
            try await store.noteIdentityUse(known.id, now: surroundings.wall())
            account = known.account
        } else {
            guard configuration.accounts == .create, let made = try await create(person) else { return .unknown }
            account = made
        }
        return .signedIn(token: try await accounts.openSession(of: account, device: "Browser").token)
    }

    /// Makes an account by the name that the provider gave, or one like it that is free.
    private func create(_ person: IDToken.Person) async throws -> AccountID? {
        let name = Self.accountName(person.name) ?? "person"
        for number in 1...50 {
            let account = AccountRecord(
                id: surroundings.makeID(), name: number == 1 ? name : "\(name) \(number)", passwordHash: nil,
                createdAt: surroundings.wall())
            let isMade = try await store.createAccount(
                account, keepsHistory: true, identity: identity(person, of: account.id))
            if isMade { return account.id }
            // Two browsers of one person may come at once: then the other one made it.
            if let other = try await store.identity(issuer: configuration.issuer, subject: person.subject) {
                return other.account
            }
        }
        return nil
    }

    private func identity(_ person: IDToken.Person, of account: AccountID) -> IdentityRecord {
        IdentityRecord(
            id: surroundings.makeID(), account: account, issuer: configuration.issuer, subject: person.subject,
            name: Self.accountName(person.name), createdAt: surroundings.wall())
    }

    /// A name as accounts have them, made of what a provider says.
    static func accountName(_ text: String?) -> String? {
        guard let text else { return nil }
        var name = String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.isControl })).trimmingSpace
        name = String(name.prefix(56)).trimmingSpace
        return name.isEmpty || name.utf8.count > 240 ? nil : name
    }
}
