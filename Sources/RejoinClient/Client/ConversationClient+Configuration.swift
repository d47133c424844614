public import RejoinAssist
public import RejoinCore

extension ConversationClient {
    /// How a client behaves where apps differ.
    public struct Configuration: Sendable {
        /// What happens to a prompt without a connection.
        public enum OfflinePolicy: Equatable, Sendable {
            /// It is refused before it is sent, and its words stay in the draft.
            case refuse
            /// It waits, visibly, for at most `expiry`, and is sent in order.
            case queue(expiry: Duration)
        }

        /// What happens when another answer is asked for while one of the same turn is being written.
        public enum RegeneratePolicy: Equatable, Sendable {
            /// It is refused.
            case refuse
            /// The one that runs is stopped first.
            case supersede
        }

        public var offlinePolicy = OfflinePolicy.refuse
        public var regeneratePolicy = RegeneratePolicy.refuse
        /// How long words that are shown may stay out of the store.
        public var flushInterval = Duration.milliseconds(250)
        /// How many bytes of words that are shown may stay out of the store.
        public var flushBytes = 1024
        /// When a broken line is tried again.
        public var retry = RetryPolicy()
        /// How long a deletion is remembered, so that nothing late brings it back; not shorter than the server does.
        public var tombstoneRetention = Duration.seconds(90 * 86_400)
        /// How many conversations one page of the first listing holds.
        public var pageSize = 200

        /// The model of this device that answers where the server does not; nil where there is none.
        public var device: DeviceAnswering?
        /// What the person allows on this device, to begin with.
        public var mode = ExecutionMode.cloudAllowed

        /// Starts from the defaults.
        public init() {}
    }

    /// Counters of what is open now.
    ///
    /// All are zero once ``run()`` has returned and no front listens.
    public struct Diagnostics: Equatable, Sendable {
        /// Answers that are being followed, or made on this device.
        public var followed = 0
        /// Tasks that wait for a moment or a sign.
        public var waiting = 0
        /// Answers whose words are held in memory.
        public var live = 0
        /// Fronts that listen for updates.
        public var listeners = 0

        /// All zero.
        public init() {}
    }

    /// What sending made.
    public struct Sent: Equatable, Sendable {
        public let conversation: ConversationID
        public let turn: TurnID
        public let answer: AnswerID
    }
}
