import Crypto
import RejoinCore

extension PublicKey {
    /// Reads a key in JOSE's form (RFC 7517); nil for one that is not for signatures, or that cannot be right.
    init?(jwk: JSONObject) {
        if let use = jwk["use"], use.string != "sig" { return nil }
        func bytes(_ name: String) -> [UInt8]? { jwk[name]?.string.flatMap { Base64URL.decode($0) } }
        let key: PublicKey?
        switch (jwk["kty"]?.string, jwk["crv"]?.string) {
        case ("EC", "P-256"): key = bytes("x").flatMap { x in bytes("y").flatMap { .p256(x: x, y: $0) } }
        case ("RSA", nil): key = bytes("n").flatMap { n in bytes("e").flatMap { .rsa(modulus: n, exponent: $0) } }
        case ("OKP", "Ed25519"): key = bytes("x").flatMap { .ed25519($0) }
        default: return nil
        }
        guard let key else { return nil }
        if let algorithm = jwk["alg"], algorithm.string.flatMap(Algorithm.init(jose:)) != key.algorithm { return nil }
        self = key
    }
}

extension PublicKey.Algorithm {
    /// Reads an algorithm's name; Ed25519 has two since RFC 9864.
    init?(jose name: String) { self.init(rawValue: name == "Ed25519" ? "EdDSA" : name) }
}
