internal import CSodium

/// Short fingerprints of bytes.
package enum Digest {
    /// The BLAKE2b-256 hash, without a key: 32 bytes.
    package static func blake2b(_ bytes: [UInt8]) -> [UInt8] {
        Sodium.prepare()
        var hash = [UInt8](repeating: 0, count: 32)
        // It can only fail for a length or a key that it does not support, and these are fixed here.
        unsafe crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        return hash
    }

    /// The BLAKE2b-256 hash under a key of 32 bytes: nobody without the key can make or check it.
    package static func blake2b(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        Sodium.prepare()
        precondition(key.count == 32, "The key has 32 bytes.")
        var hash = [UInt8](repeating: 0, count: 32)
        // It can only fail for a length that it does not support, and these are fixed here.
        unsafe crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), key, key.count)
        return hash
    }

    /// The SHA-256 hash: 32 bytes; for what others define with it.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        Sodium.prepare()
        var hash = [UInt8](repeating: 0, count: 32)
        unsafe crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        return hash
    }

    /// Whether two byte strings are equal, taking as long whichever byte differs.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return unsafe sodium_memcmp(left, right, left.count) == 0
    }
}
