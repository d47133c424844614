import RejoinClient
import RejoinCore

/// What a person sees on one device: the list, one conversation, and how the device stands with the server.
///
/// Probes judge by this alone. It is made of what the client gives to any front to show.
struct Screen: Equatable, Sendable {
    /// A line of the list.
    struct Line: Equatable, Sendable {
        let id: ConversationID
        let title: String
    }

    /// A prompt and the version of its answer that is shown.
    struct Entry: Equatable, Sendable {
        var prompt: String
        /// What stands beside the prompt while the server does not have it.
        var delivery: String?
        var answer = ""
        var state = State.none
        /// Whether no more words are to come unless the person asks for them.
        var isOver = false
        /// What stands beside the state: why it ended so, and from when on it may go better.
        var remark: String?
        /// Which version is shown, from 1, and how many there are to switch between.
        var version = 0
        var versions = 0
    }

    /// How an answer stands, in the words that a front shows.
    enum State: String, Sendable {
        case none = ""
        case sending, waiting, writing, done, stopped, interrupted, refused, failed, withdrawn
    }

    var connection = ""
    var list: [Line] = []
    var entries: [Entry] = []

    /// The words of the answer at the end of the path.
    var text: String { entries.last?.answer ?? "" }
    /// How that answer stands.
    var state: State { entries.last?.state ?? .none }
    /// Whether no more of it is to come unless the person asks for it.
    var isOver: Bool { entries.last?.isOver ?? false }

    /// Whether the list has a conversation.
    func lists(_ conversation: ConversationID) -> Bool { list.contains { $0.id == conversation } }

    /// The end of the conversation as a person reads it, short enough for a worksheet.
    var excerpt: String {
        guard let entry = entries.last else { return "[\(connection)] an empty page" }
        let start = entry.answer.prefix(32)
        let middle = entry.answer.count > 64 ? " … " + entry.answer.suffix(24) : entry.answer.dropFirst(32)
        var words = "[\(connection)] \"\(start)\(middle)\" (\(entry.answer.count) characters"
        if entry.state != .none { words += ", \(entry.state.rawValue)" }
        if let remark = entry.remark { words += ": \(remark)" }
        if entry.versions > 1 { words += ", version \(entry.version) of \(entry.versions)" }
        return words + ")"
    }
}

extension Screen.Entry {
    /// Reads one step of a path as a front shows it.
    init(_ step: ConversationTree.Step, in tree: StoredTree) {
        let turn = tree.turn(step.turn)
        prompt = turn.map { ContentPart.text(of: $0.content) } ?? ""
        delivery = turn.flatMap { Self.words($0.delivery) }
        if case .refused(let refusal)? = turn?.delivery {
            state = .refused
            isOver = true
            remark = refusal.resetsAt.map { "again from \($0)" }
            return
        }
        guard let id = step.answer, let stored = tree.answers[id] else { return }
        answer = stored.answer.text
        (state, remark) = Self.state(stored)
        isOver = stored.answer.state.end != nil || state == .stopped || state == .withdrawn
        let answers = tree.tree[step.turn]?.answers ?? []
        versions = answers.count
        version = (answers.firstIndex(of: id) ?? 0) + 1
    }

    private static func words(_ delivery: Delivery) -> String? {
        switch delivery {
        case .delivered: nil
        case .sending: "sending"
        case .waiting: "waiting for a connection"
        case .refused(let refusal): "refused: \(refusal)"
        case .expired: "not sent"
        case .onDevice: "answered on this device"
        }
    }

    private static func state(_ stored: StoredAnswer) -> (Screen.State, String?) {
        if case .withdrawn(let reason) = stored.local { return (.withdrawn, reason) }
        if let end = stored.answer.state.end {
            var remarks: [String] = []
            if let reason = end.reason { remarks.append(reason) }
            if let moment = end.resetsAt { remarks.append("again from \(moment)") }
            return (
                Screen.State(rawValue: end.state.rawValue) ?? .failed,
                remarks.isEmpty ? nil : remarks.joined(separator: ", ")
            )
        }
        switch stored.local {
        case .stopRequested: return (.stopped, nil)
        case .interrupted: return (.interrupted, nil)
        case .waiting: return (.waiting, nil)
        case .sending: return (stored.answer.text.isEmpty ? .sending : .writing, nil)
        case .none, .streaming, .withdrawn: return (.writing, nil)
        }
    }
}

extension ConnectionState {
    /// The words of the status line.
    var words: String {
        switch self {
        case .online: "online"
        case .offline: "offline"
        case .reconnecting: "reconnecting"
        case .signedOut: "signed out"
        }
    }
}
