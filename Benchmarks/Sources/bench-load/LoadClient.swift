import BenchCore
import BenchSystem

/// Opens the streams of a plan, reads them to their ends, and counts what it sees.
///
/// One thread and one poller, so that its own cost stays small beside what it measures; its processor time is in the
/// report.
final class LoadClient {
    private let plan: Plan
    private let requests: Requests
    private let clock: MonotonicClock
    private let poller: Poller
    private let history: History?
    private let wheel: TimerWheel
    private var identifiers: IdentifierSource
    private var readers: [Reader] = []
    private var buffer = [UInt8](repeating: 0, count: 1 << 17)
    private var bodyParts: [Range<Int>] = []
    private var findings = Findings()
    private var opened = 0
    private var withText = 0
    private var finished = 0
    private var isOver = false
    private var stopsBeginning: Int64
    private var limit: Int64
    /// For what is under way once a draining client is told to begin nothing new, in nanoseconds.
    private static let drainTime: Int64 = 30_000_000_000

    private static let inputKey = UInt64.max
    private static let contentName = Array(#""content""#.utf8)
    private static let textName = Array(#""text""#.utf8)
    private static let stateName = Array(#""state""#.utf8)
    // In `{"type":"text","text":"…"}` the first `"text"` is a value; the name is the one with a colon behind it.
    private static let partName = Array(#""text":"#.utf8)

    init(plan: Plan, clock: MonotonicClock) throws(SystemFailure) {
        self.plan = plan
        self.clock = clock
        requests = Requests(plan: plan)
        poller = try Poller()
        history = if let path = plan.history { try History(path: path) } else { nil }
        wheel = TimerWheel(now: clock.now)
        identifiers = IdentifierSource(seed: plan.seed &* 0x2545_F491_4F6C_DD1D ^ UInt64(clamping: clock.wall))
        for number in 0..<plan.streams { readers.append(Reader(number: number, leader: nil, shape: plan.shape)) }
        for leader in readers[..<plan.streams] {
            for _ in 0..<plan.followers {
                let follower = Reader(number: readers.count, leader: leader, shape: plan.shape)
                leader.followers.append(follower)
                readers.append(follower)
            }
        }
        stopsBeginning = clock.now + Int64(plan.seconds) * 1_000_000_000
        limit = clock.now + Int64(plan.timeout) * 1_000_000_000
        if plan.holds || plan.drains { poller.add(Socket(descriptor: 0), key: Self.inputKey, for: .reading) }
    }

    /// Runs the plan to its end and prints the findings.
    func run() {
        findings.began = clock.now
        for number in 0..<plan.streams {
            let share = Int64(number) * Int64(plan.ramp) * 1_000_000 / Int64(max(plan.streams, 1))
            wheel.schedule(readers[number].key, at: findings.began + share)
        }
        while !isOver, clock.now < limit {
            poller.wait(nanoseconds: wheel.pause(now: clock.now)) { key, readiness in
                if key == Self.inputKey { return takeInput() }
                guard let reader = reader(key) else { return }
                takeReadiness(readiness, of: reader)
            }
            wheel.advance(to: clock.now) { key in
                if let reader = reader(key), reader.phase == .idle { begin(reader) }
            }
            if finished == readers.count, !plan.holds { isOver = true }
        }
        for reader in readers where reader.phase != .finished { findings.comments += reader.scanner.comments }
        findings.ended = clock.now
        history?.flush()
        print(findings.json(processor: clock.processorTime))
    }

    private func reader(_ key: UInt64) -> Reader? {
        let reader = readers[Int(key & 0xFFFF_FFFF)]
        return reader.key == key ? reader : nil
    }

    private func takeInput() {
        let input = Socket(descriptor: 0)
        guard input.receive(into: &buffer) == .ended else { return }
        poller.remove(input)
        stopsBeginning = clock.now
        limit = min(limit, clock.now + Self.drainTime)
        isOver = plan.holds
    }

    /// Starts a connection or uses the one that is open, for new work or to go on with what was dropped.
    private func begin(_ reader: Reader) {
        if reader.work.turn.isEmpty { prepareWork(reader) }
        reader.response = ResponseReader()
        reader.scanner = EventScanner()
        reader.refusal = []
        reader.sent = 0
        reader.request = request(of: reader)
        chooseCut(reader)
        if reader.socket == nil {
            guard let socket = Socket.connecting(port: plan.port) else { return drop(reader) }
            reader.epoch += 1
            reader.socket = socket
            reader.phase = .connecting
            poller.add(socket, key: reader.key, for: .readingAndWriting)
        } else {
            reader.phase = .sending
            send(reader)
        }
    }

    private func prepareWork(_ reader: Reader) {
        var work = Work(tally: AnswerTally(pieceSize: plan.shape.bytes))
        work.cutsLeft = plan.cuts
        if !plan.attached.isEmpty {
            work.answer = plan.attached[reader.number]
            work.turn = work.answer
            work.isAcknowledged = true
        } else if let leader = reader.leader {
            work.turn = leader.work.turn
            work.answer = leader.work.answer
            work.isAcknowledged = true
        } else {
            let wall = clock.wall
            let goesOn = reader.turnInConversation > 0 && reader.turnInConversation < plan.turns
            work.conversation = goesOn ? reader.work.conversation : identifiers.next(wall: wall)
            work.parent = goesOn ? reader.work.answer : nil
            reader.turnInConversation = goesOn ? reader.turnInConversation + 1 : 1
            work.turn = identifiers.next(wall: wall)
            work.answer = identifiers.next(wall: wall)
        }
        findings.asked += 1
        reader.work = work
    }

    private func request(of reader: Reader) -> [UInt8] {
        if plan.route == .chat { return requests.completion(tag: reader.work.turn) }
        return reader.work.isAcknowledged
            ? requests.events(of: reader.work.answer, after: reader.work.cursor) : requests.turn(reader.work)
    }

    private func chooseCut(_ reader: Reader) {
        reader.bytesToCut = nil
        guard reader.work.cutsLeft > 0, plan.route == .native else { return }
        let rest = max(plan.shape.pieces - reader.work.tally.pieces, 1) * 50
        reader.bytesToCut = identifiers.random(in: 1...max(2 * rest / (reader.work.cutsLeft + 1), 1))
    }

    private func takeReadiness(_ readiness: Poller.Readiness, of reader: Reader) {
        switch reader.phase {
        case .connecting:
            guard reader.socket?.pendingError == 0 else { return drop(reader) }
            reader.phase = .sending
            send(reader)
        case .sending:
            if readiness.gone { return drop(reader) }
            send(reader)
        case .reading: receive(reader)
        case .idle, .finished: if readiness.gone || readiness.readable { disconnect(reader) }
        }
    }

    private func send(_ reader: Reader) {
        guard let socket = reader.socket else { return }
        switch socket.send(reader.request, from: reader.sent) {
        case .moved(let count): reader.sent += count
        case .wouldBlock: break
        case .ended: return drop(reader)
        }
        if reader.sent == reader.request.count {
            reader.phase = .reading
            if !reader.work.isAcknowledged { reader.work.asked = clock.now }
            poller.change(socket, key: reader.key, for: .reading)
        } else {
            poller.change(socket, key: reader.key, for: .readingAndWriting)
        }
    }

    private func receive(_ reader: Reader) {
        guard let socket = reader.socket else { return }
        switch socket.receive(into: &buffer) {
        case .wouldBlock: return
        case .ended:
            reader.response.end()
            reader.response.isComplete ? close(reader) : drop(reader)
        case .moved(let count): take(buffer[..<count], reader)
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>, _ reader: Reader) {
        let now = clock.now
        let headBefore = reader.response.headSize
        let hadHead = reader.response.hasHead
        var part = bytes
        if let left = reader.bytesToCut { part = bytes.prefix(left) }
        bodyParts.removeAll(keepingCapacity: true)
        reader.response.feed(part, into: &bodyParts)
        for range in bodyParts {
            if reader.response.status / 100 == 2 {
                reader.scanner.feed(part[range]) { take($0, now, reader) }
            } else if reader.refusal.count < 400 {
                reader.refusal.append(contentsOf: part[range])
            }
        }
        let head = reader.response.headSize - headBefore
        findings.headBytes += head
        findings.bodyBytes += part.count - head
        if !hadHead, reader.response.hasHead { takeHead(reader) }
        if let left = reader.bytesToCut {
            reader.bytesToCut = left - part.count
            if left <= part.count, !reader.response.isComplete { return cut(reader) }
        }
        if plan.until > 0, reader.work.tally.pieces >= plan.until {
            reader.work.end = "left"
            return close(reader)
        }
        if reader.response.isBroken { return drop(reader) }
        if reader.response.isComplete { close(reader) }
    }

    private func takeHead(_ reader: Reader) {
        guard reader.response.status / 100 == 2 else { return }
        reader.failures = 0
        if !reader.work.isAcknowledged, reader.leader == nil {
            reader.work.isAcknowledged = true
            if plan.route == .native { history?.accepted(reader.work) }
            for follower in reader.followers where follower.work.turn.isEmpty { wake(follower) }
        }
        if !reader.wasOpened {
            reader.wasOpened = true
            opened += 1
            if opened == readers.count { announce() }
        }
    }

    /// A follower reads the answer that its leader has just been given, unless it is still at an earlier one.
    private func wake(_ follower: Reader) {
        if follower.phase == .finished { finished -= 1 }
        follower.phase = .idle
        wheel.schedule(follower.key, at: clock.now)
    }

    private func announce() {
        var line = #"{"event":"open","at":\#(clock.now)"#
        if plan.lists {
            let pairs = readers.filter { $0.leader == nil }.map { #"["\#($0.work.turn)","\#($0.work.answer)"]"# }
            line += #","answers":[\#(pairs.joined(separator: ","))]"#
        }
        print(line + "}")
        flushOutput()
    }

    private func take(_ event: EventScanner.Event, _ now: Int64, _ reader: Reader) {
        findings.events += 1
        plan.route == .chat ? takeChunk(event.data, now, reader) : takeLogged(event, now, reader)
    }

    private func takeChunk(_ data: ArraySlice<UInt8>, _ now: Int64, _ reader: Reader) {
        if data.first == UInt8(ascii: "[") { return reader.work.end = "done" }
        if let text = data.string(after: Self.contentName), !text.isEmpty { takeText(text, now, reader) }
    }

    private func takeLogged(_ event: EventScanner.Event, _ now: Int64, _ reader: Reader) {
        guard let number = event.id else {
            findings.foreign += 1
            return
        }
        let isSnapshot = event.name == Array("snapshot".utf8)
        if number <= reader.work.cursor {
            findings.eventRepeats += 1
            return
        }
        if number > reader.work.cursor + 1, !isSnapshot { findings.eventGaps += 1 }
        reader.work.cursor = number
        history?.saw(number, event.name, event.data, of: reader.work.answer)
        switch event.name.first {
        case UInt8(ascii: "t") where event.name.count == 4:
            if let text = event.data.string(after: Self.textName) { takeText(text, now, reader) }
        case UInt8(ascii: "s") where isSnapshot:
            findings.snapshots += 1
            // It stands for the whole text so far; what this reader has already read is skipped.
            if let text = event.data.string(after: Self.partName) {
                takeText(text.dropFirst(reader.work.tally.size), now, reader)
            }
        case UInt8(ascii: "e") where event.name.count == 3:
            let state = event.data.string(after: Self.stateName)
            reader.work.end = state.map { String(decoding: $0, as: UTF8.self) } ?? "none"
        default: break
        }
    }

    private func takeText(_ text: ArraySlice<UInt8>, _ now: Int64, _ reader: Reader) {
        findings.textEvents += 1
        if let asked = reader.work.asked {
            findings.firstPiece.add(now - asked)
            reader.work.asked = nil
        }
        let isSteady = findings.steadyFrom != nil && findings.steadyUntil == nil
        let before = (reader.work.tally.lost, reader.work.tally.repeated, reader.work.tally.foreign)
        reader.work.tally.feed(text, now: now) { age in
            findings.pieces += 1
            findings.age.add(age)
            if isSteady { findings.steadyAge.add(age) }
        }
        findings.lost += reader.work.tally.lost - before.0
        findings.repeated += reader.work.tally.repeated - before.1
        findings.foreign += reader.work.tally.foreign - before.2
        if !reader.work.hasText {
            reader.work.hasText = true
            if reader.round == 0 { withText += 1 }
            if withText == readers.count, findings.steadyFrom == nil { findings.steadyFrom = now }
        }
    }

    /// The response is whole, or the reader has seen what it came for.
    private func close(_ reader: Reader) {
        let mustReconnect = reader.response.closes || reader.work.end == "left"
        findings.comments += reader.scanner.comments
        if mustReconnect || !reader.response.isComplete { disconnect(reader) }
        reader.phase = .idle
        guard reader.response.status / 100 == 2 else { return refuse(reader) }
        guard let end = reader.work.end else { return drop(reader) }
        findings.steadyUntil = findings.steadyUntil ?? clock.now
        findings.ends[end, default: 0] += 1
        findings.completed += 1
        if end == "done" { findings.lost += max(0, plan.shape.pieces - reader.work.tally.pieces) }
        reader.round += 1
        reader.work.turn = ""
        let goesOn =
            plan.seconds > 0
            ? clock.now < stopsBeginning : reader.round < plan.rounds
        if goesOn, reader.leader == nil, plan.attached.isEmpty { begin(reader) } else { finish(reader) }
    }

    /// The stream ended before the answer did.
    private func drop(_ reader: Reader) {
        disconnect(reader)
        reader.phase = .idle
        findings.drops += 1
        guard plan.resumes else { return fail(reader, "the stream ended before its answer") }
        again(reader)
    }

    private func cut(_ reader: Reader) {
        findings.cuts += 1
        findings.comments += reader.scanner.comments
        reader.work.cutsLeft -= 1
        disconnect(reader)
        reader.phase = .idle
        again(reader)
    }

    private func refuse(_ reader: Reader) {
        let status = reader.response.status
        findings.refused += 1
        let detail = String(decoding: reader.refusal.prefix(300), as: UTF8.self)
        if plan.resumes, status == 429 || status >= 500 { return again(reader) }
        fail(reader, "status \(status): \(detail)")
    }

    private func again(_ reader: Reader) {
        findings.resumes += 1
        reader.failures += 1
        let pause = min(10 << min(reader.failures, 5), 200) + identifiers.random(in: 0...20)
        wheel.schedule(reader.key, at: clock.now + Int64(pause) * 1_000_000)
    }

    private func fail(_ reader: Reader, _ why: String) {
        findings.failed += 1
        if findings.failure.isEmpty { findings.failure = why }
        disconnect(reader)
        finish(reader)
    }

    private func finish(_ reader: Reader) {
        disconnect(reader)
        reader.phase = .finished
        finished += 1
        // Followers of a stream that never opened have nothing to wait for.
        for follower in reader.followers
        where follower.phase == .idle && follower.work.turn.isEmpty
            && !reader.wasOpened
        { finish(follower) }
    }

    private func disconnect(_ reader: Reader) {
        reader.socket?.close()
        reader.socket = nil
        reader.epoch += 1
    }
}
