import RejoinCore
import SeededRandom

@testable import RejoinClient

/// One thing that is done to a store, drawn at random: the same for the same seed.
///
/// Numbers are small, so that verbs meet each other, and often name what is not there.
enum StoreVerb: Sendable {
    case begin(StoredTurn)
    case beginAnswer(turn: UInt64, answer: UInt64)
    case startSending(UInt64), postpone(UInt64), deliverTurn(UInt64), deliverAnswer(UInt64)
    case refuse(UInt64), expire(UInt64), cancel(UInt64), resend(UInt64)
    case append(UInt64, [NumberedEvent])
    case replace(Answer)
    case mark(UInt64, LocalState)
    case stop(UInt64), select(UInt64)
    case rename(UInt64, String), pin(UInt64, Bool), archive(UInt64, Bool)
    case delete(UInt64), deleteAll, applyDeletion(UInt64)
    case mergeLine(ServerConversation), mergeTree(ServerTree)
    case saveDraft(UInt64?, String)
    case finishFirst, interruptLeftovers

    /// The moment of all verbs that take one.
    static let now = Timestamp(milliseconds: 1_800_000_000_000)

    /// Does it to a store.
    ///
    /// - Returns: what came of it, in words.
    func run(on store: LocalStore) async throws -> String {
        let now = Self.now
        switch self {
        case .begin(let turn):
            return "\(try await store.begin(turn))"
        case .beginAnswer(let turn, let answer):
            return
                "\(try await store.beginAnswer(to: StoreSample.turn(turn), answer: StoreSample.answer(answer), at: now))"
        case .startSending(let turn): return "\(try await store.startSending(StoreSample.turn(turn)))"
        case .postpone(let turn):
            return "\(try await store.postpone(StoreSample.turn(turn), since: now, expires: nil))"
        case .deliverTurn(let turn): return "\(try await store.deliver(StoreSample.turn(turn)))"
        case .deliverAnswer(let answer): return "\(try await store.deliver(StoreSample.answer(answer)))"
        case .refuse(let turn):
            return "\(try await store.refuse(StoreSample.turn(turn), ClientRefusal(.offline), at: now))"
        case .expire(let turn): return "\(try await store.expire(StoreSample.turn(turn)))"
        case .cancel(let turn): return "\(try await store.cancelWaiting(StoreSample.turn(turn), at: now))"
        case .resend(let turn):
            return "\(try await store.resend(StoreSample.turn(turn), as: .sending, at: now)?.low ?? 0)"
        case .append(let answer, let events):
            return "\(try await store.append(StoreSample.answer(answer), events: events))"
        case .replace(let answer): return "\(try await store.replace(answer))"
        case .mark(let answer, let state): return "\(try await store.mark(StoreSample.answer(answer), state))"
        case .stop(let answer): return "\(try await store.requestStop(StoreSample.answer(answer), at: now))"
        case .select(let answer): return "\(try await store.select(StoreSample.answer(answer), at: now))"
        case .rename(let id, let title):
            return "\(try await store.rename(StoreSample.conversation(id), to: title, at: now))"
        case .pin(let id, let isPinned):
            return "\(try await store.setPinned(isPinned, StoreSample.conversation(id), at: now))"
        case .archive(let id, let isArchived):
            return "\(try await store.setArchived(isArchived, StoreSample.conversation(id), at: now))"
        case .delete(let id): return "\(try await store.delete(StoreSample.conversation(id), at: now))"
        case .deleteAll: try await store.deleteAll(at: now)
        case .applyDeletion(let id): try await store.applyDeletion(StoreSample.conversation(id), at: now)
        case .mergeLine(let line): try await store.merge([line])
        case .mergeTree(let tree): return "\(try await store.merge(tree))"
        case .saveDraft(let id, let text):
            let place = id.map { StoreSample.conversation($0) }
            try await store.saveDraft(Draft(conversation: place, text: text, updatedAt: now))
        case .finishFirst:
            guard let entry = try await store.nextOutbox() else { return "none" }
            try await store.finish(entry.number)
        case .interruptLeftovers: return "\(try await store.interruptLeftovers().map(\.low))"
        }
        return "done"
    }
}

/// Draws verbs, the next for ever.
struct StoreScript {
    private var random: SeededGenerator
    private var count: UInt64 = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func pick(_ range: ClosedRange<UInt64>) -> UInt64 { UInt64.random(in: range, using: &random) }
    private mutating func one(in many: UInt64) -> Bool { pick(1...many) == 1 }
    private mutating func words() -> String { "w\(count)x \(one(in: 4) ? "東京" : "plain")" }

    /// The owner of an answer is a matter of its number, so that the server and the device agree.
    private static func turn(ofAnswer answer: UInt64) -> UInt64 { (answer - 1) % 12 + 1 }
    /// So is the place of a turn.
    private static func conversation(ofTurn turn: UInt64) -> UInt64 { (turn - 1) % 3 + 1 }

    private mutating func parent(of turn: UInt64) -> UInt64? {
        // A turn that is older, in the same conversation; now and then one that is not.
        if turn <= 3 { return one(in: 10) ? pick(1...24) : nil }
        let older = one(in: 10) ? pick(1...12) : turn - 3
        return older + (one(in: 3) ? 12 : 0)
    }

    /// What the server has of an answer: every answer tells its own story, and the server tells it further.
    private func story(of answer: UInt64) -> [NumberedEvent] {
        var events = (1...6).map { NumberedEvent(seq: $0, event: .text("a\(answer)p\($0) ")) }
        if answer % 5 == 0 { events[3].event = .withdrawn(reason: "safety") }
        events.append(StoreSample.end(7))
        return events
    }

    private mutating func serverAnswer(_ number: UInt64) -> Answer {
        var answer = Answer(id: StoreSample.answer(number), turn: StoreSample.turn(Self.turn(ofAnswer: number)))
        for event in story(of: number).prefix(Int(pick(0...7))) { answer.apply(event) }
        return answer
    }

    private mutating func line(_ id: UInt64) -> ServerConversation {
        ServerConversation(
            id: StoreSample.conversation(id), title: one(in: 2) ? "" : "s\(count)x",
            updatedAt: StoreSample.time(Int64(pick(1...50)) * 1000), isPinned: one(in: 3), isArchived: one(in: 4))
    }

    private mutating func tree(_ id: UInt64) -> ServerTree {
        var turns: [ServerTurn] = []
        for number in stride(from: id, through: 12, by: 3) {
            if one(in: 3) { break }
            let numbers = one(in: 2) ? [number] : [number, number + 12]
            turns.append(
                ServerTurn(
                    id: StoreSample.turn(number), parent: number <= 3 ? nil : StoreSample.answer(number - 3),
                    content: [.text("server \(number)")], createdAt: StoreSample.time(Int64(number) * 1000),
                    answers: numbers.map { serverAnswer($0) }))
        }
        let answers = turns.flatMap(\.answers)
        return ServerTree(
            conversation: line(id), turns: turns, selected: one(in: 3) ? nil : answers.randomElement(using: &random)?.id
        )
    }

    mutating func next() -> StoreVerb {
        count += 1
        let turn = pick(1...12)
        let answer = pick(1...24)
        let id = pick(1...3)
        switch pick(1...40) {
        case 1...7:
            let isWaiting = one(in: 2)
            return .begin(
                StoreSample.prompt(
                    turn, in: Self.conversation(ofTurn: turn), after: parent(of: turn), words(),
                    at: Int64(pick(1...50)) * 1000,
                    delivery: isWaiting ? .waiting(since: StoreSample.time(1), expires: nil) : .sending))
        case 8...9: return .beginAnswer(turn: turn, answer: turn + 12)
        case 10: return .startSending(turn)
        case 11: return .postpone(turn)
        case 12...14: return .deliverTurn(turn)
        case 15: return .deliverAnswer(answer)
        case 16: return .refuse(turn)
        case 17: return .expire(turn)
        case 18: return .cancel(turn)
        case 19: return .resend(turn)
        case 20...26:
            let start = Int(pick(0...6))
            let length = Int(pick(1...4))
            var events = Array(story(of: answer).dropFirst(start).prefix(length))
            if one(in: 4) { events.shuffle(using: &random) }
            return .append(answer, events)
        case 27: return .replace(serverAnswer(answer))
        case 28: return .mark(answer, one(in: 3) ? .withdrawn(reason: "safety") : .interrupted)
        case 29: return .stop(answer)
        case 30: return .select(answer)
        case 31: return .rename(id, "t\(count)x")
        case 32: return one(in: 2) ? .pin(id, one(in: 2)) : .archive(id, one(in: 2))
        case 33:
            if one(in: 40) { return .deleteAll }
            return one(in: 12) ? .delete(id) : one(in: 12) ? .applyDeletion(id) : .interruptLeftovers
        case 34: return .mergeLine(line(id))
        case 35...37: return .mergeTree(tree(id))
        case 38: return .saveDraft(one(in: 3) ? nil : id, one(in: 4) ? "" : words())
        default: return .finishFirst
        }
    }
}
