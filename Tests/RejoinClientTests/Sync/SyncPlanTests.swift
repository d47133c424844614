import RejoinCore
import Testing

@testable import RejoinClient

@Suite struct SyncPlanTests {
    static let here: ConversationID = ID(high: 1, low: 1)
    static let line: ConversationID = ID(high: 1, low: 2)
    static let gone: ConversationID = ID(high: 1, low: 3)
    static let new: ConversationID = ID(high: 1, low: 4)
    static let knownTurn: TurnID = ID(high: 2, low: 1)
    static let whole: AnswerID = ID(high: 3, low: 1)
    static let growing: AnswerID = ID(high: 3, low: 2)

    static let knowledge = SyncPlan.Knowledge(
        holding: { [here: .tree, line: .line, gone: .deleted][$0] ?? .none }, hasTurn: { $0 == knownTurn },
        isSettled: { $0 == whole }, hasAnswer: { $0 == whole || $0 == growing })

    static func plan(_ changes: (String, String, ConversationID?, Bool)...) -> SyncPlan {
        let changes = changes.enumerated().map { number, change in
            Change(
                cursor: number + 1, kind: change.0, id: change.1, conversation: change.2, isDeletion: change.3)
        }
        return SyncPlan(changes, knowing: knowledge)
    }

    static func turn(_ id: TurnID, _ conversation: ConversationID) -> (String, String, ConversationID?, Bool) {
        ("turn", id.description, conversation, false)
    }

    static func answer(_ id: AnswerID, _ conversation: ConversationID) -> (String, String, ConversationID?, Bool) {
        ("answer", id.description, conversation, false)
    }

    static func line(_ kind: String, _ conversation: ConversationID) -> (String, String, ConversationID?, Bool) {
        (kind, conversation.description, conversation, false)
    }

    @Test("A34 the feed says in what order the server took the turns that are here")
    func arrivals() {
        let plan = Self.plan(Self.turn(Self.knownTurn, Self.here), Self.turn(ID(high: 2, low: 9), Self.here))
        #expect(plan.arrivals == [Self.knownTurn])
    }

    @Test("A34 an unknown turn, or answer, asks for the conversation once")
    func unknown() {
        let other: TurnID = ID(high: 2, low: 9)
        let plan = Self.plan(
            Self.turn(other, Self.here), Self.answer(ID(high: 3, low: 9), Self.here), Self.line("title", Self.here))
        #expect(plan.trees == [Self.here])
        #expect(plan.lines.isEmpty && plan.answers.isEmpty && plan.deletions.isEmpty)
    }

    @Test func `what this device wrote, and what it is being told anyway, is not fetched`() {
        let plan = Self.plan(Self.turn(Self.knownTurn, Self.here), Self.answer(Self.whole, Self.here))
        #expect(plan.trees.isEmpty && plan.lines.isEmpty && plan.answers.isEmpty && plan.deletions.isEmpty)
    }

    @Test func `a known answer that is not whole is fetched alone`() {
        let plan = Self.plan(Self.answer(Self.growing, Self.here), Self.answer(Self.growing, Self.here))
        #expect(plan.answers == [Self.growing])
        #expect(plan.trees.isEmpty)
    }

    @Test func `of a conversation that was never opened, only the line is fetched, whatever changed in it`() {
        let plan = Self.plan(
            Self.turn(ID(high: 2, low: 9), Self.line), Self.line("conversation", Self.new),
            Self.line("title", Self.here))
        #expect(plan.lines == [Self.line, Self.new, Self.here])
        #expect(plan.trees.isEmpty)
    }

    @Test("A38 a deletion counts more than anything that came before it, and nothing brings a deleted one back")
    func deletion() {
        let plan = Self.plan(
            Self.turn(ID(high: 2, low: 9), Self.here), ("conversation", Self.here.description, Self.here, true),
            Self.turn(ID(high: 2, low: 8), Self.gone), Self.line("title", Self.gone))
        #expect(plan.deletions == [Self.here])
        #expect(plan.trees.isEmpty && plan.lines.isEmpty)
    }

    @Test func `kinds of a newer server, and ids of no known form, are passed over`() {
        let plan = Self.plan(
            ("hologram", "x", Self.here, false), ("device", "x", nil, false), ("answer", "x", Self.here, false))
        #expect(plan == Self.plan())
        #expect(Self.plan(("limits", "x", nil, false)).limits)
    }
}
