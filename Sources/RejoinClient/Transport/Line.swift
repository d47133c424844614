import Synchronization

/// One open exchange under watch: a reply that falls silent is let go, and its reader told so.
final class Line: Sendable {
    let status: Int
    private let reply: TransportReply
    private let watch: SilenceWatch
    private let isLeft = Mutex(false)

    /// Sends a request and waits for the head of the reply.
    ///
    /// - Throws: ``ClientError`` when no head came in time or the transport failed; `CancellationError`.
    static func open(
        _ request: TransportRequest, over transport: any Transport, silenceLimit: Duration, clock: any Clock<Duration>
    ) async throws -> Line {
        let reply = try await withThrowingTaskGroup(of: TransportReply?.self) { group in
            group.addTask { try await transport.send(request) }
            group.addTask {
                try await clock.sleep(for: silenceLimit)
                return nil
            }
            defer { group.cancelAll() }
            do {
                if let first = try await group.next(), let reply = first { return reply }
                group.cancelAll()
                // A head that came at the last moment is let go as well.
                while let late = try? await group.next() { late?.body.cancel() }
                throw ClientError(.silent, "no reply within \(silenceLimit)")
            } catch let failure as TransportFailure {
                throw ClientError(failure)
            }
        }
        return Line(reply, silenceLimit: silenceLimit, clock: clock)
    }

    private init(_ reply: TransportReply, silenceLimit: Duration, clock: any Clock<Duration>) {
        self.reply = reply
        status = reply.status
        watch = SilenceWatch(clock: clock)
        let body = reply.body
        watch.start(limit: silenceLimit, clock: clock) { body.cancel() }
    }

    deinit { if !isLeft.withLock({ $0 }) { close() } }

    /// How long since the head of the reply.
    var age: Duration { watch.age }

    /// The value of a header field, by its lower-case name.
    func field(_ name: String) -> String? { reply.field(name) }

    /// The next bytes; nil at the orderly end.
    ///
    /// - Throws: ``ClientError`` when the line broke or fell silent; `CancellationError`.
    func next() async throws -> ArraySlice<UInt8>? {
        let body = reply.body
        let piece: ArraySlice<UInt8>?
        do {
            piece = try await withTaskCancellationHandler {
                try await body.next()
            } onCancel: {
                body.cancel()
            }
        } catch {
            try Task.checkCancellation()
            if watch.hasFired { throw ClientError(.silent, "nothing came within the limit") }
            if let failure = error as? TransportFailure { throw ClientError(failure) }
            throw error
        }
        if watch.hasFired { throw ClientError(.silent, "nothing came within the limit") }
        watch.touch()
        return piece
    }

    /// The whole body.
    ///
    /// - Throws: as ``next()``, and `malformedReply` when it outgrows `limit` bytes.
    func collect(limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await next() {
            guard piece.count <= limit - bytes.count else {
                throw ClientError(.malformedReply, "a reply of more than \(limit) bytes", status: status)
            }
            bytes += piece
        }
        return bytes
    }

    /// Reads no further a reply that has said all it had to say.
    func leave() {
        watch.stop()
        isLeft.withLock { $0 = true }
        reply.body.leave()
    }

    /// Lets go of the exchange.
    func close() {
        watch.stop()
        reply.body.cancel()
    }
}
