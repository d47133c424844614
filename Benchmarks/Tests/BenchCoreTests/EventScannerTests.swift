import BenchCore
import Testing

@Suite struct EventScannerTests {
    private func events(_ text: String, by size: Int) -> [String] {
        var scanner = EventScanner()
        var found: [String] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            scanner.feed(bytes[start..<min(start + size, bytes.count)]) { event in
                let name = String(decoding: event.name, as: UTF8.self)
                found.append("\(event.id ?? -1) \(name) \(String(decoding: event.data, as: UTF8.self))")
            }
        }
        return found
    }

    @Test(arguments: [1, 2, 3, 11, 1000]) func `finds the events whatever the cut`(size: Int) {
        let text = "id:1\nevent:text\ndata:{\"a\":1}\n\n: alive\n\nid: 22\r\nevent: end\r\ndata: x\r\n\r\ndata:y\n\n"
        #expect(events(text, by: size) == ["1 text {\"a\":1}", "22 end x", "-1  y"])
    }

    @Test func `takes nothing from a line that has not ended`() {
        #expect(events("id:1\ndata:{\"text\":\"ha", by: 1000).isEmpty)
    }

    @Test func `does not trust a number`() {
        #expect(events("id:99999999999999999999999999\ndata:x\n\n", by: 1000) == ["-1  x"])
    }
}
