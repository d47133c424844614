import BenchCore
import Testing

@Suite struct ShapeTests {
    @Test func `reads every letter of a model name`() throws {
        let shape = try #require(Shape(model: "bench-n3-r20-d200-b12-h50"))
        #expect(shape.pieces == 3 && shape.rate == 20 && shape.delay == 200 && shape.bytes == 12 && shape.hold == 50)
        #expect(shape.due(of: 2) == 300_000_000)
    }

    @Test(arguments: ["gpt", "bench-x3", "bench-n", "bench-n-3", "bench-n99999999999"])
    func `refuses a name that is none of its own`(name: String) {
        #expect(Shape(model: name) == nil)
    }
}
