import BenchCore
import Testing

@Suite struct TimerWheelTests {
    private let millisecond: Int64 = 1_000_000

    @Test func `hands over in time, never early, and once`() {
        let wheel = TimerWheel(now: 0)
        for key in UInt64(1)...10_000 { wheel.schedule(key, at: Int64(key) * millisecond) }
        var now: Int64 = 0
        var next: UInt64 = 1
        while now < 11_000 * millisecond {
            now += 3 * millisecond
            wheel.advance(to: now) { key in
                #expect(key == next && Int64(key) * millisecond <= now)
                next += 1
            }
        }
        #expect(next == 10_001)
    }

    @Test func `catches up after a pause longer than one turn of the wheel`() {
        let wheel = TimerWheel(now: 0)
        for key in UInt64(1)...9000 { wheel.schedule(key, at: Int64(key) * millisecond) }
        var count = 0
        for _ in 0..<3 { wheel.advance(to: 20_000 * millisecond) { _ in count += 1 } }
        #expect(count == 9000)
    }

    @Test func `lets a key be scheduled while it is handed over`() {
        let wheel = TimerWheel(now: 0)
        wheel.schedule(1, at: millisecond)
        var times = 0
        for tick in Int64(1)...20 {
            wheel.advance(to: tick * millisecond) { key in
                times += 1
                wheel.schedule(key, at: 0)
            }
        }
        #expect(times == 20)
        #expect(wheel.pause(now: 20 * millisecond) <= millisecond)
    }
}
