/// What is said aloud of an answer: its sentences as they become whole, and how it ended.
public enum Announcement: Equatable, Sendable {
    /// A sentence of the answer.
    case sentence(String)
    /// The answer is whole.
    case done
    /// A person stopped it; what came is kept.
    case stopped
    /// It broke off; what came is kept.
    case interrupted
    /// A limit, a policy or the model declined.
    case refused
    /// It failed.
    case failed
    /// Its text was taken back.
    case withdrawn

    /// The words in English, for a front without words of its own.
    public var words: String {
        switch self {
        case .sentence(let words): words
        case .done: "The answer is complete."
        case .stopped: "The answer was stopped."
        case .interrupted: "The answer was interrupted."
        case .refused: "The answer was refused."
        case .failed: "The answer failed."
        case .withdrawn: "The answer was taken back."
        }
    }

    /// Whether it should not wait for what is being said.
    public var isUrgent: Bool { if case .sentence = self { false } else { self != .done } }
}

/// Turns an answer that grows into announcements.
///
/// The work depends on what is new, not on the length of the answer, of which nothing is kept but the sentence that is
/// not yet whole.
public struct Announcer: Equatable, Sendable {
    /// How far the answer has been read: the part, and the byte in its text.
    private var part = 0
    private var offset = 0
    private var cutter = SentenceCutter()
    private var said: Announcement?

    /// Starts with what is there already, of which nothing is said.
    public init(after answer: Answer, isInterrupted: Bool = false) {
        _ = read(answer)
        said = ending(of: answer, isInterrupted)
        if said != nil { _ = cutter.finish() }
    }

    /// Takes the answer as it is now.
    ///
    /// - Parameter isInterrupted: whether this device lost it before its end, as far as is known.
    public mutating func update(_ answer: Answer, isInterrupted: Bool = false) -> [Announcement] {
        if answer.withdrawal != nil, said != .withdrawn {
            cutter = SentenceCutter()
            said = .withdrawn
            return [.withdrawn]
        }
        var announcements = read(answer).map(Announcement.sentence)
        let ending = ending(of: answer, isInterrupted)
        guard ending != said, said != .withdrawn else { return announcements }
        if let ending {
            // What is not whole is said all the same: nothing more may come.
            if let rest = cutter.finish() { announcements.append(.sentence(rest)) }
            announcements.append(ending)
        }
        said = ending
        return announcements
    }

    private func ending(of answer: Answer, _ isInterrupted: Bool) -> Announcement? {
        if answer.withdrawal != nil { return .withdrawn }
        guard let end = answer.state.end else { return isInterrupted ? .interrupted : nil }
        return switch end.state {
        case .done: .done
        case .stopped: .stopped
        case .interrupted: .interrupted
        case .refused: .refused
        case .failed: .failed
        }
    }

    private mutating func read(_ answer: Answer) -> [String] {
        var sentences: [String] = []
        while part < answer.parts.count {
            // A snapshot may be shorter than what was read; it then has nothing new to say.
            if case .text(let text) = answer.parts[part], let new = text.rest(after: offset), !new.isEmpty {
                sentences += cutter.append(new)
                offset = text.utf8Count
            }
            // The last part may grow.
            guard part + 1 < answer.parts.count else { break }
            if let rest = cutter.finish() { sentences.append(rest) }
            part += 1
            offset = 0
        }
        return sentences
    }
}
