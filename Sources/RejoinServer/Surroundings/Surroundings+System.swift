import Foundation
import RejoinCore

extension Surroundings {
    /// The machine's own clocks and random numbers.
    package static var system: Surroundings {
        let start = ContinuousClock.now
        return Surroundings(
            wall: { Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) },
            monotonic: { ContinuousClock.now - start },
            sleep: { try await Task.sleep(for: $0, tolerance: .zero) },
            doze: { usleep(UInt32($0 / Duration.microseconds(1))) },
            random: {
                var generator = SystemRandomNumberGenerator()
                return (generator.next(), generator.next())
            })
    }
}
