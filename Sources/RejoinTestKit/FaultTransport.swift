public import RejoinClient
import Synchronization

/// A network that goes wrong as a test says, in front of another one.
///
/// Faults are taken in the order in which they were added: each serves the next exchanges that it is meant for, and is
/// then gone.
public final class FaultTransport: Transport {
    /// What goes wrong with an exchange.
    public enum Fault: Equatable, Sendable {
        /// No connection comes about; the request is not seen.
        case refuse
        /// The request is carried out, and the reply is lost.
        case loseReply
        /// The reply breaks after so many bytes.
        case cut(afterBytes: Int)
        /// The reply falls silent after so many bytes, and stays open.
        case stall(afterBytes: Int)
        /// Each piece of the reply comes twice.
        case duplicate
        /// The request reaches the server twice; the first reply is lost.
        case sendTwice
    }

    private struct Entry {
        let fault: Fault
        var times: Int
        let isMeant: @Sendable (TransportRequest) -> Bool
    }

    private struct State {
        var entries: [Entry] = []
        var isDown = false
        var lines: [FaultBody] = []
        var requests: [String] = []
    }

    private let transport: any Transport
    private let state = Mutex(State())

    /// Puts faults in front of a transport.
    public init(_ transport: any Transport) { self.transport = transport }

    /// Method and address of each request that a client made, in order.
    public var requests: [String] { state.withLock { $0.requests } }

    /// Lets the next exchanges go wrong.
    ///
    /// - Parameters:
    ///   - times: how many exchanges it befalls.
    ///   - isMeant: which; by default any.
    public func add(
        _ fault: Fault, times: Int = 1, where isMeant: @escaping @Sendable (TransportRequest) -> Bool = { _ in true }
    ) {
        state.withLock { $0.entries.append(Entry(fault: fault, times: times, isMeant: isMeant)) }
    }

    /// Takes the network away, open lines with it, or gives it back.
    public func setDown(_ isDown: Bool) {
        state.withLock { $0.isDown = isDown }
        if isDown { breakLines() }
    }

    /// Breaks every open line.
    public func breakLines() {
        let lines = state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
        for line in lines { line.breakOff() }
    }

    public func send(_ request: TransportRequest) async throws -> TransportReply {
        let fault = try state.withLock { state -> Fault? in
            state.requests.append("\(request.method) \(request.url)")
            if state.isDown { throw TransportFailure(.unreachable, "the network is down") }
            guard let index = state.entries.firstIndex(where: { $0.isMeant(request) }) else { return nil }
            state.entries[index].times -= 1
            let entry = state.entries[index]
            if entry.times <= 0 { state.entries.remove(at: index) }
            return entry.fault
        }
        if fault == .refuse { throw TransportFailure(.unreachable, "refused") }
        var reply = try await transport.send(request)
        switch fault {
        case .loseReply:
            reply.body.cancel()
            throw TransportFailure(.dropped, "the reply was lost")
        case .sendTwice:
            reply.body.cancel()
            reply = try await transport.send(request)
        default: break
        }
        let body = FaultBody(reply.body, fault)
        let isDown = state.withLock { state in
            state.lines.removeAll { $0.isOver }
            state.lines.append(body)
            return state.isDown
        }
        if isDown { body.breakOff() }
        let whole = reply
        return TransportReply(status: whole.status, body: body) { whole.field($0) }
    }
}

/// A body whose bytes are counted, and which may break between any two of them.
private final class FaultBody: TransportBody {
    private struct State {
        var sent = 0
        var isBroken = false
        var isOver = false
        var again: ArraySlice<UInt8>?
    }

    private let body: any TransportBody
    private let fault: FaultTransport.Fault?
    private let state = Mutex(State())
    /// What a reader waits on once nothing comes any more.
    private let silence = ScriptedBody()

    init(_ body: any TransportBody, _ fault: FaultTransport.Fault?) {
        self.body = body
        self.fault = fault
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    func breakOff() {
        state.withLock { $0.isBroken = true }
        silence.breakOff()
        body.cancel()
    }

    func cancel() {
        state.withLock { $0.isOver = true }
        silence.cancel()
        body.cancel()
    }

    func next() async throws -> ArraySlice<UInt8>? {
        let broken = TransportFailure(.dropped, "the line broke")
        if state.withLock({ $0.isBroken }) { throw broken }
        if let again = state.withLock({ $0.again.take() }) { return again }
        let sent = state.withLock { $0.sent }
        switch fault {
        case .cut(let limit) where sent >= limit:
            cancel()
            throw broken
        case .stall(let limit) where sent >= limit: return try await silence.next()
        default: break
        }
        guard var piece = try await body.next() else {
            state.withLock { $0.isOver = true }
            return nil
        }
        if state.withLock({ $0.isBroken }) { throw broken }
        switch fault {
        case .cut(let limit), .stall(let limit): piece = piece.prefix(max(0, limit - sent))
        case .duplicate: state.withLock { $0.again = piece }
        default: break
        }
        let count = piece.count
        state.withLock { $0.sent += count }
        return piece.isEmpty ? try await next() : piece
    }
}
