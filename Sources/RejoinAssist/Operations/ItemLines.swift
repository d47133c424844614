import RejoinCore

/// What the operations on lists share: how items are shown to a model, sent, and shown in review.
enum ItemLines {
    /// The longest title that a model or a server gets to see, in characters.
    static let longestTitle = 60

    static func short(_ title: String) -> String { Normalise.shortened(title, to: longestTitle) }

    /// A line for each item, numbered from 1: a small model repeats a number where it would garble an identifier.
    static func numbered(_ items: [ItemBrief]) -> String {
        items.enumerated().map { "\($0 + 1): \(short($1.title))" }.joined(separator: "\n")
    }

    /// One property for each item, by its number: a grammar made of it can name no other item, and none twice.
    static func schema(for items: [ItemBrief], _ value: DraftSchema) -> DraftSchema {
        .object(
            items.enumerated().map { DraftSchema.Property(String($0 + 1), value, meaning: short($1.title)) })
    }

    static func json(_ items: [ItemBrief]) -> JSONValue {
        .array(items.map { .object("id", .string($0.id), "title", .string(short($0.title))) })
    }

    static func changes(in output: Batch<String>, items: [ItemBrief], title: (String) -> String) -> [Change] {
        zip(items, output.entries).compactMap { item, entry in
            guard let group = entry.decision.value else { return nil }
            return Change(
                id: ChangeID(item.id), title: item.title, before: item.group.map(title) ?? "", after: title(group))
        }
    }

    /// The draft in which a person said where one item goes; whatever was said of it before no longer counts.
    static func draft(of output: Batch<String>, replacing change: ChangeID, with text: String) -> BatchDraft {
        var draft = BatchDraft()
        draft.pending = Set(output.pending)
        draft.pending.remove(change.name)
        draft.answers = output.entries.compactMap { entry in
            if entry.id == change.name { return (entry.id, .named(text)) }
            switch entry.decision {
            case .change(let group): return (entry.id, .named(group))
            case .keep(.nothingFits), .keep(.alreadySo): return (entry.id, .nothing)
            case .keep(.malformed): return (entry.id, .malformed)
            case .keep(.unknownGroup): return (entry.id, .unknownGroup)
            case .keep, .pending: return nil
            }
        }
        return draft
    }
}

extension JSONValue {
    /// An object of one member.
    static func object(_ name: String, _ value: JSONValue) -> JSONValue {
        .object(JSONObject([.init(name: name, value: value)]))
    }

    /// An object of two members, in this order.
    static func object(_ name: String, _ value: JSONValue, _ second: String, _ secondValue: JSONValue) -> JSONValue {
        .object(JSONObject([.init(name: name, value: value), .init(name: second, value: secondValue)]))
    }

    /// An object of three members, in this order.
    static func object(
        _ name: String, _ value: JSONValue, _ second: String, _ secondValue: JSONValue, _ third: String,
        _ thirdValue: JSONValue
    ) -> JSONValue {
        .object(
            JSONObject([
                .init(name: name, value: value), .init(name: second, value: secondValue),
                .init(name: third, value: thirdValue),
            ]))
    }
}
