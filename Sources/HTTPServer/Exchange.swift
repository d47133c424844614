/// One request and the place for its response.
///
/// It is good for as long as its handler runs; afterwards every call throws `disconnected`, so that a forgotten
/// reference cannot write into the answer of another request.
package final class Exchange: Sendable {
    /// The request's head.
    package let request: HTTPRequest
    /// The body's size in bytes where the request states it.
    package let bodyLength: Int?
    private let connection: Connection
    private let number: Int

    init(_ request: HTTPRequest, connection: Connection, number: Int, bodyLength: Int?) {
        self.request = request
        self.connection = connection
        self.number = number
        self.bodyLength = bodyLength
    }

    /// Whether the client is gone (or the exchange is over).
    package var isDisconnected: Bool { !connection.isCurrent(exchange: number) }

    /// Cancels the handler, wherever it is; a response that has begun is cut.
    package func cancel() { connection.cancelTask(exchange: number) }

    /// The thread that polls the connections: tasks that write here at the same moment wake it once for all of them.
    ///
    /// For the work of a moment only: whoever blocks it blocks every connection.
    package var executor: any TaskExecutor { connection.loop }

    /// What the server that took this request has done so far.
    package var serverStatistics: HTTPServer.Statistics { connection.loop.counters.snapshot }

    /// The whole body.
    ///
    /// A client that waits for `100 Continue` gets it by the first call for the body, unless the stated length is over
    /// the limit: then it need not send anything.
    /// - Parameter limit: the largest size taken, in bytes.
    /// - Throws: ``HTTPServerError`` with the code `bodyTooLarge`, `bodyTimeout`, `malformedBody` or `disconnected`;
    ///   `CancellationError`.
    package func body(limit: Int) async throws -> [UInt8] {
        let tooLarge = HTTPServerError(.bodyTooLarge, "The body is larger than \(limit) bytes.")
        if let bodyLength, bodyLength > limit { throw tooLarge }
        guard let first = try await nextBodyPiece() else { return [] }
        guard first.count <= limit else { throw tooLarge }
        var body = Array(first)
        while let piece = try await nextBodyPiece() {
            guard body.count + piece.count <= limit else { throw tooLarge }
            body.append(contentsOf: piece)
        }
        return body
    }

    /// The next piece of the body, or nil at its end; the client is held back while none is asked for.
    ///
    /// - Throws: ``HTTPServerError`` with the code `bodyTimeout`, `malformedBody` or `disconnected`;
    ///   `CancellationError`.
    package func nextBodyPiece() async throws -> ArraySlice<UInt8>? {
        while true {
            switch try connection.takePiece(exchange: number) {
            case .piece(let piece): return piece
            case .end: return nil
            case .wait:
                try Task.checkCancellation()
                await connection.wait(for: .body, exchange: number)
            }
        }
    }

    /// Sends a whole response; framing fields are added, a body is left out where the request or status has none.
    ///
    /// Returns when little of it is left to be sent, so that a handler never holds more than one response in memory.
    /// - Throws: ``HTTPServerError`` with the code `disconnected`, `alreadyResponded` or `invalidField`;
    ///   `CancellationError`.
    package func respond(_ status: Int, fields: HTTPFields = [:], body: [UInt8] = []) async throws {
        try checkSendable(fields)
        var continues = try connection.beginResponse(status, fields, body: body, exchange: number)
        var sent = 0
        while continues {
            try await waitWhileBehind()
            let end = min(sent + Connection.pieceSize, body.count)
            continues = end < body.count
            try connection.continueResponse(Array(body[sent..<end]), isLast: !continues, exchange: number)
            sent = end
        }
        try await waitWhileBehind()
    }

    /// Begins a response whose length is not known: chunked, or up to the end of the connection for HTTP/1.0.
    ///
    /// - Parameter heartbeat: what to send when nothing else was sent for a while.
    /// - Throws: ``HTTPServerError`` with the code `disconnected`, `alreadyResponded` or `invalidField`.
    package func stream(
        _ status: Int, fields: HTTPFields = [:], heartbeat: Heartbeat? = nil
    ) async throws -> ResponseStream {
        try checkSendable(fields)
        try connection.beginStream(status, fields, heartbeat: heartbeat, exchange: number)
        return ResponseStream(exchange: self)
    }

    private func checkSendable(_ fields: HTTPFields) throws(HTTPServerError) {
        guard fields.isSendable else {
            throw HTTPServerError(.invalidField, "A response field holds a byte that would break the message.")
        }
    }

    private func waitWhileBehind() async throws {
        while try connection.isBehind(exchange: number) {
            try Task.checkCancellation()
            await connection.wait(for: .output, exchange: number)
        }
    }

    fileprivate func write(_ pieces: [[UInt8]]) async throws {
        guard try connection.writeStream(pieces, exchange: number) else { return }
        try await waitWhileBehind()
    }

    fileprivate func finish() throws { try connection.finishStream(exchange: number) }
}

/// What keeps a silent stream visibly alive: bytes that the server sends by itself, without waking any task.
package struct Heartbeat: Sendable {
    let bytes: [UInt8]
    let after: Duration

    /// Sends `bytes` whenever nothing was sent for `after`; never later, up to half a second earlier.
    package init(bytes: [UInt8], after: Duration) {
        self.bytes = bytes
        self.after = after
    }
}

/// A response that is sent as it comes into being.
package struct ResponseStream: Sendable {
    fileprivate let exchange: Exchange

    /// Sends bytes at once; waits while the client is more than 64 KB behind, until it is less than 16 KB behind.
    ///
    /// - Throws: ``HTTPServerError`` with the code `disconnected`; `CancellationError` while waiting.
    package func write(_ bytes: [UInt8]) async throws { try await exchange.write([bytes]) }

    /// Sends several pieces in one chunk with one system call.
    package func write(_ pieces: [[UInt8]]) async throws { try await exchange.write(pieces) }

    /// Ends the response; one that is not finished when its handler returns is cut, which its client can tell.
    package func finish() async throws { try exchange.finish() }
}
