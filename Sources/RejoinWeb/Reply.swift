// The exports exist only in the browser's build (`scripts/web`); elsewhere this target is empty.
#if arch(wasm32)
/// What the last call that gives bytes gave.
///
/// The page copies it out before it calls again.
///
/// SAFETY: a WebAssembly instance in a page has one thread.
nonisolated(unsafe) private var reply: [UInt8] = []

/// Leaves bytes for the page and gives their count.
func leave(_ bytes: [UInt8]) -> Int32 {
    reply = bytes
    return Int32(truncatingIfNeeded: bytes.count)
}

/// Where the bytes of the last reply begin; they stay there until the next call.
@_expose(wasm, "rejoin_reply")
@_cdecl("rejoin_reply")
public func replyStart() -> UnsafePointer<UInt8>? {
    // SAFETY: the array is not changed before the page has copied it, and an array's elements do not move meanwhile.
    reply.withUnsafeBufferPointer { $0.baseAddress }
}

/// Bytes that the page put into memory.
func bytes(_ start: UnsafePointer<UInt8>, _ count: Int32) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: max(0, Int(count))))
}
#endif
