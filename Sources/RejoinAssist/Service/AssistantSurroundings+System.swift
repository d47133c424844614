internal import RejoinCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension AssistantSurroundings {
    /// The system's clocks and its source of chance.
    public static let system: AssistantSurroundings = {
        let clock = ContinuousClock()
        let start = clock.now
        return AssistantSurroundings(
            now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
            elapsed: { start.duration(to: clock.now) }, random: { .random(in: .min ... .max) })
    }()
}
