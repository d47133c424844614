public import RejoinAssist
public import RejoinCore

/// A "no" as a value: which constraint it was, and when it lifts.
public struct ClientRefusal: Error, Equatable, Sendable {
    /// What refused, as an open list: the server's problem types and a few of the device's own.
    public struct Code: Hashable, Sendable {
        /// The stable name.
        public let name: String

        /// Names a code.
        public init(_ name: String) { self.name = name }

        /// Names the code of a problem type.
        public init(_ kind: Problem.Kind) { name = kind.rawValue }

        /// There is no connection, and nothing is to be queued.
        public static let offline = Code("offline")
        /// A limit of the account is reached.
        public static let limitReached = Code(.limitReached)
        /// There is no such thing here.
        public static let notFound = Code(.notFound)
        /// The conversation was deleted.
        public static let deleted = Code(.deleted)
        /// Another answer of the same turn is under way.
        public static let answerRunning = Code("answer-running")
        /// The prompt is longer than is taken.
        public static let tooLarge = Code(.payloadTooLarge)
        /// Nobody is signed in.
        public static let unauthenticated = Code(.unauthenticated)
        /// It would have to be answered on this device, which cannot.
        public static let notOnDevice = Code("not-on-device")
        /// The prompt that this one follows was not sent.
        public static let parentUnsent = Code("parent-unsent")
    }

    public var code: Code
    /// What the limit counts, where a limit refused.
    public var capability: String?
    /// When a limit lifts.
    public var resetsAt: Timestamp?
    /// Why this device does not answer either, where that was looked at.
    public var why: MessageKey?

    /// Refuses.
    public init(_ code: Code, capability: String? = nil, resetsAt: Timestamp? = nil, why: MessageKey? = nil) {
        self.code = code
        self.capability = capability
        self.resetsAt = resetsAt
        self.why = why
    }
}

extension ClientRefusal: CustomStringConvertible {
    public var description: String {
        switch code {
        case .offline:
            why.map { "There is no connection, and this device cannot answer it: \(Self.clause($0))" }
                ?? "There is no connection"
        case .notOnDevice:
            why.map { "This device cannot answer it: \(Self.clause($0))" } ?? "This device cannot answer it"
        case .limitReached: "A limit is reached"
        case .notFound: "It is not there"
        case .deleted: "It was deleted"
        case .answerRunning: "An answer is under way"
        case .tooLarge: "The prompt is too long"
        case .unauthenticated: "Sign in first"
        case .parentUnsent: "The prompt before it was not sent"
        default: Problem.Kind(rawValue: code.name)?.title ?? "It was refused (\(code.name))"
        }
    }

    /// A sentence as the end of another.
    private static func clause(_ key: MessageKey) -> String {
        let sentence = key.sentence
        let words = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
        return words.prefix(1).lowercased() + words.dropFirst()
    }
}
