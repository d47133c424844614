import BenchCore
import Testing

@Suite struct RequestReaderTests {
    @Test(arguments: [1, 4, 1000]) func `gathers requests whatever the cut`(size: Int) {
        var reader = RequestReader()
        let bytes = Array("POST /a HTTP/1.1\r\ncontent-length: 2\r\n\r\nhiGET /b HTTP/1.1\r\n\r\n".utf8)
        var seen: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            reader.feed(bytes[start..<min(start + size, bytes.count)])
            while let request = reader.next() {
                seen.append(
                    "\(request.method) \(request.path) \(String(decoding: reader.bytes[request.body], as: UTF8.self))")
                reader.drop(request)
            }
        }
        #expect(seen == ["POST /a hi", "GET /b "] && !reader.isBroken)
    }

    @Test(arguments: [
        "nonsense\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -4\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
    ])
    func `refuses what it does not speak`(text: String) {
        var reader = RequestReader()
        reader.feed(Array(text.utf8)[...])
        #expect(reader.next() == nil && reader.isBroken)
    }
}
