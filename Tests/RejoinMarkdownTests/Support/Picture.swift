import RejoinMarkdown

/// What a stream shows, held the way a screen holds it: by what it was told, block for block.
struct Picture: Equatable {
    struct Shown: Equatable {
        var kind: BlockKind
        var parent: BlockID
        var content: String
    }

    var blocks: [BlockID: Shown] = [:]
    var settled: Set<BlockID> = []
    /// What was told that cannot be.
    var wrong: [String] = []

    /// What there is to show now, without regard to what has been told.
    init(of stream: MarkdownStream) {
        for id in 1..<max(1, stream.blockCount) { show(id, of: stream) }
    }

    init() {}

    private mutating func show(_ id: BlockID, of stream: MarkdownStream) {
        guard let block = stream.block(id), !block.isHidden else { return }
        blocks[id] = Shown(kind: block.kind, parent: block.parent, content: Self.content(of: id, block, in: stream))
    }

    /// Shows a block and all that stands inside it.
    private mutating func showAll(_ id: BlockID, of stream: MarkdownStream) {
        show(id, of: stream)
        var next = id + 1
        while let block = stream.block(next), block.parent >= id {
            show(next, of: stream)
            next += 1
        }
    }

    private mutating func drop(_ id: BlockID) {
        if settled.contains(id) { wrong.append("settled \(id) went away") }
        blocks[id] = nil
        for (child, shown) in blocks where shown.parent == id { drop(child) }
    }

    mutating func apply(_ change: MarkdownChange, of stream: MarkdownStream) {
        for id in change.removed {
            if blocks[id] == nil { wrong.append("\(id) was removed and not there") }
            drop(id)
        }
        for id in change.replaced {
            if blocks[id] == nil { wrong.append("\(id) was replaced and not there") }
            drop(id)
            showAll(id, of: stream)
        }
        for id in change.changed + change.extended.map(\.id) {
            guard let old = blocks[id] else {
                wrong.append("\(id) changed and is not there")
                continue
            }
            show(id, of: stream)
            guard isSettled(id), let new = blocks[id], new != old else { continue }
            if new.kind != old.kind || new.parent != old.parent { wrong.append("settled \(id) became another") }
            if !old.content.contains("[") { wrong.append("settled \(id) changed and names nothing: \(old.content)") }
        }
        for id in change.added {
            if blocks[id] != nil { wrong.append("\(id) was added twice") }
            if let parent = stream.block(id)?.parent, parent > 0, blocks[parent] == nil {
                wrong.append("\(id) was added to nothing")
            }
            showAll(id, of: stream)
        }
        for id in change.settled { settled.insert(id) }
    }

    private func isSettled(_ id: BlockID) -> Bool {
        var top = id
        while let parent = blocks[top]?.parent, parent > 0 { top = parent }
        return settled.contains(top)
    }

    private static func content(of id: BlockID, _ block: Block, in stream: MarkdownStream) -> String {
        switch block.kind {
        case .paragraph, .heading: return "\(block.level) " + describe(stream.inlines(of: id))
        case .row: return stream.cells(of: id).map(describe).joined(separator: "|")
        case .code, .html, .math:
            var bytes = stream.info(of: id)
            for number in 0..<stream.lineCount(of: id) {
                bytes.append(0x0A)
                stream.appendLine(number, of: id, to: &bytes)
            }
            return String(decoding: bytes, as: UTF8.self)
        case .list: return "\(block.isLoose) \(block.start ?? -1)"
        case .item: return "\(block.task)"
        case .table: return "\(stream.alignments(of: id))"
        case .alert: return "\(block.alert as Any)"
        case .footnote: return String(decoding: stream.info(of: id), as: UTF8.self)
        case .document, .quote, .rule: return ""
        }
    }

    private static func describe(_ text: InlineText) -> String {
        text.parts.map { part in
            switch part.kind {
            case .entity: return "&\(part.start),\(part.end)"
            case .openLink, .openImage:
                guard part.target >= 0 else { return "<\(part.kind)>" }
                let target = text.targets[part.target]
                return "<\(part.kind) \(String(decoding: target.destination, as: UTF8.self)) "
                    + "\(target.title.map { String(decoding: $0, as: UTF8.self) } ?? "-")>"
            case .text: return String(decoding: text.bytes[part.start..<max(part.start, part.end)], as: UTF8.self)
            default:
                return
                    "<\(part.kind) \(String(decoding: text.bytes[part.start..<max(part.start, part.end)], as: UTF8.self)) "
                    + "\(part.target < 0 ? 0 : part.target)>"
            }
        }.joined()
    }
}
