internal import RejoinCore

// What makes two admissions the same, byte for byte: two spellings of one character are two prompts.

extension TurnRecord {
    /// Whether a turn that is asked for again is this one; the time does not count.
    package func isSame(as other: TurnRecord) -> Bool {
        id == other.id && conversation == other.conversation && parent == other.parent && options == other.options
            && model.utf8.elementsEqual(other.model.utf8) && ContentPart.areSame(content, other.content)
    }
}

extension AnswerRecord {
    /// Whether an answer that is asked for again is this one; the time does not count.
    package func isSame(as admission: AnswerAdmission) -> Bool {
        id == admission.answer && turn == admission.turn && options == admission.options
            && requestedModel.utf8.elementsEqual(admission.model.utf8)
    }
}

extension ContentPart {
    fileprivate static func areSame(_ left: [ContentPart], _ right: [ContentPart]) -> Bool {
        func encoded(_ parts: [ContentPart]) -> [UInt8] {
            var json = JSONWriter()
            json.content(parts)
            return json.bytes
        }
        return encoded(left) == encoded(right)
    }
}

extension ConversationRecord.TitleSource {
    /// Whether a title from this source gives way to one that no person chose.
    package func yields(to source: ConversationRecord.TitleSource) -> Bool {
        switch source {
        case .none, .person: false
        case .firstWords, .model: self != .person && rawValue <= source.rawValue
        }
    }
}

extension LogEntry {
    /// Whether the entry's numbers follow a log that ends with `seq`.
    package func follows(_ seq: Int) -> Bool { seq < .max && firstSeq == seq + 1 && lastSeq >= firstSeq }
}

extension AccountRecord {
    /// What a name is compared by: without regard to case.
    package static func key(ofName name: String) -> String { name.lowercased() }

    package var nameKey: String { Self.key(ofName: name) }
}

extension StoreFailure {
    /// An entry that does not follow its log.
    package static func outOfOrder(_ entry: LogEntry, after seq: Int) -> StoreFailure {
        StoreFailure(
            .outOfOrder, detail: "answer \(entry.answer): events \(entry.firstSeq) to \(entry.lastSeq) after \(seq)")
    }
}
