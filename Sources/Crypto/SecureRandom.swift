internal import CSodium

/// Random bytes that nobody can guess.
///
/// Also a `RandomNumberGenerator`, for ids.
package struct SecureRandom: RandomNumberGenerator, Sendable {
    /// A source; all of them draw from the same one.
    package init() { Sodium.prepare() }

    package func next() -> UInt64 {
        var number: UInt64 = 0
        unsafe randombytes_buf(&number, MemoryLayout<UInt64>.size)
        return number
    }

    /// As many random bytes as asked for.
    package static func bytes(_ count: Int) -> [UInt8] {
        Sodium.prepare()
        var bytes = [UInt8](repeating: 0, count: count)
        unsafe randombytes_buf(&bytes, count)
        return bytes
    }
}
