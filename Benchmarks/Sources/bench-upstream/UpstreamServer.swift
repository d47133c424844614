import BenchCore
import BenchSystem

/// A scripted model behind the chat-completions API: stamped pieces at the pace that the model's name asks for.
///
/// One thread, one poller and one wheel, because it has to be far cheaper than whatever stands between it and the
/// client.
final class UpstreamServer {
    private let poller: Poller
    private let listener: Socket
    private let clock: MonotonicClock
    private let wheel: TimerWheel
    private var connections: [Connection?] = []
    private var generation: UInt64 = 1
    private var records: [AnswerRecord] = []
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var framesBySize: [Int: CompletionFrames] = [:]

    private static let listenerKey: UInt64 = 0
    private static let modelName = Array(#""model""#.utf8)
    private static let tagMark = Array("bench:".utf8)
    private static let tagSize = 36

    init(port: UInt16, clock: MonotonicClock) throws(SystemFailure) {
        self.clock = clock
        poller = try Poller()
        listener = try Socket.listening(port: port)
        wheel = TimerWheel(now: clock.now)
        poller.add(listener, key: Self.listenerKey, for: .reading)
    }

    var port: Int { listener.port }

    func run() -> Never {
        while true {
            poller.wait(nanoseconds: wheel.pause(now: clock.now)) { key, readiness in
                if key == Self.listenerKey { return acceptAll() }
                guard let connection = connection(key) else { return }
                if readiness.writable { flush(connection) }
                if readiness.readable || readiness.gone { read(connection) }
            }
            wheel.advance(to: clock.now) { key in
                if let connection = connection(key) { sendDuePieces(connection) }
            }
        }
    }

    private func connection(_ key: UInt64) -> Connection? {
        let place = Int(key & 0xFFFF_FFFF)
        guard place < connections.count, let connection = connections[place], connection.key == key else { return nil }
        return connection
    }

    private func acceptAll() {
        while let socket = listener.accept() {
            let place = Int(socket.descriptor)
            while connections.count <= place { connections.append(nil) }
            let connection = Connection(socket: socket, key: generation << 32 | UInt64(place))
            generation += 1
            connections[place] = connection
            poller.add(socket, key: connection.key, for: .reading)
        }
    }

    private func close(_ connection: Connection) {
        settle(connection, as: .aborted)
        connections[Int(connection.socket.descriptor)] = nil
        connection.socket.close()
    }

    private func settle(_ connection: Connection, as state: AnswerRecord.State) {
        guard let answer = connection.answer else { return }
        answer.state = state
        answer.ended = clock.now
        connection.answer = nil
    }

    private func read(_ connection: Connection) {
        switch connection.socket.receive(into: &buffer) {
        case .wouldBlock: return
        case .ended: return close(connection)
        case .moved(let count): connection.requests.feed(buffer[..<count])
        }
        takeRequests(connection)
    }

    private func takeRequests(_ connection: Connection) {
        while connection.answer == nil, let request = connection.requests.next() {
            respond(to: request, on: connection)
            connection.requests.drop(request)
        }
        if connection.requests.isBroken { close(connection) }
    }

    private func send(_ bytes: [UInt8], on connection: Connection) {
        guard connection.unsent.isEmpty else {
            connection.unsent.append(contentsOf: bytes)
            return
        }
        var sent = 0
        if case .moved(let count) = connection.socket.send(bytes) { sent = count }
        if sent < bytes.count { wait(connection, with: bytes[sent...]) }
    }

    private func wait(_ connection: Connection, with rest: ArraySlice<UInt8>) {
        connection.unsent.append(contentsOf: rest)
        if !connection.isWaitingForRoom {
            connection.isWaitingForRoom = true
            poller.change(connection.socket, key: connection.key, for: .readingAndWriting)
        }
    }

    private func flush(_ connection: Connection) {
        guard case .moved(let count) = connection.socket.send(connection.unsent) else { return }
        connection.unsent.removeFirst(count)
        if connection.unsent.isEmpty, connection.isWaitingForRoom {
            connection.isWaitingForRoom = false
            poller.change(connection.socket, key: connection.key, for: .reading)
        }
    }

    private func respond(to request: RequestReader.Request, on connection: Connection) {
        switch (request.method, request.path) {
        case ("POST", let path) where path.hasSuffix("/chat/completions"): begin(request.body, on: connection)
        case ("GET", "/stats"): send(CompletionFrames.json(statistics()), on: connection)
        case ("POST", "/reset"):
            records.removeAll { $0.state != .running }
            send(CompletionFrames.json("{}"), on: connection)
        case ("GET", _):
            send(CompletionFrames.json(#"{"object":"list","data":[{"id":"bench","object":"model"}]}"#), on: connection)
        default: close(connection)
        }
    }

    private func begin(_ body: Range<Int>, on connection: Connection) {
        let bytes = connection.requests.bytes[body]
        let name = bytes.string(after: Self.modelName).map { String(decoding: $0, as: UTF8.self) }
        let shape = name.flatMap { Shape(model: $0) } ?? Shape()
        let record = AnswerRecord(tag: tag(in: bytes), started: clock.now)
        records.append(record)
        guard
            bytes.first(Array(#""stream":true"#.utf8)) != nil
                || bytes.first(Array(#""stream": true"#.utf8)) != nil
        else { return answerWhole(record, on: connection) }
        connection.answer = record
        connection.shape = shape
        connection.frames = framesBySize[shape.bytes] ?? CompletionFrames(pieceSize: shape.bytes)
        framesBySize[shape.bytes] = connection.frames
        connection.withUsage = bytes.first(Array("include_usage".utf8)) != nil
        connection.nextPiece = 0
        send(CompletionFrames.head, on: connection)
        wheel.schedule(connection.key, at: record.started + shape.due(of: 0))
    }

    private func answerWhole(_ record: AnswerRecord, on connection: Connection) {
        record.state = .finished
        record.ended = clock.now
        send(
            CompletionFrames.json(
                """
                {"id":"chatcmpl-bench","object":"chat.completion","created":1700000000,"model":"bench","choices":\
                [{"index":0,"message":{"role":"assistant","content":"Whole."},"finish_reason":"stop"}],\
                "usage":{"prompt_tokens":8,"completion_tokens":1,"total_tokens":9}}
                """), on: connection)
    }

    // The last mark in the body belongs to the newest prompt: the history stands before it.
    private func tag(in body: ArraySlice<UInt8>) -> String {
        guard let mark = body.last(Self.tagMark) else { return "" }
        let start = mark + Self.tagMark.count
        let end = min(start + Self.tagSize, body.endIndex)
        return String(decoding: body[start..<end].filter { $0 > 0x1F && $0 != 0x22 && $0 != 0x5C }, as: UTF8.self)
    }

    private func sendDuePieces(_ connection: Connection) {
        guard let answer = connection.answer else { return }
        let shape = connection.shape
        while connection.nextPiece < shape.pieces {
            let now = clock.now
            let due = answer.started + shape.due(of: connection.nextPiece)
            if due > now { return wheel.schedule(connection.key, at: due) }
            if connection.nextPiece == 0 {
                answer.firstPiece = now
                send(CompletionFrames.opening, on: connection)
            }
            if let frame = connection.frames?.frame(index: connection.nextPiece, now: now) {
                send(frame, on: connection)
            }
            connection.nextPiece += 1
            answer.sent = connection.nextPiece
        }
        let end = answer.started + shape.due(of: max(shape.pieces - 1, 0)) + Int64(shape.hold) * 1_000_000
        if end > clock.now { return wheel.schedule(connection.key, at: end) }
        send(CompletionFrames.closing(pieces: shape.pieces, withUsage: connection.withUsage), on: connection)
        settle(connection, as: .finished)
        if connection.requests.bytes.isEmpty == false { takeRequests(connection) }
    }

    private func statistics() -> String {
        let count = { (state: AnswerRecord.State) in self.records.count { $0.state == state } }
        return """
            {"started":\(records.count),"running":\(count(.running)),"finished":\(count(.finished)),\
            "aborted":\(count(.aborted)),"processor":\(clock.processorTime),\
            "answers":[\(records.map(\.json).joined(separator: ","))]}
            """
    }
}
