private import CZlib

/// Compresses as gzip what comes piece by piece; holds some 300 KB whatever the whole is.
@safe package struct GzipEncoder: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>
    private static let size = 64 << 10

    /// - Returns: nil without memory.
    package init?() {
        guard let opened = unsafe czlib_open_deflate() else { return nil }
        unsafe stream = opened
    }

    deinit { unsafe czlib_close(stream, 1) }

    /// Takes bytes and hands over what is compressed so far, in pieces of at most 64 KB.
    package func write(_ bytes: [UInt8], _ emit: ([UInt8]) throws -> Void) throws {
        try run(bytes, Z_NO_FLUSH, emit)
    }

    /// Hands over the rest; nothing may be written after it.
    package func finish(_ emit: ([UInt8]) throws -> Void) throws { try run([], Z_FINISH, emit) }

    private func run(_ bytes: [UInt8], _ flush: Int32, _ emit: ([UInt8]) throws -> Void) throws {
        var position = 0
        while true {
            var taken = UInt32(min(bytes.count - position, 1 << 20))
            var given = UInt32(Self.size)
            let status: Int32
            let output: [UInt8]
            (status, output) = unsafe Self.step(stream, true, flush, bytes, position, &taken, &given)
            position += Int(taken)
            if !output.isEmpty { try emit(output) }
            if flush == Z_FINISH {
                if status == Z_STREAM_END { return }
            } else if position == bytes.count, given < Self.size {
                return
            }
        }
    }

    fileprivate static func step(
        _ stream: UnsafeMutablePointer<z_stream>, _ deflates: Bool, _ flush: Int32, _ bytes: [UInt8], _ position: Int,
        _ taken: inout UInt32, _ given: inout UInt32
    ) -> (Int32, [UInt8]) {
        var status: Int32 = 0
        let output = unsafe [UInt8](unsafeUninitializedCapacity: Int(given)) { buffer, count in
            status = unsafe bytes.withUnsafeBytes { input in
                // An empty array has no address, and then nothing is read from it.
                let start = unsafe input.baseAddress.map { unsafe $0 + position }
                return unsafe czlib_step(
                    stream, deflates ? 1 : 0, flush, start, &taken, buffer.baseAddress, &given)
            }
            count = Int(given)
        }
        return (status, output)
    }
}

/// Reads gzip piece by piece: one member, or several one after the other.
@safe package struct GzipDecoder: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether what was read so far is whole: true at the end of a member.
    package private(set) var isWhole = false

    /// The bytes are not gzip, or are damaged.
    package struct Damaged: Error {}

    /// - Returns: nil without memory.
    package init?() {
        guard let opened = unsafe czlib_open_inflate() else { return nil }
        unsafe stream = opened
    }

    deinit { unsafe czlib_close(stream, 0) }

    /// Takes bytes and hands over what they hold, in pieces of at most 64 KB.
    ///
    /// - Throws: ``Damaged``, or what `emit` throws.
    package mutating func read(_ bytes: [UInt8], _ emit: ([UInt8]) throws -> Void) throws {
        var position = 0
        while true {
            if isWhole, position < bytes.count {
                _ = unsafe czlib_restart_inflate(stream)
                isWhole = false
            }
            var taken = UInt32(min(bytes.count - position, 1 << 20))
            var given = UInt32(64 << 10)
            let (status, output) = unsafe GzipEncoder.step(stream, false, 0, bytes, position, &taken, &given)
            position += Int(taken)
            if !output.isEmpty { try emit(output) }
            switch status {
            case Z_STREAM_END: isWhole = true
            case Z_OK, Z_BUF_ERROR: break
            default: throw Damaged()
            }
            if position == bytes.count, given < 64 << 10 || isWhole { return }
        }
    }
}
