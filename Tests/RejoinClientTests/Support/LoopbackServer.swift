#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import Dispatch
import Synchronization

/// A real socket whose connections are answered with given bytes, one script after another.
final class LoopbackServer: Sendable {
    /// What one connection gets after its request's head came.
    enum Script: Sendable {
        /// The bytes, then an orderly close.
        case send([UInt8])
        /// The bytes, then a reset.
        case sendAndReset([UInt8])
    }

    let port: Int
    private let descriptor: Int32
    private let seen = Mutex<[String]>([])

    /// The heads of the requests so far.
    var requests: [String] { seen.withLock { $0 } }

    init(_ scripts: [Script]) throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 && listen(descriptor, 16) == 0
                    ? getsockname(descriptor, pointer, &size) : -1
            }
        }
        guard status == 0 else { throw NotListening() }
        port = Int(UInt16(bigEndian: address.sin_port))
        DispatchQueue(label: "loopback").async { [weak self] in
            for script in scripts {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0, let self else { return }
                self.answer(connection, script)
            }
        }
    }

    deinit { close(descriptor) }

    private func answer(_ connection: Int32, _ script: Script) {
        var request: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            request += chunk[..<count]
        }
        let head = String(decoding: request, as: UTF8.self)
        seen.withLock { $0.append(head) }
        switch script {
        case .send(let bytes):
            _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            shutdown(connection, Int32(SHUT_WR))
            // Reading to the end lets the other side have all of it.
            while recv(connection, &chunk, chunk.count, 0) > 0 {}
        case .sendAndReset(let bytes):
            _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            usleep(50_000)
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
        close(connection)
    }
}

private struct NotListening: Error {}
