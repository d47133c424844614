import Synchronization

/// The status line and the fields of a reply.
struct ReplyHead: Sendable {
    var status = 0
    var fields: [(name: String, value: String)] = []
}

/// What the loop's thread and the reading task share of one call.
///
/// The loop puts a head, bytes and an ending in; the reader takes them out. Over ``highWater`` bytes the loop is
/// told to hold the connection back, which lets TCP slow the sender; taking the bytes out starts it again.
final class ReplyChannel: Sendable {
    static let highWater = 64 << 10

    private struct State {
        var head: ReplyHead?
        var headWaiter: CheckedContinuation<ReplyHead, any Error>?
        var bytes: [UInt8] = []
        var isHeldBack = false
        var reader: CheckedContinuation<Void, Never>?
        /// Set once; a nil error is a clean end.
        var ending: Ending?
        var isDiscarding = false
    }

    private struct Ending {
        var error: HTTPClientError?
    }

    private let state = Mutex(State())

    // MARK: The loop's side

    /// Hands the head over.
    func deliver(_ head: ReplyHead) {
        let waiter = state.withLock { state in
            state.head = head
            defer { state.headWaiter = nil }
            return state.headWaiter
        }
        waiter?.resume(returning: head)
    }

    /// What the loop shall do with bytes that came.
    enum Verdict {
        case taken, holdBack, stop
    }

    /// Takes bytes, unless the reader is behind or gone.
    func offer(_ bytes: UnsafeBufferPointer<UInt8>) -> Verdict {
        let (verdict, reader) = state.withLock { state -> (Verdict, CheckedContinuation<Void, Never>?) in
            if state.ending != nil { return (.stop, nil) }
            if state.isDiscarding { return (.taken, nil) }
            if state.bytes.count >= Self.highWater {
                state.isHeldBack = true
                return (.holdBack, nil)
            }
            unsafe state.bytes.append(contentsOf: bytes)
            defer { state.reader = nil }
            return (.taken, state.reader)
        }
        reader?.resume()
        return verdict
    }

    /// Ends the reply, cleanly or with an error; the first ending stays.
    ///
    /// - Returns: false if it had ended already.
    @discardableResult
    func end(_ error: HTTPClientError?, keepingBytes: Bool = true) -> Bool {
        let (isFirst, headWaiter, reader) = state.withLock {
            state -> (Bool, CheckedContinuation<ReplyHead, any Error>?, CheckedContinuation<Void, Never>?) in
            guard state.ending == nil else { return (false, nil, nil) }
            state.ending = Ending(error: error)
            if !keepingBytes { state.bytes = [] }
            defer {
                state.headWaiter = nil
                state.reader = nil
            }
            return (true, state.headWaiter, state.reader)
        }
        headWaiter?.resume(throwing: error ?? Self.endedBeforeHead)
        reader?.resume()
        return isFirst
    }

    var hasEnded: Bool { state.withLock { $0.ending != nil } }
    var isDiscarding: Bool { state.withLock { $0.isDiscarding } }

    // MARK: The reader's side

    /// Waits for the head.
    func head() async throws -> ReplyHead {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<ReplyHead, any Error>? = state.withLock { state in
                    if let head = state.head { return .success(head) }
                    if let ending = state.ending { return .failure(ending.error ?? Self.endedBeforeHead) }
                    state.headWaiter = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } catch let error as HTTPClientError {
            throw Self.thrown(error)
        }
    }

    /// Waits for bytes and takes all there are; nil at a clean end.
    ///
    /// - Returns: the bytes, and whether the loop waits for room.
    func next() async throws -> (bytes: [UInt8], wasHeldBack: Bool)? {
        while true {
            let taken = try state.withLock { state throws -> (bytes: [UInt8], wasHeldBack: Bool)?? in
                if !state.bytes.isEmpty {
                    let bytes = state.bytes
                    state.bytes = []
                    defer { state.isHeldBack = false }
                    return (bytes, state.isHeldBack)
                }
                guard let ending = state.ending else { return nil }
                if let error = ending.error { throw Self.thrown(error) }
                return .some(nil)
            }
            if let taken { return taken }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if !state.bytes.isEmpty || state.ending != nil { return true }
                    precondition(state.reader == nil, "a reply has one reader")
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    /// Throws away what comes from now on.
    ///
    /// - Returns: whether the loop waits for room.
    func discard() -> Bool {
        state.withLock { state in
            state.isDiscarding = true
            state.bytes = []
            defer { state.isHeldBack = false }
            return state.isHeldBack
        }
    }

    private static let endedBeforeHead = HTTPClientError(.malformedReply, "the reply ended before its head")

    /// The error that the waiting task shall see: a cancelled one gets what every cancelled task gets.
    private static func thrown(_ error: HTTPClientError) -> any Error {
        error.code == .cancelled && Task.isCancelled ? CancellationError() : error
    }
}
