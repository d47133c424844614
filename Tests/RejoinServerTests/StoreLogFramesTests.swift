import RejoinCore
import RejoinServer
import SeededRandom
import Testing

@Suite struct StoreLogFramesTests {
    private func encoded(_ events: [NumberedEvent]) -> [UInt8] {
        var bytes: [UInt8] = []
        for event in events { event.append(to: &bytes) }
        return bytes
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `cuts at the event after the number, whatever the events say`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var events: [NumberedEvent] = []
        let first = Int.random(in: 1...120, using: &random)
        for seq in first..<first + 12 {
            let pieces = ["\n\n", "id:3\n", "\r\n\r\n", "é", "data:", "\u{2028}", "", "\"\\", "\n\nid:99999\n"]
            let text = (0..<3).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            events.append(.init(seq: seq, event: .text(text)))
        }
        let bytes = encoded(events)
        for seq in -1...first + 13 {
            #expect(Array(LogFrames.suffix(of: bytes, after: seq)) == encoded(events.filter { $0.seq > seq }))
        }
    }

    @Test func `bytes that are no events never trap`() {
        let texts = [
            "", "\n", "\n\n", "i", "id", "id:", "id:\n\n", "id:5", "data:x\n\n", "\n\nid:7\n\n", "id:x\n\nid:8\n\n",
            "id:99999999999999999999999\n\n",
        ]
        for text in texts {
            let suffix = LogFrames.suffix(of: Array(text.utf8), after: 6)
            #expect(text.hasSuffix(String(decoding: suffix, as: UTF8.self)))
        }
        #expect(Array(LogFrames.suffix(of: Array("junk\n\nid:7\n\n".utf8), after: 6)) == Array("id:7\n\n".utf8))
        #expect(LogFrames.suffix(of: Array("id:7\n\n".utf8), after: .max).isEmpty)
    }
}
