/// The questions that events answer: how well routing serves people, in numbers.
public struct TelemetryQuestions: Sendable, Hashable {
    /// How often the device's model was looked at and could not run.
    public let localUnavailable: Rate
    /// How often a request in the mode `automatic` came to leave the device, fallbacks included.
    public let automaticToCloud: Rate
    /// How often validation turned a draft down, by the language of the input.
    public let validationFailures: [LanguageLabel: Rate]
    /// How often a person gave up while the device's model was being prepared.
    public let abandonedInPreparation: Rate
    /// How often a person turned a proposal down.
    public let discarded: Rate
    /// How often an effect failed although its proposal was valid.
    public let failedAfterValidating: Rate

    /// Answers the questions from events alone.
    public init(_ events: some Sequence<TelemetryEvent>) {
        var localUnavailable = Rate()
        var automaticToCloud = Rate()
        var validationFailures: [LanguageLabel: Rate] = [:]
        var abandoned = Rate()
        var discarded = Rate()
        var failedAfter = Rate()
        for event in events {
            if event.name.isResolution, let local = event.local { localUnavailable.add(local != .ready) }
            switch event.name {
            case .decidedAutomatic:
                // A fallback belongs to a request that has been counted.
                if event.reason != .fallback { automaticToCloud.total += 1 }
                if event.route?.leavesDevice == true { automaticToCloud.count += 1 }
            case .waiting: abandoned.total += 1
            case .preparationAbandoned: abandoned.count += 1
            case .validated:
                guard let outcome = event.validation else { break }
                validationFailures[outcome.language, default: Rate()].add(outcome.result == .rejected)
                if outcome.result != .rejected { failedAfter.total += 1 }
            case .failedAfterValidating: failedAfter.count += 1
            case .committed: discarded.add(false)
            case .discarded: discarded.add(true)
            default: break
            }
        }
        self.localUnavailable = localUnavailable
        self.automaticToCloud = automaticToCloud
        self.validationFailures = validationFailures
        abandonedInPreparation = abandoned
        self.discarded = discarded
        failedAfterValidating = failedAfter
    }

    /// The answers in words, one a line.
    public var lines: [String] {
        [
            "local model unavailable: \(localUnavailable)",
            "automatic, left the device: \(automaticToCloud)",
            "given up during preparation: \(abandonedInPreparation)",
            "proposals discarded: \(discarded)",
            "failed after validating: \(failedAfterValidating)",
        ]
            + validationFailures.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                "validation failed (\($0.key.rawValue)): \($0.value)"
            }
    }
}

/// How many of how many.
public struct Rate: Sendable, Hashable {
    /// How many it was true of.
    public internal(set) var count = 0
    /// How many there were.
    public internal(set) var total = 0

    /// Their ratio; `nil` where there were none.
    public var fraction: Double? { total > 0 ? Double(count) / Double(total) : nil }

    mutating func add(_ isTrue: Bool) {
        total += 1
        if isTrue { count += 1 }
    }
}

extension Rate: CustomStringConvertible {
    public var description: String {
        guard let fraction else { return "no data" }
        let tenths = Int((fraction * 1000).rounded())
        return "\(tenths / 10).\(tenths % 10) % (\(count) of \(total))"
    }
}
