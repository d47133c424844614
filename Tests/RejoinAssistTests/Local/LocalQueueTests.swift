import SeededRandom
import Testing

@testable import RejoinAssist

@Suite struct LocalQueueTests {
    private func task(_ number: Int) -> ModelTask {
        ModelTask(instructions: "", prompt: "\(number)", maximumTokens: 1)
    }

    @Test(
        "R28 R29 whatever happens in whatever order, one job is in the gate and nobody is lost or answered twice",
        arguments: 0..<40 as Range<UInt64>)
    func anyOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = LocalQueue(mostWaiting: 3)
        var waiting: Set<Int> = []
        var (answered, gone, refused): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
        var last = 0
        var inside: LocalQueue.Job?
        for _ in 0..<400 {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0, 1:
                last += 1
                let key = Bool.random(using: &generator) ? SupersedeKey("\(last % 2)") : nil
                let submission = queue.submit(
                    task(Int.random(in: 0..<6, using: &generator)), from: .init(id: last, key: key))
                #expect(Set(submission.superseded).isSubset(of: waiting))
                waiting.subtract(submission.superseded)
                gone.formUnion(submission.superseded)
                if submission.isBusy { refused.insert(last) } else { waiting.insert(last) }
                #expect(queue.waitingCount <= 4)
            case 2:
                guard let caller = waiting.sorted().randomElement(using: &generator) else { continue }
                _ = queue.leave(caller)
                waiting.remove(caller)
                gone.insert(caller)
            case 3:
                guard let job = queue.next() else { continue }
                #expect(inside == nil)
                #expect(!job.callers.isEmpty)
                inside = job
            default:
                guard inside != nil else { continue }
                let callers = Set(queue.release())
                #expect(callers.isSubset(of: waiting))
                waiting.subtract(callers)
                answered.formUnion(callers)
                inside = nil
            }
        }
        if inside != nil { answered.formUnion(queue.release()) }
        while queue.next() != nil { answered.formUnion(queue.release()) }
        #expect(answered.count + gone.count + refused.count == last)
        #expect(answered.isDisjoint(with: gone) && answered.isDisjoint(with: refused))
    }

    @Test func `a request joins an equal one and not one that nobody wants any more`() {
        var queue = LocalQueue(mostWaiting: 3)
        _ = queue.submit(task(1), from: .init(id: 1, key: nil))
        let first = queue.next()
        #expect(first?.callers.count == 1)
        let stops = queue.leave(1)
        #expect(stops)
        _ = queue.submit(task(1), from: .init(id: 2, key: nil))
        #expect(queue.waitingCount == 1)
        let answered = queue.release()
        #expect(answered == [])
        let second = queue.next()
        #expect(second?.callers.map(\.id) == [2])
    }

    @Test func `the newest of one place makes the older obsolete, unless it asks the same`() {
        var queue = LocalQueue(mostWaiting: 3)
        let (here, there) = (SupersedeKey("here"), SupersedeKey("there"))
        _ = queue.submit(task(1), from: .init(id: 1, key: here))
        _ = queue.next()
        _ = queue.submit(task(1), from: .init(id: 2, key: there))
        let same = queue.submit(task(1), from: .init(id: 3, key: here))
        #expect(same.superseded == [] && !same.stopsRunning)
        // The other place still waits for the running job, so it goes on.
        let other = queue.submit(task(2), from: .init(id: 4, key: here))
        #expect(other.superseded == [1, 3] && !other.stopsRunning)
        let last = queue.submit(task(3), from: .init(id: 5, key: there))
        #expect(last.superseded == [2] && last.stopsRunning)
    }
}
