import RejoinCore

/// The lines of our own archive: `docs/export-format.md` describes them for everyone else.
enum ArchiveLine {
    /// The newest format that is read and the one that is written.
    static let version = 1

    case header(version: Int)
    case conversation(ConversationRecord)
    case turn(TurnRecord)
    case answer(AnswerRecord)
    case fact(Fact)
    case end(Counts)

    /// How much is in an archive.
    struct Counts: Equatable {
        var conversations = 0
        var turns = 0
        var answers = 0
        var facts = 0
    }

    /// Reads a line; nil if it is none of ours, or of a newer format.
    init?(_ object: JSONObject, account: AccountID) {
        guard let member = object.members.first, let value = member.value.object else { return nil }
        switch member.name {
        case "rejoinder_export":
            guard let version = value["version"]?.integer else { return nil }
            self = .header(version: version)
        case "conversation":
            guard let record = ConversationRecord(archived: value) else { return nil }
            self = .conversation(record)
        case "turn":
            guard let record = TurnRecord(archived: value) else { return nil }
            self = .turn(record)
        case "answer":
            guard let record = AnswerRecord(archived: value, account: account) else { return nil }
            self = .answer(record)
        case "fact":
            guard let fact = Fact(archived: value) else { return nil }
            self = .fact(fact)
        case "end":
            self = .end(
                Counts(
                    conversations: value["conversations"]?.integer ?? 0, turns: value["turns"]?.integer ?? 0,
                    answers: value["answers"]?.integer ?? 0, facts: value["facts"]?.integer ?? 0))
        default: return nil
        }
    }

    /// Whether an object is a line of ours, readable or not.
    static func isOurs(_ object: JSONObject) -> Bool {
        guard object.members.count == 1, let name = object.members.first?.name else { return false }
        return ["rejoinder_export", "conversation", "turn", "answer", "fact", "end"].contains(name)
    }

    /// Writes one line: a member with an object, and the end of the line.
    static func encode(_ name: String, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.name(name)
        json.beginObject()
        members(&json)
        json.endObject()
        json.endObject()
        return json.bytes + [0x0A]
    }
}

extension ConversationRecord {
    fileprivate init?(archived object: JSONObject) {
        guard let id = object["id"]?.string.flatMap({ ConversationID($0) }),
            let created = object["created_at"]?.string.flatMap({ Timestamp($0) }),
            let updated = object["updated_at"]?.string.flatMap({ Timestamp($0) })
        else { return nil }
        let title = object["title"]?.string
        let source: TitleSource =
            switch object["title_source"]?.string {
            case "first-words": .firstWords
            case "model": .model
            case "person": .person
            default: title == nil ? .none : .person
            }
        self.init(
            id: id, title: title, titleSource: source, createdAt: created, updatedAt: updated,
            isPinned: object["pinned"]?.bool ?? false, isArchived: object["archived"]?.bool ?? false,
            usesMemory: object["memory"]?.bool ?? true, selected: object["selected"]?.string.flatMap { AnswerID($0) })
    }

    /// The line of an archive.
    var archiveLine: [UInt8] {
        ArchiveLine.encode("conversation") { json in
            json.conversationMembers(self)
            let source: String? =
                switch titleSource {
                case .none: nil
                case .firstWords: "first-words"
                case .model: "model"
                case .person: "person"
                }
            json.member("title_source", source)
        }
    }
}

extension TurnRecord {
    fileprivate init?(archived object: JSONObject) {
        guard let id = object["id"]?.string.flatMap({ TurnID($0) }),
            let conversation = object["conversation"]?.string.flatMap({ ConversationID($0) }),
            let created = object["created_at"]?.string.flatMap({ Timestamp($0) }),
            let parts = object["content"]?.array, let content = ContentPart.parts(parts)
        else { return nil }
        self.init(
            id: id, conversation: conversation, parent: object["parent"]?.string.flatMap { AnswerID($0) },
            content: content, model: object["model"]?.string ?? "auto", options: Self.options(object),
            createdAt: created)
    }

    fileprivate static func options(_ object: JSONObject) -> [UInt8] {
        guard let options = object["options"], options.object != nil else { return Array("{}".utf8) }
        var json = JSONWriter()
        json.value(options)
        return json.bytes
    }

    /// The line of an archive.
    var archiveLine: [UInt8] {
        ArchiveLine.encode("turn") { json in
            json.turnMembers(self)
            json.name("options")
            json.json(options.isEmpty ? Array("{}".utf8) : options)
        }
    }
}

extension AnswerRecord {
    fileprivate init?(archived object: JSONObject, account: AccountID) {
        guard let id = object["id"]?.string.flatMap({ AnswerID($0) }),
            let turn = object["turn"]?.string.flatMap({ TurnID($0) }),
            let conversation = object["conversation"]?.string.flatMap({ ConversationID($0) }),
            let started = object["started_at"]?.string.flatMap({ Timestamp($0) }),
            let parts = object["content"]?.array, let content = ContentPart.parts(parts)
        else { return nil }
        // What was under way when it was exported did not go on: nobody has the rest.
        let state = object["state"]?.string.flatMap { EndState(rawValue: $0) } ?? .interrupted
        let end = Event.End(
            state, reason: object["reason"]?.string, resetsAt: object["resets_at"]?.string.flatMap { Timestamp($0) },
            retryAfter: object["retry_after"]?.integer)
        var model: Event.Model?
        if let name = object["model"]?.string {
            let placement = object["placement"]?.string.flatMap { Event.Placement(rawValue: $0) } ?? .server
            model = Event.Model(name, placement: placement, reason: object["model_reason"]?.string)
        }
        var usage: Event.Usage?
        if let object = object["usage"]?.object, let input = object["input_tokens"]?.integer,
            let output = object["output_tokens"]?.integer
        {
            usage = Event.Usage(
                inputTokens: input, outputTokens: output, isEstimated: object["estimated"]?.bool ?? true)
        }
        self.init(
            id: id, turn: turn, conversation: conversation, account: account,
            requestedModel: object["requested_model"]?.string ?? "auto", options: TurnRecord.options(object), end: end,
            seq: max(1, object["seq"]?.integer ?? 1), content: content, model: model, usage: usage,
            startedAt: started, endedAt: object["ended_at"]?.string.flatMap { Timestamp($0) } ?? started)
    }

    /// The line of an archive.
    var archiveLine: [UInt8] {
        ArchiveLine.encode("answer") { json in
            json.answerMembers(AnswerView(self))
            json.member("requested_model", requestedModel)
            json.member("model_reason", model?.reason)
            if let retryAfter = end?.retryAfter {
                json.name("retry_after")
                json.integer(retryAfter)
            }
            json.name("options")
            json.json(options.isEmpty ? Array("{}".utf8) : options)
        }
    }
}

extension Fact {
    fileprivate init?(archived object: JSONObject) {
        guard let id = object["id"]?.string.flatMap({ FactID($0) }),
            let text = object["text"]?.string.flatMap(FactText.cleaned),
            let created = object["created_at"]?.string.flatMap({ Timestamp($0) })
        else { return nil }
        var origin: Origin?
        if let conversation = object["conversation"]?.string.flatMap({ ConversationID($0) }),
            let turn = object["turn"]?.string.flatMap({ TurnID($0) })
        {
            origin = Origin(conversation: conversation, turn: turn)
        }
        self.init(
            id: id, text: text, source: object["source"]?.string.flatMap { Source(rawValue: $0) } ?? .person,
            isAccepted: object["state"]?.string == "accepted", origin: origin, createdAt: created,
            updatedAt: object["updated_at"]?.string.flatMap { Timestamp($0) } ?? created)
    }

    /// The line of an archive.
    var archiveLine: [UInt8] { ArchiveLine.encode("fact") { $0.factMembers(self) } }
}
