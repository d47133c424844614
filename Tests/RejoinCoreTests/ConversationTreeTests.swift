import RejoinCore
import SeededRandom
import Testing

@Suite struct ConversationTreeTests {
    static func turn(_ number: UInt64) -> TurnID { TurnID(high: 1, low: number) }
    static func answer(_ number: UInt64) -> AnswerID { AnswerID(high: 2, low: number) }

    static func makeTurn(_ number: UInt64, parent: AnswerID?, answers: [AnswerID]) -> Turn {
        Turn(id: turn(number), parent: parent, content: [.text("prompt \(number)")], answers: answers)
    }

    @Test("A45 A46 A47 branches and siblings leave every path as it was", arguments: 0..<40)
    func randomTrees(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var tree = ConversationTree()
        // The paths, kept the obvious way: each answer's path is its parent's path and its own step.
        var paths: [AnswerID: [ConversationTree.Step]] = [:]
        var answers: [AnswerID] = []
        var number: UInt64 = 0
        for _ in 0..<60 {
            number += 1
            let id = Self.answer(number)
            if Int.random(in: 0..<3, using: &generator) == 0, let turn = tree.turns.randomElement(using: &generator) {
                #expect(tree.add(id, to: turn.id) == true)
                let above = turn.parent.flatMap { paths[$0] } ?? []
                paths[id] = above + [.init(turn: turn.id, answer: id)]
            } else {
                let parent =
                    Int.random(in: 0..<8, using: &generator) == 0 ? nil : answers.randomElement(using: &generator)
                #expect(tree.add(Self.makeTurn(number, parent: parent, answers: [id])) == true)
                paths[id] = (parent.flatMap { paths[$0] } ?? []) + [.init(turn: Self.turn(number), answer: id)]
            }
            answers.append(id)
            for (answer, path) in paths { #expect(tree.path(to: answer) == path) }
        }
        for answer in answers { #expect(tree.turn(of: answer)?.answers.contains(answer) == true) }
        let before = tree
        // Everything once more changes nothing.
        for turn in before.turns {
            #expect(tree.add(turn) == false)
            for answer in turn.answers { #expect(tree.add(answer, to: turn.id) == false) }
        }
        #expect(tree == before)
    }

    @Test func `a turn without its parent is not added`() {
        var tree = ConversationTree()
        #expect(tree.add(Self.makeTurn(1, parent: Self.answer(9), answers: [Self.answer(1)])) == false)
        #expect(tree.turns.isEmpty)
        #expect(tree.path(to: Self.answer(1)).isEmpty)
        #expect(tree.newestLeaf == nil)
    }

    @Test func `a turn cannot be made its own ancestor`() {
        var tree = ConversationTree()
        #expect(tree.add(Self.makeTurn(1, parent: nil, answers: [Self.answer(1)])) == true)
        #expect(tree.add(Self.makeTurn(2, parent: Self.answer(1), answers: [Self.answer(1)])) == false)
        #expect(tree.add(Self.makeTurn(3, parent: nil, answers: [Self.answer(1)])) == false)
        #expect(tree.path(to: Self.answer(1)) == [.init(turn: Self.turn(1), answer: Self.answer(1))])
    }

    @Test func `the newest answer of the newest turn is selected until a person chooses`() {
        var tree = ConversationTree()
        tree.add(Self.makeTurn(1, parent: nil, answers: [Self.answer(1)]))
        tree.add(Self.makeTurn(2, parent: Self.answer(1), answers: [Self.answer(2)]))
        #expect(tree.newestLeaf == Self.answer(2))
        tree.add(Self.answer(3), to: Self.turn(2))
        #expect(tree.newestLeaf == Self.answer(3))
        #expect(tree[Self.turn(2)]?.answers == [Self.answer(2), Self.answer(3)])
        #expect(tree.add(Self.answer(4), to: Self.turn(9)) == false)
    }
}
