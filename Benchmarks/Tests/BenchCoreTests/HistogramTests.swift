import BenchCore
import Testing

@Suite struct HistogramTests {
    @Test func `finds shares to within a thousandth`() {
        var histogram = Histogram()
        for milliseconds in 1...1000 { histogram.add(Int64(milliseconds) * 1_000_000) }
        #expect(abs(histogram.milliseconds(0.5) - 500) <= 0.5)
        #expect(abs(histogram.milliseconds(0.99) - 990) <= 1)
        #expect(histogram.milliseconds(1) == 1000)
    }

    @Test func `keeps the extremes and survives what cannot be`() {
        var histogram = Histogram()
        histogram.add(-5)
        histogram.add(.max)
        #expect(histogram.total == 2 && histogram.shortest == 0 && histogram.longest == .max)
    }

    @Test func `writes decimals without Foundation`() {
        #expect(decimal(0.0305) == "0.031" && decimal(-1.5) == "-1.500" && decimal(12) == "12.000")
    }
}
