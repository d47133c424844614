import Crypto
import RejoinCore

/// What a provider says about the person who signed in there: a signed text (OpenID Connect Core, section 2).
struct IDToken {
    let algorithm: PublicKey.Algorithm
    /// Which key of the provider's signed it, if it says so.
    let keyID: String?
    private let claims: JSONObject
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Who it is, once everything was checked.
    struct Person: Equatable {
        /// The provider's own name for the person, which never changes hands.
        var subject: String
        /// A name to call the person by, if the provider gave one.
        var name: String?
    }

    /// A clock may be off by this much.
    private static let leeway = 60.0
    /// A token that is older than this was not made for this sign-in, whatever it says about its end.
    private static let oldest = 600.0

    /// Takes a token apart.
    ///
    /// - Throws: ``OpenIDFault/malformed``, or ``OpenIDFault/algorithm`` for one that is not in the list; `none` and
    ///   everything with a shared secret are not.
    init(_ compact: String) throws(OpenIDFault) {
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard compact.utf8.count <= 64 << 10, parts.count == 3,
            let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw .malformed }
        guard let name = header["alg"]?.string, let algorithm = PublicKey.Algorithm(jose: name),
            // An extension that must be understood is one that is not understood here.
            header["crit"] == nil
        else { throw .algorithm }
        self.algorithm = algorithm
        keyID = header["kid"]?.string
        self.claims = claims
        self.signature = signature
        signed = Array((parts[0] + "." + parts[1]).utf8)
    }

    private static func object(_ part: Substring) -> JSONObject? {
        Base64URL.decode(part).flatMap { try? JSONReader.parse($0).object }
    }

    /// Checks signature and claims.
    ///
    /// - Throws: the first ``OpenIDFault``.
    func check(
        by key: PublicKey, issuer: String, client: String, nonce: String, now: Timestamp
    ) throws(OpenIDFault) -> Person {
        guard key.algorithm == algorithm, key.verifies(signature, of: signed, form: .fixed) else { throw .signature }
        guard claims["iss"]?.string == issuer else { throw .issuer }
        try checkAudience(client)
        let now = Double(now.milliseconds) / 1000
        guard let expiry = claims["exp"]?.number, now - Self.leeway < expiry else { throw .expired }
        guard let issued = claims["iat"]?.number, now - Self.oldest < issued else { throw .expired }
        guard issued < now + Self.leeway, (claims["nbf"]?.number ?? 0) < now + Self.leeway else { throw .notYet }
        guard claims["nonce"]?.string.map({ Digest.areEqual(Array($0.utf8), Array(nonce.utf8)) }) == true else {
            throw .nonce
        }
        guard let subject = claims["sub"]?.string, (1...255).contains(subject.utf8.count) else { throw .subject }
        return Person(
            subject: subject, name: claims["preferred_username"]?.string ?? claims["name"]?.string)
    }

    private func checkAudience(_ client: String) throws(OpenIDFault) {
        let audience: [String?] =
            switch claims["aud"] {
            case .string(let one): [one]
            case .array(let many): many.map(\.string)
            default: []
            }
        guard audience.contains(client) else { throw .audience }
        // With several audiences the token has to say which of them asked for it.
        let asker = claims["azp"]
        guard asker == nil ? audience.count == 1 : asker?.string == client else { throw .audience }
    }
}
