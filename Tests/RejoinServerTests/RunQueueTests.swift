import RejoinCore
import RejoinServer
import TestSupport
import SeededRandom
import Testing

@Suite struct RunQueueTests {
    private let ann = AccountID(high: 1, low: 1)
    private let bob = AccountID(high: 1, low: 2)

    private func answer(_ number: UInt64) -> AnswerID { AnswerID(high: 2, low: number) }

    private func queue(running: Int = 1, waiting: Int = 10, perAccount: Int = 10) -> RunQueue {
        RunQueue(.init(running: running, waiting: waiting, waitingPerAccount: perAccount))
    }

    @Test("S13 what does not run at once is told its place, and told again when that changes")
    func places() {
        var queue = queue()
        #expect(queue.enqueue(answer(1), of: ann) == [.start(answer(1))])
        #expect(queue.enqueue(answer(2), of: ann) == [.position(answer(2), 1)])
        #expect(queue.enqueue(answer(3), of: ann) == [.position(answer(3), 2)])
        #expect(queue.remove(answer(1)) == [.start(answer(2)), .position(answer(3), 1)])
    }

    @Test("S13 an account with one prompt does not wait behind an account with many")
    func fairness() {
        var queue = queue()
        _ = queue.enqueue(answer(1), of: ann)
        for number in 2...5 { _ = queue.enqueue(answer(UInt64(number)), of: ann) }
        #expect(queue.enqueue(answer(9), of: bob).contains(.position(answer(9), 2)))
        #expect(queue.remove(answer(1)).first == .start(answer(2)))
        #expect(queue.remove(answer(2)).first == .start(answer(9)))
        #expect(queue.remove(answer(9)).first == .start(answer(3)))
    }

    @Test("S13 whatever the accounts have in line, each of them gets its turn before any gets a second one")
    func turns() {
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<200 {
            var queue = queue(waiting: 1000, perAccount: 1000)
            var owner: [AnswerID: AccountID] = [:]
            var number: UInt64 = 0
            var running: AnswerID?
            var waiting: [AccountID: Int] = [:]
            /// Who was served while an account waited.
            var served: [AccountID: [AccountID]] = [:]
            func perform(_ actions: [RunQueue.Action]) {
                for case .start(let answer) in actions {
                    running = answer
                    guard let account = owner[answer] else { continue }
                    waiting[account, default: 0] -= 1
                    served[account] = []
                    for (other, count) in waiting where count > 0 && other != account {
                        served[other, default: []].append(account)
                        let seen = served[other] ?? []
                        #expect(Set(seen).count == seen.count, "an account was served twice while another waited")
                    }
                }
            }
            for _ in 0..<60 {
                if Bool.random(using: &generator) || running == nil {
                    number += 1
                    // One account asks for most.
                    let account = AccountID(
                        high: 1, low: Bool.random(using: &generator) ? 1 : .random(in: 1...5, using: &generator))
                    owner[answer(number)] = account
                    if waiting[account, default: 0] == 0 { served[account] = [] }
                    waiting[account, default: 0] += 1
                    perform(queue.enqueue(answer(number), of: account))
                } else if let over = running {
                    running = nil
                    perform(queue.remove(over))
                }
            }
        }
    }

    @Test("S13 a full line refuses, and takes again when there is room")
    func bounds() throws {
        var queue = queue(waiting: 1)
        try queue.reserve(ann)
        _ = queue.enqueue(answer(1), of: ann)
        queue.release(ann)
        try queue.reserve(ann)
        #expect(throws: Problem.self) { try queue.reserve(bob) }
        queue.release(ann)
        try queue.reserve(bob)
    }

    @Test("S13 one account cannot fill the line")
    func accountBound() throws {
        var queue = queue(perAccount: 2)
        for number in 1...3 {
            try queue.reserve(ann)
            _ = queue.enqueue(answer(UInt64(number)), of: ann)
            queue.release(ann)
        }
        let problem = #expect(throws: Problem.self) { try queue.reserve(ann) }
        #expect(problem?.kind == .queueFull)
        try queue.reserve(bob)
    }

    @Test("S05 a waiting answer that is stopped leaves its place to the next")
    func leaving() {
        var queue = queue()
        _ = queue.enqueue(answer(1), of: ann)
        _ = queue.enqueue(answer(2), of: ann)
        _ = queue.enqueue(answer(3), of: ann)
        #expect(queue.remove(answer(2)) == [.position(answer(3), 1)])
        #expect(queue.remove(answer(1)) == [.start(answer(3))])
    }

    @Test("S13 in every order of events, at most so many run, nobody is lost and nobody runs twice")
    func walk() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let room = Int.random(in: 1...4, using: &generator)
            var queue = queue(running: room, waiting: 1000, perAccount: 1000)
            var running: Set<AnswerID> = []
            var waiting: Set<AnswerID> = []
            func perform(_ actions: [RunQueue.Action]) {
                for case .start(let answer) in actions {
                    #expect(waiting.remove(answer) != nil)
                    #expect(running.insert(answer).inserted)
                }
                #expect(running.count <= room)
                #expect(waiting.isEmpty || running.count == room)
                #expect(queue.runningCount == running.count && queue.waitingCount == waiting.count)
            }
            for number in 0..<100 {
                if Bool.random(using: &generator) || running.isEmpty {
                    let account = AccountID(high: 1, low: UInt64.random(in: 1...3, using: &generator))
                    waiting.insert(answer(UInt64(number)))
                    perform(queue.enqueue(answer(UInt64(number)), of: account))
                } else if let leaving = (Bool.random(using: &generator) ? running : waiting).randomElement(
                    using: &generator)
                {
                    if running.remove(leaving) == nil { waiting.remove(leaving) }
                    perform(queue.remove(leaving))
                }
            }
            while let leaving = running.min() {
                running.remove(leaving)
                perform(queue.remove(leaving))
            }
            #expect(waiting.isEmpty)
        }
    }
}
