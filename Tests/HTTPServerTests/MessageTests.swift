import HTTPServer
import SeededRandom
import Testing

@Suite struct MessageTests {
    @Test func `fields keep their order and ignore the case of names`() {
        var fields: HTTPFields = ["Set-Cookie": "a=1", "X-A": "b"]
        fields.append("set-cookie", "c=2")
        #expect(fields["SET-COOKIE"] == "a=1")
        #expect(fields.all("Set-Cookie") == ["a=1", "c=2"])
        #expect(fields["absent"] == nil)
        #expect(fields.map(\.name) == ["Set-Cookie", "X-A", "set-cookie"])
        #expect(fields == ["set-cookie": "a=1", "x-a": "b", "Set-Cookie": "c=2"])
        #expect(fields != ["set-cookie": "a=1", "x-a": "B", "Set-Cookie": "c=2"])
    }

    @Test func `gzip gives the same bytes every time, and smaller ones`() throws {
        let text = Array(String(repeating: "the same words again and again ", count: 400).utf8)
        let compressed = try #require(Gzip.compress(text))
        #expect(compressed == Gzip.compress(text))
        #expect(compressed.count < text.count / 20)
        #expect(compressed.starts(with: [0x1F, 0x8B, 8]))
        // No time stamp.
        #expect(Array(compressed[4..<8]) == [0, 0, 0, 0])
        // The size in the trailer is that of the input.
        let size = compressed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(size == text.count)
    }

    @Test(arguments: [0, 1, 100_000]) func `gzip takes what cannot be compressed`(count: Int) throws {
        var random = SeededGenerator(seed: 7)
        let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let compressed = try #require(Gzip.compress(noise))
        #expect(compressed.count >= count)
    }
}
