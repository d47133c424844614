import RejoinClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReachabilityTests {
    @Test("A24 who begins to listen while the network comes back hears of it last, never first and then the old")
    func order() async {
        for round in 0..<2000 {
            let reachability = ManualReachability()
            reachability.set(isReachable: false)
            async let listening = Task.detached { reachability.hints() }.value
            async let change: Void = Task.detached { reachability.set(isReachable: true) }.value
            var hints = await listening.makeAsyncIterator()
            await change
            // Nobody read meanwhile: only the newest is kept.
            #expect(await hints.next() == true, "round \(round)")
        }
    }
}
