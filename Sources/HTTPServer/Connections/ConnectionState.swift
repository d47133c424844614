/// Everything about a connection that changes, under the connection's lock.
struct ConnectionState {
    enum Phase: Equatable {
        /// For the head of a request.
        case waiting
        /// A handler is at work.
        case exchange
        /// The handler is done; the rest of its request's body is thrown away, up to so many bytes.
        case discarding(left: Int)
        /// The last bytes are on their way out.
        case flushing(lingers: Bool)
        /// The last bytes are out; the client may still be sending, and would lose them by a reset.
        case lingering
        case closed
    }

    enum Response: Equatable {
        case none
        /// Its head is out, its body not all of it.
        case whole
        case stream(isChunked: Bool, isSilent: Bool)
        case complete
    }

    struct Events {
        var readable: EventHandle
        var writable: EventHandle
        var ended: EventHandle?
    }

    /// The bytes of a heartbeat as they go out, and when.
    struct Pulse {
        var bytes: [UInt8]
        var after: Moment
        var lastWrite: Moment
    }

    var phase = Phase.waiting
    var events: Events?
    var isReadPaused = false
    /// When the phase has lasted too long.
    var deadline: Moment = .max
    var hasHeadBegun = true

    // The request.
    var parser: RequestParser
    /// Tells exchanges apart, so that one that is over cannot touch the next.
    var number = 0
    var task: Task<Void, Never>?
    var minorVersion = 1
    var isHead = false
    var awaitsContinue = false
    var pieces: [ArraySlice<UInt8>] = []
    var queuedBody = 0
    /// What is still to come by Content-Length; nil where only the chunks will tell.
    var bodyLeft: Int?
    var isBodyComplete = true
    var bodyFailure: HTTPServerError?
    var bodyDeadline: Moment = .max
    var readers = Waiters()

    // The response.
    var response = Response.none
    var closesAfter = false
    var output: [UInt8] = []
    var outputStart = 0
    var lastProgress: Moment = 0
    var pulse: Pulse?
    var writers = Waiters()
    var lastWaiter = 0

    init(parser: RequestParser) { self.parser = parser }

    var queuedOutput: Int { output.count - outputStart }

    /// Whether an exchange is the one at work and its client is there.
    func isCurrent(_ number: Int) -> Bool { phase == .exchange && self.number == number }

    /// Adds to the body that waits for its handler; small pieces are joined, or a body of tiny chunks would cost many
    /// times its size.
    mutating func enqueue(_ piece: ArraySlice<UInt8>) {
        queuedBody += piece.count
        bodyLeft = bodyLeft.map { $0 - piece.count }
        if let last = pieces.indices.last, pieces[last].count + piece.count <= 16 << 10 {
            pieces[last].append(contentsOf: piece)
        } else {
            pieces.append(piece)
        }
    }
}

/// What is to be done once the connection's lock is free again: each of these may run code that takes it.
struct Effects {
    var resumed: [CheckedContinuation<Void, Never>] = []
    var cancelled: Task<Void, Never>?
    var isClosed = false
    var endedExchange = false
}
