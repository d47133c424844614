#if !hasFeature(Embedded)
/// How wide the columns of a table are.
struct TableColumns: Sendable {
    var table: BlockID
    var room: Int
    /// Nil where the cells cannot stand beside each other.
    var widths: [Int]?
}

extension TerminalPicture {
    /// The lines of a row: cells beside each other if they fit, folded if need be, or else one below the other.
    mutating func rowLines(_ id: BlockID, _ row: Block, room: Int, in stream: MarkdownStream) -> [ArraySlice<Glyph>] {
        let table = row.parent
        let cells = glyphs(ofRow: id, in: stream)
        if columns?.table != table || columns?.room != room {
            columns = TableColumns(table: table, room: room, widths: columnWidths(of: table, room: room, in: stream))
        }
        guard let widths = columns?.widths else {
            return stackedLines(id, cells, table: table, room: room, in: stream)
        }
        let alignments = stream.alignments(of: table)
        let folded = zip(cells, widths).map { text.lines(of: $0, width: max($1, 1)) }
        var lines: [ArraySlice<Glyph>] = []
        for number in 0..<(folded.map(\.count).max() ?? 0) {
            var line: [Glyph] = []
            for (column, parts) in folded.enumerated() {
                if column > 0 { line += mark(" │ ") }
                let part = number < parts.count ? parts[number] : []
                let left = max(0, widths[column] - part.reduce(0) { $0 + $1.columns })
                let before: Int
                switch alignments[column] {
                case .left: before = 0
                case .centre: before = left / 2
                case .right: before = left
                case .none: before = part.first?.look.isRightToLeft == true ? left : 0
                }
                line += blanks(before) + part
                if column + 1 < folded.count { line += blanks(left - before) }
            }
            lines.append(line[...])
        }
        if id == table + 1 {
            var line: [Glyph] = []
            for (column, width) in widths.enumerated() {
                if column > 0 { line += mark("─┼─") }
                line += mark(String(repeating: "─", count: width))
            }
            lines.append(line[...])
        }
        return lines
    }

    private func blanks(_ count: Int) -> [Glyph] {
        [Glyph](repeating: Glyph(character: " ", columns: 1, look: Glyph.Look()), count: count)
    }

    private func mark(_ text: String) -> [Glyph] {
        text.map { Glyph(character: $0, columns: 1, look: Glyph.Look(style: .mark)) }
    }

    private func glyphs(ofRow id: BlockID, in stream: MarkdownStream) -> [[Glyph]] {
        let style: MarkdownStyle = id == (stream.block(id)?.parent ?? 0) + 1 ? .strong : []
        return stream.cells(of: id).enumerated().map { column, cell in
            let isRightToLeft = TextDirection.isRightToLeft(cell) ?? false
            var glyphs = text.glyphs(of: cell, style, showsAddresses: false) { stream.info(of: $0) }
            for index in glyphs.indices {
                glyphs[index].look.cell = column + 1
                glyphs[index].look.isRightToLeft = isRightToLeft
            }
            return glyphs
        }
    }

    /// The width of each column, by the first rows; nil where cells cannot stand beside each other.
    private func columnWidths(of table: BlockID, room: Int, in stream: MarkdownStream) -> [Int]? {
        var natural: [Int] = []
        var id = table + 1
        while let row = stream.block(id), row.parent == table, id - table <= Self.judgedRows {
            for (column, cell) in glyphs(ofRow: id, in: stream).enumerated() {
                let width = cell.reduce(0) { $0 + $1.columns }
                if column == natural.count { natural.append(0) }
                natural[column] = max(natural[column], width, 1)
            }
            id += 1
        }
        let available = room - 3 * (natural.count - 1)
        if natural.reduce(0, +) <= available { return natural }
        guard available >= natural.count * 6 else { return nil }
        var (low, high) = (6, available)
        while low < high {
            let middle = (low + high + 1) / 2
            if natural.reduce(0, { $0 + min($1, middle) }) <= available { low = middle } else { high = middle - 1 }
        }
        return natural.map { min($0, low) }
    }

    /// Each cell on lines of its own, behind the heading of its column.
    private func stackedLines(
        _ id: BlockID, _ cells: [[Glyph]], table: BlockID, room: Int, in stream: MarkdownStream
    ) -> [ArraySlice<Glyph>] {
        guard id > table + 1 else { return [mark(String(repeating: "─", count: room))[...]] }
        var lines: [ArraySlice<Glyph>] = []
        for (heading, cell) in zip(glyphs(ofRow: table + 1, in: stream), cells) {
            lines += text.lines(of: heading + mark(": ") + cell, width: room)
        }
        lines.append(mark(String(repeating: "─", count: room))[...])
        return lines
    }
}
#endif
