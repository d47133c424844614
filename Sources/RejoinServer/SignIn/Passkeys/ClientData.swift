import Crypto
import RejoinCore

/// What the browser says about a ceremony (WebAuthn level 3, section 5.8.1): it, and not the page, wrote this.
struct ClientData: Equatable, Sendable {
    /// Which of the two ceremonies it was.
    enum Ceremony: String { case create = "webauthn.create", get = "webauthn.get" }

    var ceremony: Ceremony
    var challenge: [UInt8]
    /// Scheme, host and port of the page.
    var origin: String
    /// The page stood in a frame of another site.
    var isEmbedded: Bool

    /// Reads the bytes; nil for anything that is not client data.
    init?(_ bytes: [UInt8]) {
        guard let object = try? JSONReader.parse(bytes, maximumDepth: 8).object,
            let ceremony = object["type"]?.string.flatMap(Ceremony.init), let text = object["challenge"]?.string,
            let challenge = Base64URL.decode(text), let origin = object["origin"]?.string
        else { return nil }
        self.ceremony = ceremony
        self.challenge = challenge
        self.origin = origin
        switch object["crossOrigin"] {
        case nil, .bool(false): isEmbedded = object["topOrigin"] != nil
        case .bool(true): isEmbedded = true
        default: return nil
        }
    }
}
