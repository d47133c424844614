import Crypto

extension PublicKey {
    /// The algorithms that passkeys may sign with, by their numbers in COSE, the one that is liked best first.
    static let algorithms: [(name: Algorithm, number: Int)] = [(.edDSA, -8), (.es256, -7), (.rs256, -257)]

    /// Reads a key in COSE's form (RFC 9053); nil for one of another algorithm, and for one that cannot be right.
    init?(cose: CBORValue) {
        guard let number = cose[3]?.integer,
            let algorithm = Self.algorithms.first(where: { $0.number == number })?.name
        else { return nil }
        let key: PublicKey?
        switch (algorithm, cose[1]?.integer) {
        case (.es256, 2):
            guard cose[-1]?.integer == 1, let x = cose[-2]?.bytes, let y = cose[-3]?.bytes else { return nil }
            key = .p256(x: x, y: y)
        case (.rs256, 3):
            guard let modulus = cose[-1]?.bytes, let exponent = cose[-2]?.bytes else { return nil }
            key = .rsa(modulus: modulus, exponent: exponent)
        case (.edDSA, 1):
            guard cose[-1]?.integer == 6, let bytes = cose[-2]?.bytes else { return nil }
            key = .ed25519(bytes)
        default: return nil
        }
        guard let key else { return nil }
        self = key
    }
}
