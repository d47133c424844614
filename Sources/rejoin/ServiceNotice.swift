import Foundation

/// Tells a service manager how the server is, where it left an address for that: what `sd_notify(3)` does.
enum ServiceNotice: String {
    /// Requests are taken from now on.
    case ready = "READY=1"
    /// Running answers are let finish, and then the process ends.
    case stopping = "STOPPING=1"

    /// Sends the notice; without an address, or with one that does not hear, nothing happens.
    func send(to path: String? = Environment.variables["NOTIFY_SOCKET"]) {
        guard let path, path.hasPrefix("/") || path.hasPrefix("@") else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // A name that is not in the file system begins with a zero.
        if path.hasPrefix("@") { bytes[0] = 0 }
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Self.datagram, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout.size(ofValue: address) - MemoryLayout.size(ofValue: address.sun_path))
        withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, rawValue, rawValue.utf8.count, 0, address, length + socklen_t(bytes.count))
            }
        }
    }

    #if canImport(Darwin)
    private static let datagram = SOCK_DGRAM
    #else
    private static let datagram = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #endif
}
