/// A change of a page that shows a text: by the numbers of blocks, applied in order.
public enum HTMLPatch: Equatable, Sendable {
    /// Takes the element of a block away.
    case remove(BlockID)
    /// Puts an element in the place of a block's own.
    case replace(BlockID, html: [UInt8])
    /// Keeps the first lines inside a block, and puts others in the place of the rest.
    case lines(BlockID, kept: Int, html: [UInt8])
    /// Gives a list its look: with room between its items or without.
    case loosen(BlockID, isLoose: Bool)
    /// Puts an element at the end of what stands inside a block; 0 is the page.
    case append(to: BlockID, html: [UInt8])
}

extension HTMLWriter {
    /// What a page has to do about a change.
    public mutating func patches(for change: MarkdownChange, in stream: MarkdownStream) -> [HTMLPatch] {
        var patches: [HTMLPatch] = []
        for id in change.removed { patches.append(.remove(id)) }
        for id in change.replaced { patches.append(.replace(id, html: html(of: id, in: stream))) }
        for id in change.changed {
            guard let block = stream.block(id) else { continue }
            if block.kind == .list {
                patches.append(.loosen(id, isLoose: block.isLoose))
            } else {
                patches.append(.replace(id, html: html(of: id, in: stream)))
            }
        }
        for lines in change.extended {
            begin(stream)
            writeLines(of: lines.id, from: lines.kept, in: stream)
            patches.append(.lines(lines.id, kept: lines.kept, html: end()))
        }
        for id in change.added {
            guard let block = stream.block(id) else { continue }
            patches.append(.append(to: block.parent, html: html(of: id, in: stream)))
        }
        return patches
    }
}
