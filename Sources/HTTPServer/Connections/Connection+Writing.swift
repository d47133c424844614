private import RejoinCore
internal import Synchronization

extension Connection {
    /// Sends at once what the kernel takes, on whatever thread this is, and queues the rest.
    func push(_ bytes: [UInt8], _ state: inout ConnectionState, _ effects: inout Effects) {
        if state.phase == .closed || bytes.isEmpty { return }
        if state.pulse != nil { state.pulse?.lastWrite = monotonicNow() }
        guard state.queuedOutput == 0 else { return state.output.append(contentsOf: bytes) }
        guard case .bytes(let sent) = socket.send(bytes) else { return close(&state, &effects) }
        loop.counters.bytesWritten.add(sent, ordering: .relaxed)
        if sent == bytes.count { return }
        state.output = sent == 0 ? bytes : Array(bytes[sent...])
        state.outputStart = 0
        state.lastProgress = monotonicNow()
        state.events?.writable.add()
    }

    /// Sends more of what is queued, on the loop's thread.
    func flush(_ state: inout ConnectionState, _ effects: inout Effects) {
        if state.phase == .closed { return }
        var progress = 0
        while state.queuedOutput > 0 {
            guard case .bytes(let sent) = socket.send(state.output, from: state.outputStart) else {
                return close(&state, &effects)
            }
            if sent == 0 { break }
            state.outputStart += sent
            progress += sent
        }
        if progress > 0 { state.lastProgress = monotonicNow() }
        loop.counters.bytesWritten.add(progress, ordering: .relaxed)
        if state.queuedOutput == 0 {
            state.output = []
            state.outputStart = 0
            state.events?.writable.remove()
        } else if state.outputStart >= 32 << 10 {
            // A queue that never empties must not keep what is sent.
            state.output.removeSubrange(..<state.outputStart)
            state.outputStart = 0
        }
        if state.queuedOutput < configuration.writeLowMark { effects.resumed += state.writers.removeAll() }
        if state.queuedOutput == 0 { finishFlushing(&state, &effects) }
    }

    // MARK: From the handler's task

    /// Begins a response.
    ///
    /// - Returns: whether a body may follow.
    /// - Throws: ``HTTPServerError`` when the client is gone or a response was begun.
    func beginResponse(
        _ status: Int, _ fields: HTTPFields, body: [UInt8], exchange number: Int
    ) throws(HTTPServerError) -> Bool {
        try withState { state, effects throws(HTTPServerError) in
            try checkNoResponse(state, number)
            decideClosing(fields, &state)
            let hasLength = status != 204 && status != 304 && status >= 200
            let head = head(status, fields, hasLength ? .length(body.count) : .unstated, state)
            if !hasLength || state.isHead || body.isEmpty {
                state.response = .complete
                push(head.bytes, &state, &effects)
                return false
            }
            if body.count <= Self.pieceSize {
                state.response = .complete
                push(head.bytes + body, &state, &effects)
                return false
            }
            state.response = .whole
            push(head.bytes, &state, &effects)
            return true
        }
    }

    /// How much of a large body is queued at a time.
    static let pieceSize = 32 << 10

    /// Queues the next piece of a body whose length was stated.
    func continueResponse(_ piece: [UInt8], isLast: Bool, exchange number: Int) throws(HTTPServerError) {
        try withState { state, effects throws(HTTPServerError) in
            guard state.isCurrent(number) else { throw .disconnected }
            if isLast { state.response = .complete }
            push(piece, &state, &effects)
        }
    }

    /// Begins a response whose end is not known.
    func beginStream(
        _ status: Int, _ fields: HTTPFields, heartbeat: Heartbeat?, exchange number: Int
    ) throws(HTTPServerError) {
        try withState { state, effects throws(HTTPServerError) in
            try checkNoResponse(state, number)
            let isChunked = state.minorVersion == 1
            // Without chunks the end of the connection is the end of the body.
            if !isChunked { state.closesAfter = true }
            decideClosing(fields, &state)
            let head = head(status, fields, isChunked ? .chunked : .unstated, state)
            state.response = .stream(isChunked: isChunked, isSilent: state.isHead)
            loop.counters.openStreams.add(1, ordering: .relaxed)
            if let heartbeat, !state.isHead {
                var bytes = heartbeat.bytes
                if isChunked { bytes = Self.chunk([heartbeat.bytes]) }
                state.pulse = .init(
                    bytes: bytes, after: heartbeat.after.nanoseconds, lastWrite: monotonicNow())
            }
            push(head.bytes, &state, &effects)
        }
    }

    /// Sends pieces of a stream, as one chunk.
    ///
    /// - Returns: whether so much is queued that the caller must wait.
    func writeStream(_ pieces: [[UInt8]], exchange number: Int) throws(HTTPServerError) -> Bool {
        try withState { state, effects throws(HTTPServerError) in
            guard state.isCurrent(number) else { throw .disconnected }
            guard case .stream(let isChunked, let isSilent) = state.response else {
                throw HTTPServerError(.alreadyResponded, "The stream was finished before.")
            }
            if isSilent { return false }
            if isChunked {
                push(Self.chunk(pieces), &state, &effects)
            } else {
                push(Array(pieces.joined()), &state, &effects)
            }
            if state.phase == .closed { throw .disconnected }
            return state.queuedOutput > configuration.writeHighMark
        }
    }

    /// Ends a stream.
    func finishStream(exchange number: Int) throws(HTTPServerError) {
        try withState { state, effects throws(HTTPServerError) in
            guard state.isCurrent(number) else { throw .disconnected }
            guard case .stream(let isChunked, let isSilent) = state.response else { return }
            endStream(&state)
            state.response = .complete
            if isChunked, !isSilent { push(Array("0\r\n\r\n".utf8), &state, &effects) }
        }
    }

    private func endStream(_ state: inout ConnectionState) {
        state.pulse = nil
        loop.counters.openStreams.subtract(1, ordering: .relaxed)
    }

    /// Whether so much is queued that a writer must wait.
    ///
    /// - Throws: ``HTTPServerError`` when the client is gone.
    func isBehind(exchange number: Int) throws(HTTPServerError) -> Bool {
        try withState { state, _ throws(HTTPServerError) in
            guard state.isCurrent(number) else { throw .disconnected }
            return state.queuedOutput > configuration.writeHighMark
        }
    }

    func isCurrent(exchange number: Int) -> Bool { withState { state, _ in state.isCurrent(number) } }

    /// What follows a handler: the missing 500, the next request, or the end of the connection.
    func endExchange(_ number: Int) {
        loop.counters.activeRequests.subtract(1, ordering: .relaxed)
        withState { state, effects in
            guard state.number == number else { return }
            effects.endedExchange = true
            state.task = nil
            state.pieces = []
            state.queuedBody = 0
            // A task that outlives its handler must not wait on the next exchange.
            effects.resumed += state.readers.removeAll() + state.writers.removeAll()
            if case .stream = state.response { endStream(&state) }
            guard state.phase == .exchange else { return }
            if state.response == .none { respondForTheHandler(&state, &effects) }
            // A body that was not all sent can only be told apart by the end of the connection.
            if state.response != .complete || loop.isDraining.load(ordering: .relaxed) { state.closesAfter = true }
            if state.phase == .closed { return }
            if state.closesAfter {
                let isClean = state.isBodyComplete && state.parser.buffered == 0
                return endAfterOutput(lingers: !isClean, &state, &effects)
            }
            if state.isBodyComplete {
                waitForNextRequest(&state)
            } else {
                state.phase = .discarding(left: configuration.discardedBody)
                state.deadline = monotonicNow() + configuration.bodyIdleTimeout.nanoseconds
            }
            resumeReading(&state)
            advance(&state, &effects)
        }
    }

    private func respondForTheHandler(_ state: inout ConnectionState, _ effects: inout Effects) {
        let body = Problem(.internalError, "The server did not answer the request.").json
        decideClosing([:], &state)
        let head = head(500, ["Content-Type": "application/problem+json"], .length(body.count), state)
        state.response = .complete
        push(head.bytes + (state.isHead ? [] : body), &state, &effects)
    }

    private func checkNoResponse(_ state: ConnectionState, _ number: Int) throws(HTTPServerError) {
        guard state.isCurrent(number) else { throw .disconnected }
        guard state.response == .none else {
            throw HTTPServerError(.alreadyResponded, "The request was answered before.")
        }
    }

    /// Settles whether the connection ends after this response, which its head must say.
    private func decideClosing(_ fields: HTTPFields, _ state: inout ConnectionState) {
        if loop.isDraining.load(ordering: .relaxed) || state.awaitsContinue
            || !state.isBodyComplete && (state.bodyLeft ?? 0) > configuration.discardedBody
            || fields["connection"].map({ Grammar.list($0, names: "close") }) ?? false
        {
            state.closesAfter = true
        }
    }

    private func head(
        _ status: Int, _ fields: HTTPFields, _ framing: ResponseHead.Framing, _ state: ConnectionState
    ) -> ResponseHead {
        ResponseHead(
            status: status, fields: fields, framing: framing, closes: state.closesAfter,
            statesKeepAlive: state.minorVersion == 0, date: loop.date)
    }

    private static func chunk(_ pieces: [[UInt8]]) -> [UInt8] {
        let count = pieces.reduce(0) { $0 + $1.count }
        // A chunk of no bytes would end the stream.
        if count == 0 { return [] }
        var chunk: [UInt8] = []
        chunk.reserveCapacity(count + 20)
        let digits = (64 - count.leadingZeroBitCount + 3) / 4
        for digit in (0..<digits).reversed() {
            let value = UInt8(truncatingIfNeeded: count >> (digit * 4)) & 15
            chunk.append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
        }
        chunk.append(contentsOf: [Grammar.carriageReturn, Grammar.lineFeed])
        for piece in pieces { chunk.append(contentsOf: piece) }
        chunk.append(contentsOf: [Grammar.carriageReturn, Grammar.lineFeed])
        return chunk
    }
}
