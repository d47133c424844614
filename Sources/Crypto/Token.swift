/// A secret that signs a device in: thirty-two random bytes, shown once and stored only as a hash.
///
/// Its descriptions hide it, so that it cannot reach a log by accident.
package struct Token: Sendable {
    /// What a person or a program is given: `rj_` and 43 characters of base64url.
    package let text: String

    /// Makes a new token.
    package init() { self.init(secret: SecureRandom.bytes(32)) }

    init(secret: [UInt8]) { text = "rj_" + Base64URL.encode(secret) }

    /// Reads a token that a request carries; nil if it cannot be one.
    package init?(_ text: String) {
        guard text.utf8.count == 46, text.hasPrefix("rj_") else { return nil }
        let isSpelledRight = text.utf8.dropFirst(3).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isSpelledRight else { return nil }
        self.text = text
    }

    /// What is stored and looked up in its place: the BLAKE2b-256 hash of the text.
    ///
    /// A token is random in full, so a plain hash is enough: there is nothing to guess.
    package var hash: [UInt8] { Digest.blake2b(Array(text.utf8)) }
}

extension Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a token" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
