internal import CEvent

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// A connected socket's descriptor; whoever owns it closes it once.
struct SocketDescriptor: Sendable {
    enum Sent {
        case bytes(Int)
        case failed
    }

    enum Received {
        case bytes(Int)
        case nothing
        case end
        case failed
    }

    let number: Int32

    /// Sends what the kernel takes of `bytes` from an offset on, without waiting.
    func send(_ bytes: [UInt8], from offset: Int = 0) -> Sent {
        let result = unsafe bytes.withUnsafeBytes { buffer in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[offset...])
            return unsafe cevent_send(number, rest.baseAddress, rest.count)
        }
        if result >= 0 { return .bytes(result) }
        return Self.isTemporary(errno) ? .bytes(0) : .failed
    }

    /// Receives what has arrived, without waiting.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
        let result = unsafe cevent_receive(number, buffer.baseAddress, buffer.count)
        if result > 0 { return .bytes(result) }
        if result == 0 { return .end }
        return Self.isTemporary(errno) ? .nothing : .failed
    }

    /// Says that nothing more will be sent.
    func endSending() { _ = shutdown(number, Int32(SHUT_WR)) }

    /// Ends both directions; the number stays taken until ``close()``, since another thread may be about to use it.
    func end() { _ = shutdown(number, Int32(SHUT_RDWR)) }

    func close() {
        #if canImport(Glibc)
        _ = Glibc.close(number)
        #elseif canImport(Musl)
        _ = Musl.close(number)
        #else
        _ = Darwin.close(number)
        #endif
    }

    private static func isTemporary(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }
}
