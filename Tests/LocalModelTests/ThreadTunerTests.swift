import Testing

@testable import LocalModel

@Suite struct ThreadTunerTests {
    /// The share of steps made with the better choice, when `threads` take `seconds(threads)`.
    private func share(
        of better: Int, after warmUp: Int = 60, steps: Int = 400, tuner: inout ThreadTuner,
        seconds: (Int) -> Double
    ) -> Double {
        for _ in 0..<warmUp { tuner.note(seconds(tuner.threads)) }
        var count = 0
        for _ in 0..<steps {
            if tuner.threads == better { count += 1 }
            tuner.note(seconds(tuner.threads))
        }
        return Double(count) / Double(steps)
    }

    @Test func `keeps all threads on an idle machine`() {
        var tuner = ThreadTuner(most: 4)
        #expect(share(of: 4, tuner: &tuner) { $0 == 4 ? 0.01 : 0.03 } > 0.95)
    }

    @Test func `settles on one thread beside a busy neighbour`() {
        var tuner = ThreadTuner(most: 4)
        #expect(share(of: 1, tuner: &tuner) { $0 == 4 ? 0.1 : 0.03 } > 0.9)
    }

    @Test func `notices a neighbour that comes and one that goes`() {
        var tuner = ThreadTuner(most: 2)
        _ = share(of: 2, tuner: &tuner) { $0 == 2 ? 0.01 : 0.02 }
        #expect(share(of: 1, after: 20, tuner: &tuner) { $0 == 2 ? 0.1 : 0.02 } > 0.9)
        #expect(share(of: 2, after: 600, tuner: &tuner) { $0 == 2 ? 0.01 : 0.02 } > 0.9)
    }

    @Test func `has nothing to choose with one thread`() {
        var tuner = ThreadTuner(most: 1)
        #expect(share(of: 1, tuner: &tuner) { _ in 0.01 } == 1)
    }

    @Test func `one odd step does not bring a change`() {
        var tuner = ThreadTuner(most: 2)
        var step = 0
        let kept = share(of: 2, tuner: &tuner) { threads in
            step += 1
            return threads == 2 ? (step % 50 == 0 ? 0.05 : 0.01) : 0.02
        }
        #expect(kept > 0.9)
    }
}
