import RejoinClient
import RejoinCore
import Synchronization

/// A network that does what a closure says, and remembers what was asked of it.
final class ScriptedTransport: Transport {
    private let answer: @Sendable (TransportRequest, Int) async throws -> TransportReply
    private let seen = Mutex<[TransportRequest]>([])

    /// - Parameter answer: gets each request with its number, from 1.
    init(_ answer: @escaping @Sendable (TransportRequest, Int) async throws -> TransportReply) { self.answer = answer }

    var requests: [TransportRequest] { seen.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportReply {
        let number = seen.withLock {
            $0.append(request)
            return $0.count
        }
        return try await answer(request, number)
    }
}

/// A body that a test fills piece by piece.
final class ScriptedBody: TransportBody {
    private struct State {
        var pieces: [ArraySlice<UInt8>] = []
        var ending: Result<Void, TransportFailure>?
        var waiter: CheckedContinuation<ArraySlice<UInt8>?, any Error>?
        var isCancelled = false
        var reads = 0
    }

    private let state = Mutex(State())

    /// A body with these pieces, which then ends, breaks, or stays open.
    init(_ pieces: [[UInt8]] = [], then ending: Result<Void, TransportFailure>? = nil) {
        state.withLock {
            $0.pieces = pieces.map { $0[...] }
            $0.ending = ending
        }
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// Whether a reader waits for more.
    var isAwaited: Bool { state.withLock { $0.waiter != nil } }

    func push(_ piece: [UInt8]) {
        let waiter = state.withLock { state -> CheckedContinuation<ArraySlice<UInt8>?, any Error>? in
            defer { state.waiter = nil }
            if state.waiter == nil { state.pieces.append(piece[...]) }
            return state.waiter
        }
        waiter?.resume(returning: piece[...])
    }

    func end(_ ending: Result<Void, TransportFailure> = .success(())) {
        let waiter = state.withLock { state -> CheckedContinuation<ArraySlice<UInt8>?, any Error>? in
            if state.ending == nil { state.ending = ending }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: ending.map { nil }.mapError { $0 })
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        end(.failure(TransportFailure(.dropped, "cancelled")))
    }

    func next() async throws -> ArraySlice<UInt8>? {
        try await withCheckedThrowingContinuation { continuation in
            let ready = state.withLock { state -> Result<ArraySlice<UInt8>?, any Error>? in
                state.reads += 1
                if !state.pieces.isEmpty { return .success(state.pieces.removeFirst()) }
                if let ending = state.ending { return ending.map { nil }.mapError { $0 } }
                state.waiter = continuation
                return nil
            }
            if let ready { continuation.resume(with: ready) }
        }
    }
}

extension TransportReply {
    /// An event stream.
    static func stream(_ body: ScriptedBody, status: Int = 200) -> TransportReply {
        TransportReply(status: status, body: body) { $0 == "content-type" ? "text/event-stream" : nil }
    }

    /// A JSON document.
    static func json(_ text: String, status: Int = 200, fields: [String: String] = [:]) -> TransportReply {
        TransportReply(status: status, body: ScriptedBody([Array(text.utf8)], then: .success(()))) { fields[$0] }
    }

    /// A refusal.
    static func problem(_ problem: Problem) -> TransportReply {
        json(String(decoding: problem.json, as: UTF8.self), status: problem.kind.status)
    }
}

/// Events as they travel.
func wire(_ events: [NumberedEvent]) -> [UInt8] {
    var bytes: [UInt8] = []
    for event in events { event.append(to: &bytes) }
    return bytes
}

/// Events numbered from 1.
func numbered(_ events: [Event]) -> [NumberedEvent] {
    events.enumerated().map { NumberedEvent(seq: $0.offset + 1, event: $0.element) }
}
