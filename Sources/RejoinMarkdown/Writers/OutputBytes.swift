/// Bytes that are only ever added to, in many small pieces.
///
/// An array asks more questions for each piece than it takes to copy one.
struct OutputBytes: Sendable {
    /// The bytes so far, and behind them room for more.
    private var storage: [UInt8] = []
    private var count = 0

    /// Makes room, where a length can be guessed.
    mutating func reserve(_ size: Int) {
        if size > storage.count { storage += repeatElement(0, count: size - storage.count) }
    }

    /// Gives the bytes, and begins anew.
    mutating func take() -> [UInt8] {
        var bytes: [UInt8] = []
        swap(&bytes, &storage)
        bytes.removeLast(bytes.count - count)
        count = 0
        return bytes
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count == storage.count { grow(1) }
        storage[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append($0) }
    }

    @inline(__always)
    mutating func append(_ bytes: [UInt8], from start: Int, to end: Int) {
        bytes.withUnsafeBufferPointer { append(UnsafeBufferPointer(rebasing: $0[start..<end])) }
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return }
        if bytes.count > storage.count - count { grow(bytes.count) }
        let place = count
        storage.withUnsafeMutableBufferPointer { target in
            // There is room for all of them: `grow` has made it.
            target.baseAddress.map { ($0 + place).update(from: source, count: bytes.count) }
        }
        count += bytes.count
    }

    /// Appends a number in decimal digits.
    mutating func append(number: Int) {
        if number >= 10 { append(number: number / 10) }
        append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }

    @inline(never)
    private mutating func grow(_ size: Int) {
        reserve(max(2 * storage.count, count + size, 256))
    }
}
