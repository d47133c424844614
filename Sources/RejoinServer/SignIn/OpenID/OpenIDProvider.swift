import Crypto
import HTTPClient
import RejoinCore

/// A provider of OpenID Connect as its own documents describe it, fetched when they are needed and kept for a while.
///
/// Its address comes from the operator, and everything else from there; each reply is bounded in size and time. What it
/// names on other servers than its own has to be out on the internet, at the usual port of https.
actor OpenIDProvider {
    /// Where the provider wants what.
    struct Endpoints: Equatable {
        var authorization: String
        var token: String
        var keys: String
        /// Whether the secret goes into the form instead of the header.
        var takesSecretInForm: Bool
    }

    private let configuration: Configuration.OpenID
    private let client: OutgoingClient
    private let surroundings: Surroundings
    private var endpoints: (value: Endpoints, at: Duration)?
    private var keys: (value: KeySet, at: Duration)?
    /// When keys were last asked for because none fitted.
    private var lastSearch: Duration?
    /// When the provider last did not answer.
    private var lastFailure: Duration?

    /// How long documents are believed.
    private static let age = Duration.seconds(3600)
    /// A key that is not known makes the keys be fetched again at most this often.
    private static let searchPause = Duration.seconds(30)
    /// A provider that did not answer is left alone for so long.
    private static let failurePause = Duration.seconds(2)
    private static let replyBytes = 256 << 10

    init(_ configuration: Configuration.OpenID, surroundings: Surroundings) {
        self.configuration = configuration
        self.surroundings = surroundings
        var rules = OutgoingRules()
        // None of the documents is moved by the standard, and a code is handed to nobody else.
        rules.redirects = 0
        rules.bytes = Self.replyBytes
        if let issuer = URLParts(configuration.issuer) { rules.trusted = [issuer] }
        client = OutgoingClient(rules, now: surroundings.monotonic)
    }

    /// The provider's endpoints.
    ///
    /// - Throws: ``OpenIDFault``, or `CancellationError`.
    func discover() async throws -> Endpoints {
        let now = surroundings.monotonic()
        if let known = endpoints, now - known.at < Self.age { return known.value }
        if let failed = lastFailure, now - failed < Self.failurePause { throw OpenIDFault.unreachable }
        do {
            let base =
                configuration.issuer.hasSuffix("/") ? String(configuration.issuer.dropLast()) : configuration.issuer
            let bytes = try await fetch(HTTPClientRequest(url: base + "/.well-known/openid-configuration"))
            let found = try read(bytes)
            endpoints = (found, now)
            return found
        } catch let fault as OpenIDFault {
            // Its reply may have been waited for longer than the pause is.
            lastFailure = surroundings.monotonic()
            throw fault
        }
    }

    private func read(_ bytes: [UInt8]) throws(OpenIDFault) -> Endpoints {
        guard let document = try? JSONReader.parse(bytes).object else { throw .malformed }
        guard document["issuer"]?.string == configuration.issuer else { throw .issuer }
        func address(_ name: String) throws(OpenIDFault) -> String {
            let isLocal = configuration.issuer.hasPrefix("http://")
            guard let text = document[name]?.string, text.hasPrefix("https://") || isLocal && text.hasPrefix("http://"),
                !text.contains("#")
            else { throw .malformed }
            return text
        }
        let methods = document["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string)
        return Endpoints(
            authorization: try address("authorization_endpoint"), token: try address("token_endpoint"),
            keys: try address("jwks_uri"),
            takesSecretInForm: methods.map {
                !$0.contains("client_secret_basic") && $0.contains("client_secret_post")
            } ?? false)
    }

    /// Exchanges a code for the token about the person, and checks it.
    ///
    /// - Throws: ``OpenIDFault``, or `CancellationError`.
    func person(code: String, flow: OpenIDFlow, redirect: String) async throws -> IDToken.Person {
        let token = try IDToken(try await exchange(code, flow, redirect))
        return try token.check(
            by: try await key(token.keyID, token.algorithm), issuer: configuration.issuer,
            client: configuration.clientID, nonce: flow.nonce, now: surroundings.wall())
    }

    private func exchange(_ code: String, _ flow: OpenIDFlow, _ redirect: String) async throws -> String {
        let endpoints = try await discover()
        var form = [
            (name: "grant_type", value: "authorization_code"), (name: "code", value: code),
            (name: "redirect_uri", value: redirect), (name: "code_verifier", value: flow.verifier),
        ]
        var fields = [
            (name: "Content-Type", value: "application/x-www-form-urlencoded"),
            (name: "Accept", value: "application/json"),
        ]
        if let secret = configuration.clientSecret, !endpoints.takesSecretInForm {
            // Both are written as in a form first (RFC 6749, section 2.3.1).
            let pair = PercentEncoding.encode(configuration.clientID) + ":" + PercentEncoding.encode(secret.revealed)
            fields.append((name: "Authorization", value: "Basic " + Base64URL.padded(Array(pair.utf8))))
        } else {
            form.append((name: "client_id", value: configuration.clientID))
            if let secret = configuration.clientSecret {
                form.append((name: "client_secret", value: secret.revealed))
            }
        }
        let request = HTTPClientRequest(
            "POST", url: endpoints.token, fields: fields, body: Array(PercentEncoding.form(form).utf8))
        let bytes = try await fetch(request)
        guard let token = try? JSONReader.parse(bytes).object?["id_token"]?.string else { throw OpenIDFault.malformed }
        return token
    }

    /// The key that a token was signed with; the keys are fetched once more where none fits, since providers change them.
    private func key(_ id: String?, _ algorithm: PublicKey.Algorithm) async throws -> PublicKey {
        let now = surroundings.monotonic()
        if let known = keys, now - known.at < Self.age {
            if let key = known.value.key(id, algorithm) { return key }
            if let last = lastSearch, now - last < Self.searchPause { throw OpenIDFault.key }
            lastSearch = now
        }
        let bytes = try await fetch(HTTPClientRequest(url: try await discover().keys))
        guard let found = KeySet(bytes) else { throw OpenIDFault.malformed }
        keys = (found, now)
        guard let key = found.key(id, algorithm) else { throw OpenIDFault.key }
        return key
    }

    private func fetch(_ request: HTTPClientRequest) async throws -> [UInt8] {
        do {
            let reply = try await client.fetch(request)
            guard reply.status == 200 else { throw OpenIDFault.unreachable }
            return reply.body
        } catch is OutgoingError {
            throw OpenIDFault.unreachable
        }
    }
}
