import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A socket that sends exactly the bytes it is told to; every wait is bounded and off the cooperative pool.
final class RawClient: Sendable {
    struct Failure: Error {
        let what: String
    }

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "raw client")
    private let received = Mutex<[UInt8]>([])
    private let ended = Mutex(false)

    init(port: Int, receiveBuffer: Int32? = nil, host: String = "127.0.0.1") throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw Failure(what: "socket: \(errno)") }
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            shutdown(descriptor, Int32(SHUT_RDWR))
            throw Failure(what: "connect: \(code)")
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit {
        #if canImport(Glibc)
        _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
        _ = Musl.close(descriptor)
        #else
        _ = Darwin.close(descriptor)
        #endif
    }

    /// Sends all bytes, waiting for the peer as long as `seconds`; false if it would not take them.
    @discardableResult
    func send(_ bytes: [UInt8], within seconds: Double = 10) async -> Bool {
        await onQueue {
            var sent = 0
            let until = Date().addingTimeInterval(seconds)
            while sent < bytes.count {
                let count = self.sendNow(bytes[sent...])
                if count > 0 {
                    sent += count
                } else if errno == EAGAIN {
                    guard self.poll(Int16(POLLOUT), until) else { return false }
                } else {
                    return false
                }
            }
            return true
        }
    }

    @discardableResult
    func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

    /// How many of `bytes` the peer takes before it stops taking any for `quiet` seconds.
    func sendUntilHeldBack(_ bytes: [UInt8], quiet: Double) async -> Int {
        await onQueue {
            var sent = 0
            while sent < bytes.count {
                let count = self.sendNow(bytes[sent...])
                if count > 0 {
                    sent += count
                } else if !self.poll(Int16(POLLOUT), Date().addingTimeInterval(quiet)) {
                    break
                }
            }
            return sent
        }
    }

    private func sendNow(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes {
            #if canImport(Glibc)
            Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            #elseif canImport(Musl)
            Musl.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            #else
            Darwin.send(descriptor, $0.baseAddress, $0.count, 0)
            #endif
        }
    }

    /// Receives until `isEnough` of everything received, the peer's end, or the time is up.
    @discardableResult
    func receive(within seconds: Double = 10, until isEnough: @escaping @Sendable ([UInt8]) -> Bool) async -> [UInt8] {
        await onQueue {
            let until = Date().addingTimeInterval(seconds)
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while !isEnough(self.received.withLock { $0 }) {
                let count = recv(self.descriptor, &buffer, buffer.count, 0)
                if count > 0 {
                    self.received.withLock { $0.append(contentsOf: buffer[..<count]) }
                } else if count < 0, errno == EAGAIN {
                    guard self.poll(Int16(POLLIN), until) else { break }
                } else {
                    self.ended.withLock { $0 = true }
                    break
                }
            }
            return self.received.withLock { $0 }
        }
    }

    /// Everything up to the peer's end.
    func receiveAll(within seconds: Double = 10) async -> [UInt8] { await receive(within: seconds) { _ in false } }

    /// The next whole reply; nil if none came.
    func reply(within seconds: Double = 10, toHead: Bool = false) async -> Reply? {
        let bytes = await receive(within: seconds) { Reply($0, toHead: toHead) != nil }
        guard let reply = Reply(bytes, toHead: toHead) else { return nil }
        received.withLock { $0.removeFirst(reply.size) }
        return reply
    }

    /// Whether the peer has ended the connection, waiting for that if need be.
    func isEnded(within seconds: Double = 10) async -> Bool {
        _ = await receiveAll(within: seconds)
        return ended.withLock { $0 }
    }

    /// Ends both directions.
    func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Ends the sending direction only.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    private func poll(_ events: Int16, _ until: Date) -> Bool {
        let left = until.timeIntervalSinceNow
        if left <= 0 { return false }
        var watched = pollfd(fd: descriptor, events: events, revents: 0)
        #if canImport(Glibc)
        return Glibc.poll(&watched, 1, Int32(left * 1000) + 1) > 0
        #elseif canImport(Musl)
        return Musl.poll(&watched, 1, Int32(left * 1000) + 1) > 0
        #else
        return Darwin.poll(&watched, 1, Int32(left * 1000) + 1) > 0
        #endif
    }

    private func onQueue<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
    }
}

/// One reply as a lenient reader sees it; nil while it is not whole.
struct Reply: Sendable {
    let status: Int
    let fields: [String: String]
    let body: [UInt8]
    /// The chunks as they came, where there were any.
    let chunks: [[UInt8]]
    let size: Int

    var text: String { String(decoding: body, as: UTF8.self) }

    init?(_ bytes: [UInt8], toHead: Bool = false) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        var position = end.upperBound
        var body: [UInt8] = []
        var chunks: [[UInt8]] = []
        if status >= 200, !toHead, let length = fields["content-length"].flatMap({ Int($0) }) {
            guard bytes.count - position >= length else { return nil }
            body = Array(bytes[position..<(position + length)])
            position += length
        } else if status >= 200, !toHead, fields["transfer-encoding"] == "chunked" {
            while true {
                guard let lineEnd = Self.lineEnd(in: bytes, from: position),
                    let size = Int(String(decoding: bytes[position..<lineEnd.lowerBound], as: UTF8.self), radix: 16),
                    bytes.count >= lineEnd.upperBound + size + 2
                else { return nil }
                position = lineEnd.upperBound + size + 2
                if size == 0 { break }
                chunks.append(Array(bytes[lineEnd.upperBound..<(lineEnd.upperBound + size)]))
            }
            for chunk in chunks { body.append(contentsOf: chunk) }
        }
        self.status = status
        self.fields = fields
        self.body = body
        self.chunks = chunks
        size = position
    }

    private static func lineEnd(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        guard let lineFeed = bytes[start...].firstIndex(of: 10), lineFeed > start else { return nil }
        return (lineFeed - 1)..<(lineFeed + 1)
    }
}
