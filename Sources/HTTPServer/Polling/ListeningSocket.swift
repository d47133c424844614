internal import CEvent

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// A bound, listening socket.
struct ListeningSocket: Sendable {
    /// One accepted connection.
    struct Accepted {
        let descriptor: SocketDescriptor
        let address: String
        /// The IPv4 address or the IPv6 /64, by which connections are counted.
        let network: UInt64
    }

    enum Acceptance {
        case accepted(Accepted)
        /// Nobody is waiting.
        case nobody
        /// The caller is gone already; there may be others.
        case gone
        /// There is no descriptor or memory left.
        case exhausted
    }

    let number: Int32
    let port: Int

    /// Listens on every address that the host names.
    ///
    /// - Throws: ``HTTPServerError`` with a code for what is taken, absent or forbidden.
    static func open(host: String, port: Int, unacknowledged: Duration) throws(HTTPServerError) -> [ListeningSocket] {
        guard (0...65_535).contains(port) else {
            throw HTTPServerError(.addressUnavailable, "\(port) is not a port: those are 0 to 65535.")
        }
        guard host == "localhost" else { return [try listen(host: host, port: port, unacknowledged: unacknowledged)] }
        // Both loopback addresses need one port: with 0, the port picked for one may be taken on the other.
        for _ in 0..<8 {
            let first = try listen(host: "127.0.0.1", port: port, unacknowledged: unacknowledged)
            do {
                return [first, try listen(host: "::1", port: first.port, unacknowledged: unacknowledged)]
            } catch {
                if error.code == .addressUnavailable { return [first] }
                first.close()
                if port != 0 || error.code != .addressInUse { throw error }
            }
        }
        throw HTTPServerError(.addressInUse, "No port was free on both loopback addresses.")
    }

    private static func listen(
        host: String, port: Int, unacknowledged: Duration
    ) throws(HTTPServerError) -> ListeningSocket {
        var v4 = sockaddr_in()
        var v6 = sockaddr_in6()
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        let isV4 = unsafe inet_pton(AF_INET, bare, &v4.sin_addr) == 1
        let isV6 = unsafe !isV4 && inet_pton(AF_INET6, bare, &v6.sin6_addr) == 1
        guard isV4 || isV6 else {
            throw HTTPServerError(.addressUnavailable, "\(host) is neither an IP address nor localhost.")
        }
        let milliseconds = UInt32(clamping: unacknowledged.nanoseconds / 1_000_000)
        let descriptor = cevent_listening_socket(isV4 ? AF_INET : AF_INET6, milliseconds)
        guard descriptor >= 0 else { throw failure(errno, host: host, port: port) }
        var result: Int32
        if isV4 {
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = in_port_t(port).bigEndian
            result = unsafe withUnsafeBytes(of: &v4) { unsafe bind(descriptor, $0) }
        } else {
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = in_port_t(port).bigEndian
            result = unsafe withUnsafeBytes(of: &v6) { unsafe bind(descriptor, $0) }
        }
        #if canImport(Glibc)
        if result == 0 { result = Glibc.listen(descriptor, 4096) }
        #elseif canImport(Musl)
        if result == 0 { result = Musl.listen(descriptor, 4096) }
        #else
        if result == 0 { result = Darwin.listen(descriptor, 4096) }
        #endif
        guard result == 0 else {
            let code = errno
            SocketDescriptor(number: descriptor).close()
            throw failure(code, host: host, port: port)
        }
        return ListeningSocket(number: descriptor, port: boundPort(descriptor) ?? port)
    }

    private static func bind(_ descriptor: Int32, _ address: UnsafeRawBufferPointer) -> Int32 {
        guard let start = address.baseAddress else { return -1 }
        let generic = unsafe start.assumingMemoryBound(to: sockaddr.self)
        #if canImport(Glibc)
        return unsafe Glibc.bind(descriptor, generic, socklen_t(address.count))
        #elseif canImport(Musl)
        return unsafe Musl.bind(descriptor, generic, socklen_t(address.count))
        #else
        return unsafe Darwin.bind(descriptor, generic, socklen_t(address.count))
        #endif
    }

    private static func boundPort(_ descriptor: Int32) -> Int? {
        // Both families keep the port in the same place.
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = unsafe withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return -1 }
            return unsafe getsockname(descriptor, start.assumingMemoryBound(to: sockaddr.self), &length)
        }
        return result == 0 ? Int(in_port_t(bigEndian: address.sin6_port)) : nil
    }

    private static func failure(_ code: Int32, host: String, port: Int) -> HTTPServerError {
        switch code {
        case EADDRINUSE:
            HTTPServerError(.addressInUse, "Port \(port) on \(host) is in use: another server listens there.")
        case EADDRNOTAVAIL, EAFNOSUPPORT:
            HTTPServerError(.addressUnavailable, "\(host) is no address of this machine.")
        case EACCES, EPERM:
            HTTPServerError(
                .permissionDenied, "Port \(port) is reserved: use one from 1024 on, or start with the right.")
        default: HTTPServerError(.startFailed, "Listening on \(host) port \(port) failed: \(describe(code)).")
        }
    }

    private static func describe(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }

    /// Takes the next waiting connection.
    func accept() -> Acceptance {
        var network: UInt64 = 0
        var address = [CChar](repeating: 0, count: 64)
        let descriptor = unsafe cevent_accept(number, &address, address.count, &network)
        guard descriptor < 0 else {
            let text = String(decoding: address.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            return .accepted(.init(descriptor: SocketDescriptor(number: descriptor), address: text, network: network))
        }
        switch errno {
        case EAGAIN, EWOULDBLOCK: return .nobody
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
        default: return .gone
        }
    }

    func close() { SocketDescriptor(number: number).close() }

    /// Lets the process open as many descriptors as it is allowed to.
    static func raiseDescriptorLimit() {
        var limit = rlimit()
        #if canImport(Glibc)
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let kind = RLIMIT_NOFILE
        #endif
        guard unsafe getrlimit(kind, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(kind, &limit)
    }
}
