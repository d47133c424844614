/// What one entry of an answer's log says.
///
/// Entries are numbered 1, 2, 3 … and never change once numbered.
public enum Event: Equatable, Sendable {
    /// What happens before or between words.
    case status(Status)
    /// The next piece of the answer; always whole characters.
    case text(String)
    /// The model's reasoning, where it is shown.
    case reasoning(String)
    /// Something that the answer rests on.
    case source(Source)
    /// A file or picture inside the answer.
    case attachment(Attachment)
    /// A tool at work.
    case tool(Tool)
    /// Who answers; again when that changes.
    case model(Model)
    /// The context was cut, visibly.
    case compaction(droppedTurns: Int, summary: String?)
    /// A safety check took the text back: the one way that shown text goes.
    case withdrawn(reason: String)
    /// What the answer cost; settled once.
    case usage(Usage)
    /// Stands for all events up to a number: for an old cursor on a compacted log.
    case snapshot(Snapshot)
    /// Always last.
    case end(End)
    /// A type that this version does not know. It keeps its number and is otherwise skipped.
    case unknown(type: String)

    /// A phase before or between words.
    public struct Status: Equatable, Sendable {
        /// The phases of the protocol.
        public enum Phase: String, CaseIterable, Sendable {
            case queued, starting, thinking, searching, reading, writing
        }

        public var phase: Phase
        /// The place in the queue, from 1, while `queued`.
        public var position: Int?
        public var detail: String?

        /// Names a phase.
        public init(_ phase: Phase, position: Int? = nil, detail: String? = nil) {
            self.phase = phase
            self.position = position
            self.detail = detail
        }
    }

    /// A source that the answer rests on: an address, or an upload of the same account.
    public struct Source: Equatable, Sendable {
        public var title: String
        public var url: String?
        public var upload: UploadID?

        /// Names a source.
        public init(title: String, url: String?, upload: UploadID?) {
            self.title = title
            self.url = url
            self.upload = upload
        }
    }

    /// A file by reference.
    public struct Attachment: Equatable, Sendable {
        public var upload: UploadID
        public var mediaType: String
        public var name: String

        /// Names a file.
        public init(upload: UploadID, mediaType: String, name: String) {
            self.upload = upload
            self.mediaType = mediaType
            self.name = name
        }
    }

    /// A tool call and how far it is.
    public struct Tool: Equatable, Sendable {
        /// The phases of a call.
        public enum Phase: String, CaseIterable, Sendable { case started, progress, finished, failed }

        public var call: String
        public var name: String
        public var phase: Phase
        public var detail: String?

        /// Names a call and its phase.
        public init(call: String, name: String, phase: Phase, detail: String?) {
            self.call = call
            self.name = name
            self.phase = phase
            self.detail = detail
        }
    }

    /// The model that answers and where it runs.
    public struct Model: Equatable, Sendable {
        public var model: String
        public var placement: Placement
        public var reason: String?

        /// Names a model at a place.
        public init(_ model: String, placement: Placement, reason: String? = nil) {
            self.model = model
            self.placement = placement
            self.reason = reason
        }
    }

    /// Where a model runs, seen from the person.
    public enum Placement: String, CaseIterable, Sendable { case device, server, provider }

    /// Tokens in and out.
    public struct Usage: Equatable, Sendable {
        public var inputTokens: Int
        public var outputTokens: Int
        /// True when the model did not report and the figures are our count.
        public var isEstimated: Bool

        /// Notes a cost.
        public init(inputTokens: Int, outputTokens: Int, isEstimated: Bool) {
            self.inputTokens = inputTokens
            self.outputTokens = outputTokens
            self.isEstimated = isEstimated
        }
    }

    /// The answer's content up to a number.
    public struct Snapshot: Equatable, Sendable {
        public var seq: Int
        public var content: [ContentPart]
        /// Why text was taken back, if it was; the content is what came after that.
        public var withdrawal: String?

        /// Stands for the events up to `seq`.
        public init(seq: Int, content: [ContentPart], withdrawal: String? = nil) {
            self.seq = seq
            self.content = content
            self.withdrawal = withdrawal
        }
    }

    /// The end state and what explains it.
    public struct End: Equatable, Sendable {
        public var state: EndState
        /// A value of ``EndReason``, or a newer server's that this version does not know.
        public var reason: String?
        /// When a limit lifts.
        public var resetsAt: Timestamp?
        /// Seconds after which another try makes sense.
        public var retryAfter: Int?

        /// Ends an answer.
        public init(_ state: EndState, reason: String?, resetsAt: Timestamp? = nil, retryAfter: Int? = nil) {
            self.state = state
            self.reason = reason
            self.resetsAt = resetsAt
            self.retryAfter = retryAfter
        }

        /// Ends an answer for a reason of our own vocabulary.
        public init(_ state: EndState, _ reason: EndReason, resetsAt: Timestamp? = nil, retryAfter: Int? = nil) {
            self.init(state, reason: reason.rawValue, resetsAt: resetsAt, retryAfter: retryAfter)
        }
    }
}

/// A part of a prompt or of an answer, in order.
public enum ContentPart: Equatable, Sendable {
    case text(String)
    case attachment(Event.Attachment)
}

/// An event with its place in the answer's log.
public struct NumberedEvent: Equatable, Sendable {
    /// From 1, without holes.
    public var seq: Int
    public var event: Event

    /// Gives an event its number.
    public init(seq: Int, event: Event) {
        self.seq = seq
        self.event = event
    }
}
