import RejoinCore
import Testing

@testable import RejoinClient

@Suite struct TreeVersionsTests {
    private static func turn(_ number: Int) -> TurnID { TurnID(high: 1, low: UInt64(number)) }
    private static func answer(_ number: Int) -> AnswerID { AnswerID(high: 2, low: UInt64(number)) }

    @Test("A48 choosing a version leads to the newest end of its branch")
    func leaves() {
        var tree = ConversationTree()
        func add(_ number: Int, after parent: AnswerID?, _ answers: Int...) {
            tree.add(
                Turn(id: Self.turn(number), parent: parent, content: [], answers: answers.map { Self.answer($0) }))
        }
        add(1, after: nil, 10, 11)
        add(2, after: Self.answer(10), 20)
        add(3, after: Self.answer(20), 30, 31)
        add(4, after: Self.answer(10), 40)
        add(5, after: Self.answer(40))
        let versions = TreeVersions(tree)
        #expect(versions.leaf(below: Self.answer(10)) == Self.answer(40))
        #expect(versions.leaf(below: Self.answer(20)) == Self.answer(31))
        #expect(
            versions.answers(of: Self.turn(1), showing: Self.answer(11))
                == Choice(number: 2, count: 2, previous: Self.answer(40), next: nil))
        #expect(
            versions.prompts(around: Self.turn(4))
                == Choice(number: 2, count: 2, previous: Self.answer(31), next: nil))
        #expect(versions.prompts(around: Self.turn(3)).count == 1)
    }
}
