/// Bytes that are only ever added to, in many small pieces.
///
/// An array asks more questions for each piece than it takes to copy one.
struct OutputBytes: Sendable {
    /// The bytes so far, and behind them room for more.
    private var storage: [UInt8] = []
    private var count = 0

    /// Makes room, where a length can be guessed.
    mutating func reserve(_ size: Int) {
        storage.reserveCapacity(size)
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
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
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
            guard let target = target.baseAddress else { return }
            UnsafeMutableRawPointer(target + place).copyMemory(from: source, byteCount: bytes.count)
        }
        count += bytes.count
    }

    /// Appends a number in decimal digits.
    mutating func append(number: Int) {
        var (length, limit) = (1, 10)
        while number >= limit, length < 19 {
            limit &*= 10
            length += 1
        }
        if length > storage.count - count { grow(length) }
        let start = count
        count += length
        storage.withUnsafeMutableBufferPointer { target in
            var (rest, place) = (UInt(bitPattern: number), start + length)
            while place > start {
                place &-= 1
                target[place] = UInt8(truncatingIfNeeded: 0x30 &+ rest % 10)
                rest /= 10
            }
        }
    }

    /// Makes the room usable in steps: what is cleared just before it is written is still at hand then.
    @inline(never)
    private mutating func grow(_ size: Int) {
        storage += repeatElement(0, count: max(size, 256, min(storage.count, 1 << 14)))
    }
}
