import RejoinCore
import Testing

@testable import RejoinClient

@Suite struct OutboxScheduleTests {
    static let conversation: ConversationID = ID(high: 1, low: 1)
    static func turn(_ number: UInt64) -> TurnID { ID(high: 2, low: number) }
    static func answer(_ number: UInt64) -> AnswerID { ID(high: 3, low: number) }

    static func entries(_ kinds: OutboxKind...) -> [OutboxEntry] {
        kinds.enumerated().map {
            OutboxEntry(
                number: $0.offset + 1, kind: $0.element, conversation: conversation,
                createdAt: Timestamp(milliseconds: 0))
        }
    }

    static func next(
        _ entries: [OutboxEntry], parents: [TurnID: AnswerID] = [:], running: Set<AnswerID> = []
    ) -> Int? {
        OutboxSchedule.next(entries, parent: { parents[$0] }, isRunning: { running.contains($0) })?.number
    }

    @Test func `an empty outbox has nothing to tell, and the first entry goes first`() {
        #expect(Self.next([]) == nil)
        #expect(Self.next(Self.entries(.rename("a"), .delete)) == 1)
    }

    @Test("A29 a prompt waits for the answer before it, and so does all that builds on it")
    func waiting() {
        let entries = Self.entries(
            .turn(Self.turn(2), answer: Self.answer(2)), .select(Self.answer(2)),
            .turn(Self.turn(3), answer: Self.answer(3)), .regenerate(Self.turn(2), Self.answer(4)),
            .stop(Self.answer(4)))
        let parents = [Self.turn(2): Self.answer(1), Self.turn(3): Self.answer(2)]
        #expect(Self.next(entries, parents: parents, running: [Self.answer(1)]) == nil)
        #expect(Self.next(entries, parents: parents) == 1)
    }

    @Test("A89 the path is asked for when nothing is left that chooses one")
    func asking() {
        let waiting = OutboxKind.turn(Self.turn(2), answer: Self.answer(2))
        let parents = [Self.turn(2): Self.answer(1)]
        let running: Set<AnswerID> = [Self.answer(1)]
        #expect(Self.next(Self.entries(waiting, .askForPath), parents: parents, running: running) == nil)
        #expect(Self.next(Self.entries(.askForPath, waiting), parents: parents, running: running) == 1)
    }

    @Test("A14 a stop, and anything about other answers, overtakes a prompt that waits")
    func overtaking() {
        let parents = [Self.turn(2): Self.answer(1)]
        let waiting = OutboxKind.turn(Self.turn(2), answer: Self.answer(2))
        for kind in [
            OutboxKind.stop(Self.answer(1)), .select(Self.answer(1)), .rename("a"), .pin(true), .archive(false),
            .delete, .deleteAll, .turn(Self.turn(9), answer: Self.answer(9)), .regenerate(Self.turn(1), Self.answer(5)),
        ] {
            #expect(
                Self.next(Self.entries(waiting, kind), parents: parents, running: [Self.answer(1)]) == 2, "\(kind)")
        }
    }
}

@Suite struct DeliveryOutcomeTests {
    static let turn = OutboxKind.turn(ID(high: 2, low: 1), answer: ID(high: 3, low: 1))
    static let marks: [OutboxKind] = [
        .stop(ID(high: 3, low: 1)), .select(ID(high: 3, low: 1)), .rename("a"), .pin(true), .archive(true), .askForPath,
    ]

    static func error(_ kind: Problem.Kind, status: Int? = nil, retryAfter: Int? = nil) -> ClientError {
        let problem = Problem(kind, "", retryAfter: retryAfter)
        return ClientError(status: status ?? kind.status, body: problem.json, retryAfter: retryAfter)
    }

    @Test("A23 what may have reached the server is told again, under every policy")
    func again() {
        for code in [ClientError.Code.unreachable, .dropped, .silent] {
            let error = ClientError(code, "")
            for kind in [Self.turn, .delete, .deleteAll] + Self.marks {
                #expect(DeliveryOutcome(error, of: kind, attempts: 50) == .retry(after: nil))
                #expect(
                    DeliveryOutcome(error, of: kind, attempts: 50, refusesOffline: true) == .retry(after: nil))
            }
        }
        let busy = Self.error(.temporarilyUnavailable, retryAfter: 7)
        #expect(DeliveryOutcome(busy, of: Self.turn, attempts: 0) == .retry(after: 7))
    }

    @Test("A28 only what certainly never left is given back, and not at the first failure")
    func givenBack() {
        func outcome(_ code: ClientError.Code, _ attempts: Int, refuses: Bool, unseen: Bool) -> DeliveryOutcome {
            DeliveryOutcome(
                ClientError(code, ""), of: Self.turn, attempts: attempts, refusesOffline: refuses, isUnseen: unseen)
        }
        #expect(outcome(.unreachable, 2, refuses: true, unseen: true) == .refuse(ClientRefusal(.offline)))
        #expect(outcome(.unreachable, 1, refuses: true, unseen: true) == .retry(after: nil))
        #expect(outcome(.unreachable, 2, refuses: false, unseen: true) == .retry(after: nil))
        #expect(outcome(.unreachable, 2, refuses: true, unseen: false) == .retry(after: nil))
        #expect(outcome(.dropped, 2, refuses: true, unseen: true) == .retry(after: nil))
    }

    @Test("A60 A63 a refusal is the person's to decide on, never ours")
    func refused() {
        for kind in Problem.Kind.allCases {
            let outcome = DeliveryOutcome(Self.error(kind), of: Self.turn, attempts: 0)
            switch kind {
            case .unauthenticated: #expect(outcome == .hold)
            case .deleted: #expect(outcome == .conversationGone)
            case .temporarilyUnavailable, .internalError: #expect(outcome == .retry(after: nil))
            default: #expect(outcome == .refuse(ClientRefusal(ClientRefusal.Code(kind))), "\(kind)")
            }
        }
        #expect(
            DeliveryOutcome(Self.error(.internalError), of: Self.turn, attempts: 2)
                == .refuse(ClientRefusal(ClientRefusal.Code(.internalError))))
    }

    @Test("A38 a deletion is told until it is heard, and one of something unknown is buried")
    func deletions() {
        for attempts in [0, 1, 100] {
            #expect(DeliveryOutcome(Self.error(.internalError), of: .delete, attempts: attempts) == .retry(after: nil))
        }
        #expect(DeliveryOutcome(Self.error(.notFound), of: .delete, attempts: 0) == .bury)
        #expect(DeliveryOutcome(Self.error(.deleted), of: .delete, attempts: 0) == .drop)
        #expect(DeliveryOutcome(Self.error(.unauthenticated), of: .delete, attempts: 0) == .hold)
        #expect(DeliveryOutcome(Self.error(.forbidden), of: .delete, attempts: 0) == .drop)
    }

    @Test func `a mark on something that is not there is let go, one for a deleted conversation takes that along`() {
        for kind in Self.marks {
            #expect(DeliveryOutcome(Self.error(.notFound), of: kind, attempts: 0) == .drop)
            #expect(DeliveryOutcome(Self.error(.deleted), of: kind, attempts: 0) == .conversationGone)
            #expect(DeliveryOutcome(Self.error(.unauthenticated), of: kind, attempts: 0) == .hold)
            #expect(DeliveryOutcome(Self.error(.internalError), of: kind, attempts: 5) == .drop)
        }
    }
}
