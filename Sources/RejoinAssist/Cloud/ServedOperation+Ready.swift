public import RejoinCore

// The ready operations at the server: for each the fields that a request may have, and the way back to its input.
//
// Lengths are in scalars, of which a character may have several: a family of four has seven.

extension Rewrite: ServedOperation {
    public static var requestShape: DraftSchema {
        .object([.init("text", .string(upTo: 8000)), .init("tone", .choice(RewriteTone.allCases.map(\.rawValue)))])
    }

    public static func input(from request: JSONValue) -> Input? {
        guard let text = request.object?["text"]?.string,
            let tone = request.object?["tone"]?.string.flatMap(RewriteTone.init(rawValue:))
        else { return nil }
        return Input(text: text, tone: tone)
    }
}

extension Classify: ServedOperation {
    public static var requestShape: DraftSchema {
        let group = DraftSchema.object([
            .init("id", ServedShape.id), .init("title", ServedShape.title),
            .init("examples", .array(of: ServedShape.title, 0...3)),
        ])
        return .object([.init("items", ServedShape.items), .init("groups", .array(of: group, 1...100))])
    }

    public static func input(from request: JSONValue) -> Input? {
        let groups = request.object?["groups"]?.array?.compactMap { value -> GroupBrief? in
            guard let group = value.object, let id = group["id"]?.string, let title = group["title"]?.string else {
                return nil
            }
            return GroupBrief(
                id: id, title: title, examples: group["examples"]?.array?.compactMap(\.string) ?? [])
        }
        guard let items = ServedShape.items(in: request), let groups else { return nil }
        return Input(items: items, groups: groups)
    }
}

extension Group: ServedOperation {
    public static var requestShape: DraftSchema { .object([.init("items", ServedShape.items)]) }

    public static func input(from request: JSONValue) -> Input? {
        ServedShape.items(in: request).map(Input.init(items:))
    }
}

extension Complete: ServedOperation {
    public static var requestShape: DraftSchema {
        .object([.init("text", ServedShape.title), .init("categories", .array(of: ServedShape.id, 1...20))])
    }

    public static func input(from request: JSONValue) -> Input? {
        guard let text = request.object?["text"]?.string,
            let categories = request.object?["categories"]?.array?.compactMap(\.string)
        else { return nil }
        // What was chosen for what stays on the device; the latest comes first in a request, and last in a history.
        return Input(text: text, history: categories.reversed().map { PastChoice("", $0) })
    }
}

extension Extract: ServedOperation {
    public static var requestShape: DraftSchema {
        .object([.init("text", .string(upTo: 20_000)), .init("schema", .choice([S.id.name]))])
    }

    public static func input(from request: JSONValue) -> Input? {
        request.object?["text"]?.string.map { Input(text: $0) }
    }
}

extension Interpret: ServedOperation {
    public static var requestShape: DraftSchema {
        .object([
            .init("picture", .object([.init("id", ServedShape.id), .init("mediaType", .string(upTo: 100))])),
            .init("question", .string(upTo: 2000)),
        ])
    }

    public static func input(from request: JSONValue) -> Input? {
        guard let picture = request.object?["picture"]?.object, let id = picture["id"]?.string,
            let mediaType = picture["mediaType"]?.string, let question = request.object?["question"]?.string
        else { return nil }
        return Input(picture: PictureReference(id: id, mediaType: mediaType), question: question)
    }
}

/// What the requests about lists share.
private enum ServedShape {
    static let id = DraftSchema.string(upTo: 200)
    static let title = DraftSchema.string(upTo: ItemLines.longestTitle * 10)
    /// A few chunks' worth: a client that cuts lists otherwise may send more at once.
    static let items = DraftSchema.array(
        of: .object([.init("id", id), .init("title", title)]), 1...(Chunks.usualCount * 4))

    static func items(in request: JSONValue) -> [ItemBrief]? {
        request.object?["items"]?.array?.compactMap { value in
            guard let id = value.object?["id"]?.string, let title = value.object?["title"]?.string else { return nil }
            return ItemBrief(id: id, title: title)
        }
    }
}
