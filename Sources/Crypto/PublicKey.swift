internal import CCrypto
internal import CSodium

/// A key that signatures are checked with: of a passkey, or of a provider that signs people in.
///
/// Three kinds, which are what authenticators and providers use; there is no other way in, so that no algorithm can be
/// talked into something weaker. A key that cannot be right is refused when it is made.
package struct PublicKey: Sendable, Equatable {
    /// What a key signs with; each has one hash and one padding.
    package enum Algorithm: String, Sendable, CaseIterable {
        /// ECDSA over P-256 with SHA-256.
        case es256 = "ES256"
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        case rs256 = "RS256"
        /// Ed25519.
        case edDSA = "EdDSA"
    }

    package let algorithm: Algorithm
    /// For Ed25519 its 32 bytes, else the DER of a SubjectPublicKeyInfo.
    private let encoded: [UInt8]

    private init(_ algorithm: Algorithm, _ encoded: [UInt8]) {
        self.algorithm = algorithm
        self.encoded = encoded
    }

    /// A point of P-256; nil if it is not one.
    ///
    /// - Parameters:
    ///   - x: 32 bytes, the highest first.
    ///   - y: as `x`.
    package static func p256(x: [UInt8], y: [UInt8]) -> PublicKey? {
        guard x.count == 32, y.count == 32 else { return nil }
        // id-ecPublicKey with the curve prime256v1.
        let algorithm: [UInt8] = [
            0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D,
            0x03, 0x01, 0x07,
        ]
        let key = PublicKey(.es256, DER.sequence(algorithm, DER.bitString([0x04] + x + y)))
        return unsafe key.withLibraryKey { unsafe $0 != nil } ? key : nil
    }

    /// An RSA key of 2048 to 8192 bits; nil for any other.
    ///
    /// - Parameters:
    ///   - modulus: the highest byte first.
    ///   - exponent: as the modulus; odd, over 2 and of at most 32 bits, so that checking costs little.
    package static func rsa(modulus: [UInt8], exponent: [UInt8]) -> PublicKey? {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        guard (256...1024).contains(modulus.count), modulus[0] >= 0x80 || modulus.count > 256,
            (1...4).contains(exponent.count), exponent.last.map({ $0 & 1 == 1 }) == true, exponent != [1],
            modulus.last.map({ $0 & 1 == 1 }) == true
        else { return nil }
        // rsaEncryption without parameters.
        let algorithm: [UInt8] = [
            0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
        ]
        let body = DER.sequence(DER.integer(modulus), DER.integer(exponent))
        let key = PublicKey(.rs256, DER.sequence(algorithm, DER.bitString(body)))
        return unsafe key.withLibraryKey { unsafe $0 != nil } ? key : nil
    }

    /// An Ed25519 key of 32 bytes; nil for any other length.
    ///
    /// A point of low order is refused when a signature is checked.
    package static func ed25519(_ bytes: [UInt8]) -> PublicKey? {
        bytes.count == 32 ? PublicKey(.edDSA, bytes) : nil
    }

    /// How a signature of ECDSA is written; the other algorithms have one way.
    package enum Form: Sendable {
        /// A sequence of two integers, as WebAuthn does.
        case der
        /// Two numbers of 32 bytes each, as JOSE does.
        case fixed
    }

    /// Whether a signature is this key's over a message.
    ///
    /// Some 0.1 ms of a core.
    package func verifies(_ signature: [UInt8], of message: [UInt8], form: Form) -> Bool {
        switch algorithm {
        case .edDSA:
            Sodium.prepare()
            guard signature.count == 64 else { return false }
            return unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), encoded) == 0
        case .rs256: return verifiesByLibrary(signature, message)
        case .es256:
            guard form == .fixed else { return verifiesByLibrary(signature, message) }
            guard signature.count == 64 else { return false }
            let der = DER.sequence(DER.integer(signature.prefix(32)), DER.integer(signature.suffix(32)))
            return verifiesByLibrary(der, message)
        }
    }

    private func verifiesByLibrary(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
        // No signature of these keys is longer; the library need not see one that is.
        guard !signature.isEmpty, signature.count <= 1024 else { return false }
        return unsafe withLibraryKey { key in
            guard let key = unsafe key, let context = unsafe EVP_MD_CTX_new() else { return false }
            defer { unsafe EVP_MD_CTX_free(context) }
            // What failed stays in a queue of the thread and would be found by whoever asks next.
            defer { ERR_clear_error() }
            guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
            return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        }
    }

    /// Lends the library's own form of the key, or nil if the library refuses it.
    private func withLibraryKey(_ body: (OpaquePointer?) -> Bool) -> Bool {
        unsafe encoded.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            let key = unsafe d2i_PUBKEY(nil, &position, bytes.count)
            defer {
                unsafe EVP_PKEY_free(key)
                ERR_clear_error()
            }
            return unsafe body(key)
        }
    }
}
