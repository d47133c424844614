#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A TCP socket on the loopback address that never waits, for the tools that play the other side.
struct Socket {
    /// What came of trying to read or write.
    enum Outcome: Equatable {
        case bytes(Int)
        case wouldWait
        /// The other side closed, or the connection broke.
        case gone
    }

    let descriptor: Int32

    /// Listens on a port of the loopback address; 0 picks a free one.
    static func listen(port: Int) throws -> Socket {
        let socket = try make()
        var on: Int32 = 1
        setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let bound = withLoopback(port: port) { bind(socket.descriptor, $0, $1) }
        // The name of the call is also this function's.
        #if canImport(Darwin)
        let listening = Darwin.listen(socket.descriptor, 4096)
        #else
        let listening = Glibc.listen(socket.descriptor, 4096)
        #endif
        guard bound == 0, listening == 0 else {
            socket.close()
            throw SocketFailure(errno: errno)
        }
        return socket
    }

    /// Starts to connect to a port of the loopback address; writing fails later if nobody listens.
    static func connect(port: Int) throws -> Socket {
        let socket = try make()
        #if canImport(Darwin)
        let status = withLoopback(port: port) { Darwin.connect(socket.descriptor, $0, $1) }
        #else
        let status = withLoopback(port: port) { Glibc.connect(socket.descriptor, $0, $1) }
        #endif
        guard status == 0 || errno == EINPROGRESS else {
            socket.close()
            throw SocketFailure(errno: errno)
        }
        return socket
    }

    /// The port that the socket is bound to.
    var port: Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Takes the next connection, if one waits.
    func accept() -> Socket? {
        #if canImport(Darwin)
        let taken = Darwin.accept(descriptor, nil, nil)
        #else
        let taken = Glibc.accept(descriptor, nil, nil)
        #endif
        guard taken >= 0 else { return nil }
        let socket = Socket(descriptor: taken)
        socket.prepare()
        return socket
    }

    /// Reads up to 64 KB onto the end of `bytes`.
    func read(onto bytes: inout [UInt8]) -> Outcome {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &piece, piece.count, 0)
        if count > 0 {
            bytes.append(contentsOf: piece[..<count])
            return .bytes(count)
        }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .wouldWait : .gone
    }

    /// Writes what the system takes now.
    func write(_ bytes: ArraySlice<UInt8>) -> Outcome {
        let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Self.sendFlags) }
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EINTR || errno == ENOTCONN ? .wouldWait : .gone
    }

    /// Closes; what was written still arrives.
    func close() {
        #if canImport(Darwin)
        _ = Darwin.close(descriptor)
        #else
        _ = Glibc.close(descriptor)
        #endif
    }

    /// Says that nothing more will be written.
    func closeWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Breaks the connection off: the other side sees a reset.
    func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    private func prepare() {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    #if canImport(Darwin)
    private static let sendFlags: Int32 = 0
    private static let streamType = SOCK_STREAM
    #else
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    private static let streamType = Int32(SOCK_STREAM.rawValue)
    #endif

    private static func make() throws -> Socket {
        let socket = Socket(descriptor: socket(AF_INET, streamType, 0))
        guard socket.descriptor >= 0 else { throw SocketFailure(errno: errno) }
        socket.prepare()
        return socket
    }

    private static func withLoopback(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}

/// The system refused a socket.
package struct SocketFailure: Error {
    /// The system's number of the error.
    package let errno: Int32
}
