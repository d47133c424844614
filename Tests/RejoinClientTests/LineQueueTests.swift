import RejoinTerminal
import Testing

@Suite(.timeLimit(.minutes(1))) struct LineQueueTests {
    @Test func `lines come in order and then the end, again and again`() async {
        let queue = LineQueue()
        queue.append("a")
        queue.append("b")
        queue.finish()
        #expect(await queue.next() == "a")
        #expect(await queue.next() == "b")
        #expect(await queue.next() == nil)
        #expect(await queue.next() == nil)
    }

    @Test func `a reader that was cancelled loses no line`() async throws {
        let queue = LineQueue()
        for round in 0..<500 {
            let reader = Task { await queue.next() }
            if round % 2 == 0 { await Task.yield() }
            async let added: Int = queue.append("line \(round)")
            reader.cancel()
            _ = await added
            let line = await reader.value
            #expect(line == nil || line == "line \(round)")
            if line == nil { #expect(await queue.next() == "line \(round)") }
        }
    }
}
