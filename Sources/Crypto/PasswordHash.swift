internal import CSodium
internal import Dispatch

/// Hashes of passwords that are slow to guess: argon2id with libsodium's interactive cost.
///
/// One costs about 0.2 s of a core and 64 MB, so they are made one after the other on a thread of their own: a crowd
/// that signs in waits in line and takes neither the cooperative pool nor the memory.
package enum PasswordHash {
    private static let queue = DispatchQueue(label: "crypto.passwords")

    /// Hashes a password with a new salt.
    ///
    /// - Returns: a text that names algorithm, cost and salt; nil if there is no memory for it.
    package static func make(_ password: String) async -> String? {
        await onQueue {
            var text = [CChar](repeating: 0, count: Int(crypto_pwhash_strbytes()))
            let bytes = Array(password.utf8CString)
            let status = unsafe crypto_pwhash_str(
                &text, bytes, UInt64(bytes.count - 1), UInt64(crypto_pwhash_opslimit_interactive()),
                crypto_pwhash_memlimit_interactive())
            guard status == 0 else { return nil }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// Whether a password is the one that was hashed; false as well for a text that is no hash.
    package static func verify(_ password: String, against hash: String) async -> Bool {
        // A hash is looked at as a C string, which a zero byte would cut short.
        guard hash.utf8.count < Int(crypto_pwhash_strbytes()), !hash.utf8.contains(0) else { return false }
        return await onQueue {
            let bytes = Array(password.utf8CString)
            return unsafe crypto_pwhash_str_verify(hash, bytes, UInt64(bytes.count - 1)) == 0
        }
    }

    private static func onQueue<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        Sodium.prepare()
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
