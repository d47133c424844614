public import RejoinClient
public import RejoinCore
import Synchronization

/// The body of a reply that is filled piece by piece.
public final class ScriptedBody: TransportBody {
    /// How a body ends.
    public typealias Ending = Result<Void, TransportFailure>

    private struct State {
        var pieces: [ArraySlice<UInt8>] = []
        var ending: Ending?
        var waiter: CheckedContinuation<ArraySlice<UInt8>?, any Error>?
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// Makes a body with these pieces, which then ends, breaks, or stays open.
    public init(_ pieces: [[UInt8]] = [], then ending: Ending? = nil) {
        state.withLock {
            $0.pieces = pieces.map { $0[...] }
            $0.ending = ending
        }
    }

    /// Whether its reader let go of it.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Adds a piece.
    public func push(_ piece: [UInt8]) {
        guard !piece.isEmpty else { return }
        let waiter = state.withLock { state -> CheckedContinuation<ArraySlice<UInt8>?, any Error>? in
            guard state.ending == nil else { return nil }
            defer { state.waiter = nil }
            if state.waiter == nil { state.pieces.append(piece[...]) }
            return state.waiter
        }
        waiter?.resume(returning: piece[...])
    }

    /// Ends it after the pieces that it holds; the first end counts.
    public func end(_ ending: Ending = .success(())) {
        let waiter = state.withLock { state -> CheckedContinuation<ArraySlice<UInt8>?, any Error>? in
            guard state.ending == nil else { return nil }
            state.ending = ending
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: Self.result(of: ending))
    }

    /// Breaks it at once, as a lost connection does.
    public func breakOff() { end(.failure(TransportFailure(.dropped, "the line broke"))) }

    public func cancel() {
        state.withLock {
            $0.isCancelled = true
            $0.pieces = []
        }
        end(.failure(TransportFailure(.dropped, "cancelled")))
    }

    public func next() async throws -> ArraySlice<UInt8>? {
        try await withCheckedThrowingContinuation { continuation in
            let ready = state.withLock { state -> Result<ArraySlice<UInt8>?, any Error>? in
                if !state.pieces.isEmpty { return .success(state.pieces.removeFirst()) }
                if let ending = state.ending { return Self.result(of: ending) }
                state.waiter = continuation
                return nil
            }
            if let ready { continuation.resume(with: ready) }
        }
    }

    private static func result(of ending: Ending) -> Result<ArraySlice<UInt8>?, any Error> {
        switch ending {
        case .success: .success(nil)
        case .failure(let failure): .failure(failure)
        }
    }
}

extension TransportReply {
    /// An event stream.
    public static func stream(_ body: ScriptedBody) -> TransportReply {
        TransportReply(status: 200, body: body) { $0 == "content-type" ? "text/event-stream" : nil }
    }

    /// A document in JSON.
    public static func json(_ bytes: [UInt8], status: Int = 200) -> TransportReply {
        TransportReply(status: status, body: ScriptedBody([bytes].filter { !$0.isEmpty }, then: .success(()))) {
            $0 == "content-type" ? "application/json" : nil
        }
    }

    /// A refusal.
    public static func problem(_ problem: Problem) -> TransportReply {
        json(problem.json, status: problem.kind.status)
    }

    /// A refusal because a limit is reached.
    public static func limitReached(_ capability: String, resetsAt: Timestamp?) -> TransportReply {
        var json = JSONWriter()
        json.beginObject()
        json.member("type", "/problems/limit-reached")
        json.name("status")
        json.integer(429)
        json.member("capability", capability)
        if let resetsAt {
            json.name("resets_at")
            json.time(resetsAt)
        }
        json.endObject()
        return .json(json.bytes, status: 429)
    }
}
