import BenchCore
import Testing

@Suite struct ResponseReaderTests {
    private func read(_ wire: String, by size: Int) -> (reader: ResponseReader, body: String) {
        var reader = ResponseReader()
        var body: [UInt8] = []
        let bytes = Array(wire.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let part = bytes[start..<min(start + size, bytes.count)]
            var ranges: [Range<Int>] = []
            reader.feed(part, into: &ranges)
            for range in ranges { body += part[range] }
        }
        return (reader, String(decoding: body, as: UTF8.self))
    }

    @Test(arguments: [1, 2, 3, 5, 1000]) func `reads chunks however they are cut`(size: Int) {
        let wire = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n"
        let (reader, body) = read(wire, by: size)
        #expect(reader.isComplete && reader.status == 200 && !reader.closes && body == "abc0123456789")
    }

    @Test(arguments: [1, 1000]) func `reads a counted body and one that ends with the connection`(size: Int) {
        let counted = read("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno", by: size)
        #expect(counted.reader.isComplete && counted.reader.status == 404 && counted.body == "no")
        var (reader, body) = read("HTTP/1.1 200 OK\r\n\r\nall", by: size)
        #expect(!reader.isComplete && body == "all")
        reader.end()
        #expect(reader.isComplete && reader.closes)
    }

    @Test func `calls a cut chunk and a foreign protocol broken`() {
        var (reader, _) = read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", by: 1000)
        reader.end()
        #expect(reader.isBroken)
        #expect(read("SSH-2.0-x\r\n", by: 1000).reader.isBroken)
        let negative = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nab"
        #expect(read(negative, by: 1000).reader.isBroken)
    }
}
