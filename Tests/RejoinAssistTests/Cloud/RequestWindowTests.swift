import RejoinAssist
import Testing

@Suite struct RequestWindowTests {
    private func conversation(_ count: Int) -> [String] { (0..<count).map { "turn \(1_000_000 + $0)" } }

    @Test("R36 ten thousand turns give a request of the same size as a hundred")
    func sameSize() {
        let window = RequestWindow(turns: 12, bytes: 1000)
        let short = window.newest(of: conversation(100)) { $0.utf8.count }
        let long = window.newest(of: conversation(10_000)) { $0.utf8.count }
        #expect(short.count == 12)
        #expect(long.count == 12)
        #expect(short.joined().utf8.count == long.joined().utf8.count)
        #expect(long.last == "turn 1009999")
    }

    @Test("R36 the size bounds the window too, and no more turns are looked at than needed")
    func bySize() {
        var looked = 0
        let kept = RequestWindow(turns: 12, bytes: 30).newest(of: conversation(10_000)) { turn in
            looked += 1
            return turn.utf8.count
        }
        #expect(kept == ["turn 1009998", "turn 1009999"])
        #expect(looked == 3)
    }

    @Test func `what alone is too large leaves nothing, and there is never a gap`() {
        #expect(RequestWindow(turns: 5, bytes: 3).newest(of: ["a", "long", "bb"]) { $0.utf8.count } == ["bb"])
        #expect(RequestWindow(turns: 5, bytes: 3).newest(of: ["a", "long"]) { $0.utf8.count }.isEmpty)
        #expect(RequestWindow(turns: 0, bytes: 3).newest(of: ["a"]) { $0.utf8.count }.isEmpty)
        #expect(RequestWindow(turns: 5, bytes: 3).newest(of: [String]()) { $0.utf8.count }.isEmpty)
    }
}
