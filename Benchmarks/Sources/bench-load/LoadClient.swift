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
    private let observer: Observer
    private let wheel: TimerWheel
    private var identifiers: IdentifierSource
    private var readers: [Reader] = []
    private var buffer = [UInt8](repeating: 0, count: 1 << 17)
    private var bodyParts: [Range<Int>] = []
    private var opened = 0
    private var finished = 0
    private var isOver = false
    private var stopsBeginning: Int64
    private var limit: Int64
    /// For what is under way once a draining client is told to begin nothing new, in nanoseconds.
    private static let drainTime: Int64 = 30_000_000_000

    private static let inputKey = UInt64.max

    init(plan: Plan, clock: MonotonicClock) throws(SystemFailure) {
        self.plan = plan
        self.clock = clock
        requests = Requests(plan: plan)
        poller = try Poller()
        observer = try Observer(plan: plan)
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

    /// Runs the plan to its end and prints the observer.findings.
    func run() {
        observer.findings.began = clock.now
        for number in 0..<plan.streams {
            let share = Int64(number) * Int64(plan.ramp) * 1_000_000 / Int64(max(plan.streams, 1))
            wheel.schedule(readers[number].key, at: observer.findings.began + share)
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
        for reader in readers where reader.phase != .finished { observer.findings.comments += reader.scanner.comments }
        observer.findings.ended = clock.now
        observer.flush()
        print(observer.findings.json(processor: clock.processorTime))
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
        // A follower that comes late finds its leader at a turn that nobody has taken yet: it is woken when one has.
        if reader.work.turn.isEmpty, let leader = reader.leader, !leader.work.isAcknowledged { return finish(reader) }
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
        observer.findings.asked += 1
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
                reader.scanner.feed(part[range]) { observer.take($0, at: now, of: reader) }
            } else if reader.refusal.count < 400 {
                reader.refusal.append(contentsOf: part[range])
            }
        }
        let head = reader.response.headSize - headBefore
        observer.findings.headBytes += head
        observer.findings.bodyBytes += part.count - head
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
            observer.accepted(reader.work)
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

    /// The response is whole, or the reader has seen what it came for.
    private func close(_ reader: Reader) {
        let mustReconnect = reader.response.closes || reader.work.end == "left"
        observer.findings.comments += reader.scanner.comments
        if mustReconnect || !reader.response.isComplete { disconnect(reader) }
        reader.phase = .idle
        guard reader.response.status / 100 == 2 else { return refuse(reader) }
        guard let end = reader.work.end else { return drop(reader) }
        observer.ended(reader.work, as: end, at: clock.now)
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
        observer.findings.drops += 1
        guard plan.resumes else { return fail(reader, "the stream ended before its answer") }
        again(reader)
    }

    private func cut(_ reader: Reader) {
        observer.findings.cuts += 1
        observer.findings.comments += reader.scanner.comments
        reader.work.cutsLeft -= 1
        disconnect(reader)
        reader.phase = .idle
        again(reader)
    }

    private func refuse(_ reader: Reader) {
        let status = reader.response.status
        observer.findings.refused += 1
        let detail = String(decoding: reader.refusal.prefix(300), as: UTF8.self)
        if plan.resumes, status == 429 || status >= 500 { return again(reader) }
        fail(reader, "status \(status): \(detail)")
    }

    private func again(_ reader: Reader) {
        observer.findings.resumes += 1
        reader.failures += 1
        let pause = min(10 << min(reader.failures, 5), 200) + identifiers.random(in: 0...20)
        wheel.schedule(reader.key, at: clock.now + Int64(pause) * 1_000_000)
    }

    private func fail(_ reader: Reader, _ why: String) {
        observer.findings.failed += 1
        if observer.findings.failure.isEmpty { observer.findings.failure = why }
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
