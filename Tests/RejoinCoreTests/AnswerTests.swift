import RejoinCore
import SeededRandom
import Testing

@Suite struct AnswerTests {
    static let id: AnswerID = AnswerID(high: 1, low: 2)
    static let turn: TurnID = TurnID(high: 1, low: 1)

    static var fresh: Answer { Answer(id: id, turn: turn) }

    static func fold(_ events: some Sequence<NumberedEvent>, from start: Answer? = nil) -> Answer {
        var answer = start ?? fresh
        for event in events { answer.apply(event) }
        return answer
    }

    /// A log as a run may write it: anything in between, one end.
    static func randomLog(seed: UInt64) -> [NumberedEvent] {
        var generator = SeededGenerator(seed: seed)
        var events: [Event] = []
        for _ in 0..<Int.random(in: 0...40, using: &generator) {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: events.append(.status(.init(.thinking)))
            case 1: events.append(.reasoning(.random(upTo: 5, using: &generator)))
            case 2: events.append(.source(.init(title: "t", url: "u", upload: nil)))
            case 3: events.append(.attachment(EventWireTests.attachment))
            case 4: events.append(.model(.init("m", placement: .server)))
            case 5: events.append(.unknown(type: "new"))
            case 6 where Int.random(in: 0..<4, using: &generator) == 0: events.append(.withdrawn(reason: "safety"))
            default: events.append(.text(.random(upTo: 8, using: &generator)))
            }
        }
        events.append(.end(.init(EndState.allCases.randomElement(using: &generator) ?? .done, reason: nil)))
        return events.enumerated().map { NumberedEvent(seq: $0.offset + 1, event: $0.element) }
    }

    @Test("S03 for every cut and every cursor the replay gives the same answer", arguments: 0..<40)
    func everyCutAndCursor(seed: UInt64) {
        let log = Self.randomLog(seed: seed)
        let whole = Self.fold(log)
        #expect(whole.seq == log.count)
        for cut in 0...log.count {
            let held = Self.fold(log[..<cut])
            #expect(held.seq == cut)
            // A replay from any cursor at or before what is held overlaps, and changes nothing but what is new.
            for cursor in 0...cut {
                let resumed = Self.fold(log[cursor...], from: held)
                #expect(resumed == whole)
            }
        }
    }

    @Test("S03 duplicates and overlaps at random are harmless", arguments: 0..<60)
    func disorder(seed: UInt64) {
        let log = Self.randomLog(seed: seed)
        var generator = SeededGenerator(seed: ~seed)
        var answer = Self.fresh
        var applied: [Int] = []
        while answer.seq < log.count {
            // Mostly the next one; else an old one, or one that is too early.
            let index = Bool.random(using: &generator) ? answer.seq : Int.random(in: 0..<log.count, using: &generator)
            let before = answer
            switch answer.apply(log[index]) {
            case .applied:
                applied.append(log[index].seq)
                #expect(index == before.seq)
            case .duplicate:
                #expect(index < before.seq)
                #expect(answer == before)
            case .gap:
                #expect(index > before.seq)
                #expect(answer == before)
            case .afterEnd: Issue.record("before the end")
            }
        }
        #expect(applied == Array(1...log.count))
        #expect(answer == Self.fold(log))
    }

    @Test func `nothing follows the end`() {
        var answer = Self.fold(Self.randomLog(seed: 3))
        let ended = answer
        #expect(answer.apply(NumberedEvent(seq: answer.seq + 1, event: .text("more"))) == .afterEnd)
        #expect(answer.apply(NumberedEvent(seq: answer.seq + 1, event: .end(.init(.done, .complete)))) == .afterEnd)
        #expect(answer == ended)
    }

    @Test("S03 a snapshot at any place stands for all before it", arguments: 0..<30)
    func snapshot(seed: UInt64) {
        // Snapshots carry content alone; sources and reasoning of a compacted log are gone.
        let log = Self.randomLog(seed: seed).filter {
            switch $0.event {
            case .text, .attachment, .end: true
            default: false
            }
        }.enumerated().map { NumberedEvent(seq: $0.offset + 1, event: $0.element.event) }
        let whole = Self.fold(log)
        for place in 1..<max(log.count, 1) {
            let content = Self.fold(log[..<place]).content
            let compacted =
                [NumberedEvent(seq: place, event: .snapshot(.init(seq: place, content: content)))] + log[place...]
            for held in 0..<place {
                let resumed = Self.fold(compacted, from: Self.fold(log[..<held]))
                #expect(resumed == whole)
            }
            #expect(Self.fold(compacted, from: whole) == whole)
        }
    }

    @Test func `a snapshot under another number is refused`() {
        var answer = Self.fresh
        #expect(answer.apply(NumberedEvent(seq: 3, event: .snapshot(.init(seq: 4, content: [])))) == .gap)
        #expect(answer == Self.fresh)
    }

    @Test func `a stored answer goes on from its number`() {
        let log = Self.randomLog(seed: 11).filter { if case .text = $0.event { true } else { false } }.enumerated().map
        {
            NumberedEvent(seq: $0.offset + 1, event: $0.element.event)
        }
        let half = log.count / 2
        let held = Self.fold(log[..<half])
        let stored = Answer(id: Self.id, turn: Self.turn, state: held.state, seq: held.seq, content: held.content)
        #expect(Self.fold(log, from: stored).text == Self.fold(log).text)
    }

    @Test func `states follow the events`() {
        var answer = Self.fresh
        var seq = 0
        func apply(_ event: Event) {
            seq += 1
            answer.apply(NumberedEvent(seq: seq, event: event))
        }
        #expect(answer.state.name == "queued")
        apply(.status(.init(.queued, position: 1)))
        #expect(answer.state == .queued)
        #expect(answer.status?.position == 1)
        apply(.status(.init(.thinking)))
        #expect(answer.state == .streaming)
        apply(.text("a"))
        #expect(answer.status == nil)
        apply(.text("b"))
        #expect(answer.content == [.text("ab")])
        apply(.attachment(EventWireTests.attachment))
        apply(.text("c"))
        #expect(answer.content.count == 3)
        #expect(answer.text == "abc")
        apply(.usage(.init(inputTokens: 1, outputTokens: 2, isEstimated: false)))
        apply(.compaction(droppedTurns: 2, summary: nil))
        apply(.unknown(type: "x"))
        #expect((answer.droppedTurns, answer.skipped, answer.usage?.outputTokens ?? 0) == (2, 1, 2))
        apply(.withdrawn(reason: "safety"))
        #expect(answer.content.isEmpty && answer.withdrawal == "safety")
        apply(.end(.init(.refused, .contentFilter)))
        #expect(answer.state.end == Event.End(.refused, .contentFilter))
        #expect(answer.state.name == "refused")
    }

    @Test func `a long answer costs no more for its length`() {
        var answer = Self.fresh
        let piece = String(repeating: "x", count: 20)
        let clock = ContinuousClock()
        func apply(_ range: ClosedRange<Int>) -> Duration {
            clock.measure { for seq in range { answer.apply(NumberedEvent(seq: seq, event: .text(piece))) } }
        }
        let early = apply(1...5_000)
        _ = apply(5_001...200_000)
        let late = apply(200_001...205_000)
        #expect(answer.text.utf8.count == 205_000 * 20)
        // Copying 4 MB for each piece would be thousands of times slower.
        #expect(late < early * 50 + .milliseconds(100))
    }
}
