internal import CSodium

/// Random bytes that nobody can guess.
///
/// Also a `RandomNumberGenerator`, for ids.
package struct SecureRandom: RandomNumberGenerator, Sendable {
    /// A source; all of them draw from the same one.
    package init() { Sodium.prepare() }

    package func next() -> UInt64 {
        var number: UInt64 = 0
        unsafe withUnsafeMutableBytes(of: &number) { raw in
            if let start = raw.baseAddress { unsafe randombytes_buf(start, raw.count) }
        }
        return number
    }

    /// As many random bytes as asked for.
    package static func bytes(_ count: Int) -> [UInt8] {
        Sodium.prepare()
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            if let start = buffer.baseAddress { unsafe randombytes_buf(start, count) }
            filled = count
        }
    }
}
