import Foundation
import RejoinClient
import RejoinCore
import Synchronization

/// A transport with one fault on purpose: what it does not answer itself goes on as it is.
struct BrokenTransport: Transport {
    let base: any Transport
    /// Gives the reply that breaks something; nil for requests that are left alone.
    let fault: @Sendable (TransportRequest, any Transport) async throws -> TransportReply?

    init(
        _ base: any Transport,
        fault: @escaping @Sendable (TransportRequest, any Transport) async throws -> TransportReply?
    ) {
        self.base = base
        self.fault = fault
    }

    func send(_ request: TransportRequest) async throws -> TransportReply {
        if let reply = try await fault(request, base) { return reply }
        return try await base.send(request)
    }
}

extension TransportRequest {
    /// The path without the query.
    var path: String {
        let rest = url.dropFirst(url.hasPrefix("https://") ? 8 : 7).drop { $0 != "/" }
        return String(rest.prefix { $0 != "?" })
    }

    /// The same request for something else.
    func changed(_ method: String, _ path: String, body: [UInt8]? = nil) -> TransportRequest {
        let end = url.range(of: self.path)?.lowerBound ?? url.endIndex
        return TransportRequest(method: method, url: url[..<end] + path, fields: fields, body: body)
    }
}

extension TransportReply {
    /// A reply that is all there.
    static func whole(
        _ status: Int, _ text: String = "", type: String = "application/json", fields: [String: String] = [:]
    ) -> TransportReply {
        TransportReply(status: status, body: WholeBody(Array(text.utf8))) { $0 == "content-type" ? type : fields[$0] }
    }

    /// A reply that says nothing, for ever.
    static var silent: TransportReply {
        TransportReply(status: 200, body: SilentBody()) { $0 == "content-type" ? "text/event-stream" : nil }
    }

    /// The reply with its body as it is after a change, and not before its end.
    func edited(_ edit: (String) -> String) async throws -> TransportReply {
        var bytes: [UInt8] = []
        while let piece = try await body.next() { bytes += piece }
        body.leave()
        let reply = self
        return TransportReply(
            status: status, body: WholeBody(Array(edit(String(decoding: bytes, as: UTF8.self)).utf8))
        ) { reply.field($0) }
    }

    /// The reply with something done when its reader goes away.
    func onLeaving(_ act: @escaping @Sendable () -> Void) -> TransportReply {
        let reply = self
        return TransportReply(status: status, body: WatchedBody(body, act)) { reply.field($0) }
    }
}

private final class WholeBody: TransportBody {
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    func next() async throws -> ArraySlice<UInt8>? {
        let all = bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes
        }
        return all.isEmpty ? nil : all[...]
    }

    func cancel() {}
}

private final class SilentBody: TransportBody {
    private let isOver = Mutex(false)

    func next() async throws -> ArraySlice<UInt8>? {
        while !isOver.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
        throw TransportFailure(.dropped, "let go")
    }

    func cancel() { isOver.withLock { $0 = true } }
}

private final class WatchedBody: TransportBody {
    private let base: any TransportBody
    private let act: @Sendable () -> Void
    private let isOver = Mutex(false)

    init(_ base: any TransportBody, _ act: @escaping @Sendable () -> Void) {
        self.base = base
        self.act = act
    }

    func next() async throws -> ArraySlice<UInt8>? { try await base.next() }

    func cancel() {
        base.cancel()
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isFirst { act() }
    }

    func leave() {
        isOver.withLock { $0 = true }
        base.leave()
    }
}
