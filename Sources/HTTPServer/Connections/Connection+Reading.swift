internal import Synchronization

extension Connection {
    /// What a handler that asks for its body is to do.
    enum BodyStep: Sendable {
        case piece(ArraySlice<UInt8>)
        case end
        case wait
    }

    /// Takes as much from the parser as may be taken now.
    func advance(_ state: inout ConnectionState, _ effects: inout Effects) {
        while true {
            switch state.phase {
            case .waiting:
                do {
                    guard case .head(let head)? = try state.parser.next() else { return }
                    begin(head, &state)
                } catch {
                    return refuse(error, &state, &effects)
                }
            case .exchange:
                guard takeBody(&state, &effects) else { return }
            case .discarding(let left):
                do {
                    switch try state.parser.next() {
                    case .body(let piece)? where piece.count <= left:
                        state.phase = .discarding(left: left - piece.count)
                        state.deadline = monotonicNow() + configuration.bodyIdleTimeout.nanoseconds
                    case .end?:
                        state.isBodyComplete = true
                        waitForNextRequest(&state)
                    case nil: return
                    default: return endAfterOutput(lingers: true, &state, &effects)
                    }
                } catch {
                    return endAfterOutput(lingers: true, &state, &effects)
                }
            case .flushing, .lingering, .closed: return
            }
        }
    }

    private func begin(_ head: RequestHead, _ state: inout ConnectionState) {
        let now = monotonicNow()
        state.phase = .exchange
        state.number += 1
        state.minorVersion = head.minorVersion
        state.isHead = head.method == "HEAD"
        state.awaitsContinue = head.expectsContinue
        state.isBodyComplete = false
        state.bodyLeft =
            switch head.framing {
            case .none: 0
            case .length(let length): length
            case .chunked: nil
            }
        state.bodyFailure = nil
        state.deadline = now + configuration.bodyIdleTimeout.nanoseconds
        state.bodyDeadline = now + configuration.bodyTimeout.nanoseconds
        state.response = .none
        state.closesAfter = !head.keepsAlive
        loop.counters.requests.add(1, ordering: .relaxed)
        loop.counters.activeRequests.add(1, ordering: .relaxed)
        let exchange = Exchange(
            HTTPRequest(head, remoteAddress: remoteAddress), connection: self, number: state.number,
            bodyLength: state.bodyLeft)
        // The bridge from the loop's callback; the connection cancels it when the client leaves.
        state.task = Task { [handler = loop.handler, number = state.number] in
            await handler(exchange)
            self.endExchange(number)
        }
    }

    /// Moves one part of the body to its handler; false when there is none or the handler is behind.
    private func takeBody(_ state: inout ConnectionState, _ effects: inout Effects) -> Bool {
        if state.isBodyComplete || state.bodyFailure != nil {
            // The next request may wait in the parser, but not without bound.
            if state.parser.buffered > configuration.limits.head { pauseReading(&state) }
            return false
        }
        guard state.queuedBody < configuration.bodyBuffer else {
            pauseReading(&state)
            return false
        }
        do {
            switch try state.parser.next() {
            case .body(let piece)?:
                state.enqueue(piece)
                state.deadline = monotonicNow() + configuration.bodyIdleTimeout.nanoseconds
            case .end?: state.isBodyComplete = true
            case .head?, nil: return false
            }
            effects.resumed += state.readers.removeAll()
            return true
        } catch {
            loop.counters.count(error)
            failBody(HTTPServerError(.malformedBody, error.detail), &state, &effects)
            return false
        }
    }

    func failBody(_ failure: HTTPServerError, _ state: inout ConnectionState, _ effects: inout Effects) {
        state.bodyFailure = failure
        state.closesAfter = true
        pauseReading(&state)
        effects.resumed += state.readers.removeAll()
    }

    /// The next piece of the body that has arrived.
    ///
    /// - Throws: ``HTTPServerError`` when the client is gone or the body is late or broken.
    func takePiece(exchange number: Int) throws(HTTPServerError) -> BodyStep {
        try withState { state, effects throws(HTTPServerError) in
            guard state.isCurrent(number) else { throw .disconnected }
            if state.awaitsContinue {
                state.awaitsContinue = false
                let now = monotonicNow()
                state.deadline = now + configuration.bodyIdleTimeout.nanoseconds
                state.bodyDeadline = now + configuration.bodyTimeout.nanoseconds
                if state.response == .none {
                    push(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), &state, &effects)
                }
            }
            if !state.pieces.isEmpty {
                let piece = state.pieces.removeFirst()
                state.queuedBody -= piece.count
                if state.isReadPaused, state.bodyFailure == nil, state.queuedBody < configuration.bodyBuffer {
                    resumeReading(&state)
                    state.deadline = monotonicNow() + configuration.bodyIdleTimeout.nanoseconds
                    advance(&state, &effects)
                }
                return .piece(piece)
            }
            if let failure = state.bodyFailure { throw failure }
            return state.isBodyComplete ? .end : .wait
        }
    }

    private func pauseReading(_ state: inout ConnectionState) {
        if state.isReadPaused { return }
        state.isReadPaused = true
        state.events?.readable.remove()
        state.events?.ended?.add()
    }

    func resumeReading(_ state: inout ConnectionState) {
        guard state.isReadPaused, state.phase != .closed else { return }
        state.isReadPaused = false
        state.events?.ended?.remove()
        state.events?.readable.add()
    }

    func waitForNextRequest(_ state: inout ConnectionState) {
        state.phase = .waiting
        state.hasHeadBegun = state.parser.buffered > 0
        let time = state.hasHeadBegun ? configuration.headTimeout : configuration.idleTimeout
        state.deadline = monotonicNow() + time.nanoseconds
    }
}
