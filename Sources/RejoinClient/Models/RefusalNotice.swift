public import RejoinCore

/// A refusal as it is shown: what refused, when that lifts, and what can be done about it.
public struct RefusalNotice: Equatable, Sendable {
    public let refusal: ClientRefusal
    /// What the person can do, the likeliest first.
    public let steps: [NextStep]

    /// What the limit counts, where a limit refused.
    public var capability: String? { refusal.capability }
    /// When the limit lifts, where that is known.
    public var resetsAt: Timestamp? { refusal.resetsAt }

    /// The refusal in English.
    ///
    /// - Parameter now: the moment from which "in 2 hours" is counted.
    public func words(at now: Timestamp) -> String {
        var words = refusal.description
        if let capability { words += " (\(capability))" }
        if let resetsAt, resetsAt > now {
            words += "; it lifts in " + RelativeTime.words(milliseconds: resetsAt.milliseconds - now.milliseconds)
        }
        return words
    }
}

/// Something that a person can do about a refusal, as an open list: an app has steps of its own.
public struct NextStep: Hashable, Sendable {
    /// The stable name.
    public let name: String
    /// What the control says, in English.
    public let words: String

    /// Names a step.
    public init(_ name: String, _ words: String) {
        self.name = name
        self.words = words
    }

    public static let tryAgain = NextStep("try-again", "Try again")
    /// Wait for the limit to lift.
    public static let wait = NextStep("wait", "Wait until it lifts")
    public static let signIn = NextStep("sign-in", "Sign in")
    public static let startNew = NextStep("start-new", "Start a new conversation")
    /// Let a server answer.
    public static let changeMode = NextStep("change-mode", "Change what may leave this device")
    public static let shorten = NextStep("shorten", "Shorten the prompt")
    public static let changeModel = NextStep("change-model", "Use another model")
    public static let stopFirst = NextStep("stop-first", "Stop the answer first")
    public static let freeSpace = NextStep("free-space", "Free some space on this device")
}

/// Which next steps go with which refusal; an app changes them to its own.
public struct RefusalGuide: Sendable {
    /// The steps for each code.
    public var steps: [ClientRefusal.Code: [NextStep]] = [
        .offline: [.tryAgain],
        .notOnDevice: [.changeMode, .shorten],
        .limitReached: [.wait, .changeModel],
        .notFound: [.startNew],
        .deleted: [.startNew],
        .answerRunning: [.stopFirst],
        .tooLarge: [.shorten],
        .contextTooLarge: [.startNew, .shorten],
        .unauthenticated: [.signIn],
        .queueFull: [.tryAgain],
        .modelUnavailable: [.tryAgain, .changeModel],
        .notKept: [.freeSpace, .tryAgain],
        .parentUnsent: [.tryAgain],
        .invalid: [],
    ]
    /// The steps where a limit of a certain capability refused; they come before those of the code.
    public var stepsByCapability: [String: [NextStep]] = [:]

    /// Starts from the defaults.
    public init() {}

    /// Shows a refusal with its steps.
    public func notice(for refusal: ClientRefusal) -> RefusalNotice {
        let special = refusal.capability.flatMap { stepsByCapability[$0] }
        return RefusalNotice(refusal: refusal, steps: special ?? steps[refusal.code] ?? [.tryAgain])
    }
}

/// Stretches of time in words.
enum RelativeTime {
    /// About so long, in the unit that a person would use, in English.
    static func words(milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds / 1000)
        let (count, unit): (Int64, String) =
            switch seconds {
            case ..<60: (seconds, "second")
            case ..<3600: (seconds / 60, "minute")
            case ..<172_800: (seconds / 3600, "hour")
            default: (seconds / 86_400, "day")
            }
        return "\(count) \(unit)" + (count == 1 ? "" : "s")
    }
}
