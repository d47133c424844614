public import RejoinCore

/// What an answer is doing, as a person is to be told: always exactly one of these.
public enum AnswerPhase: Equatable, Sendable {
    /// Its prompt waits for a connection, on this device.
    case waiting(expires: Timestamp?)
    /// Its prompt is on the way.
    case sending
    /// The server has its prompt; others are before it.
    case queued(position: Int?)
    /// It is being worked on, and there are no words yet.
    case working(Event.Status)
    /// Words are coming, from a model at that place; nil where it is not known.
    case answering(Event.Placement?)
    /// This device lost it; what came is kept, and the rest comes once the server can be asked.
    case interrupted
    /// A person stopped it, and the server is yet to say so; nothing is added.
    case stopping
    case ended(Event.End)
    /// Its text was taken back.
    case withdrawn(reason: String)
    /// Its prompt was refused; the words are in the draft.
    case refused(ClientRefusal)
    /// Its prompt waited too long for a connection.
    case expired

    /// Works out the phase.
    ///
    /// - Parameter delivery: how far the prompt is.
    public init(_ stored: StoredAnswer, delivery: Delivery) {
        let answer = stored.answer
        switch delivery {
        case .refused(let refusal): self = .refused(refusal)
        case .expired: self = .expired
        case .waiting(_, let expires): self = .waiting(expires: expires)
        case .sending, .delivered, .onDevice: self = Self.phase(of: answer, stored.local)
        }
    }

    private static func phase(of answer: Answer, _ local: LocalState) -> AnswerPhase {
        if let reason = answer.withdrawal { return .withdrawn(reason: reason) }
        if let end = answer.state.end { return .ended(end) }
        switch local {
        case .withdrawn(let reason): return .withdrawn(reason: reason)
        case .stopRequested: return .stopping
        case .interrupted: return .interrupted
        case .waiting: return .waiting(expires: nil)
        // The note is older than the words.
        case .sending where answer.seq == 0: return .sending
        case .sending, .streaming, .none: break
        }
        if !answer.isBlank { return .answering(answer.model?.placement) }
        if let status = answer.status, status.phase == .queued { return .queued(position: status.position) }
        return .working(answer.status ?? Event.Status(.starting))
    }

    /// Whether the answer is under way, so that stop takes the place of send.
    public var isRunning: Bool {
        switch self {
        case .waiting, .sending, .queued, .working, .answering: true
        case .interrupted, .stopping, .ended, .withdrawn, .refused, .expired: false
        }
    }

    /// Whether more words may come, so that the last character may not be whole.
    var mayGrow: Bool { if case .answering = self { true } else { false } }
}

/// Something that a person can do with an answer or its prompt.
public enum AnswerControl: Hashable, Sendable {
    case stop
    /// Take back a prompt that has not left this device.
    case cancel
    /// Ask for another answer.
    case regenerate
    /// Try the turn again, under its own id if the server never got it.
    case retry
    case copy
    /// Write the prompt anew.
    case edit
}

extension AnswerPhase {
    /// What a person can do now, in the order in which it is shown.
    ///
    /// - Parameter hasText: whether there is anything to copy.
    public func controls(hasText: Bool) -> [AnswerControl] {
        let copy: [AnswerControl] = hasText ? [.copy] : []
        switch self {
        case .waiting: return [.cancel]
        case .sending, .queued, .working, .answering: return [.stop]
        case .stopping: return [.regenerate] + copy + [.edit]
        case .interrupted, .refused, .expired: return [.retry] + copy + [.edit]
        case .withdrawn: return [.regenerate, .edit]
        case .ended(let end):
            switch end.state {
            case .done, .stopped: return [.regenerate] + copy + [.edit]
            case .interrupted, .refused, .failed: return [.retry] + copy + [.edit]
            }
        }
    }
}
