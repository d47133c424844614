extension BlockParser {
    /// Makes a table of the last line of a paragraph and the line at hand, if that is one of hyphens below a heading.
    mutating func openTable(_ paragraph: BlockID) -> Bool {
        guard let columns = TableScanner.columns(source, from: cursor.text, to: cursor.end) else { return false }
        let last = Int(blocks[paragraph].endLine) - 1
        guard last >= Int(blocks[paragraph].firstLine), blocks[paragraph].isOpen, !blocks[paragraph].refusesTable else {
            return false
        }
        let heading = lines[last]
        guard TableScanner.cellCount(source, from: Int(heading.start), to: Int(heading.end)) == columns else {
            blocks[paragraph].refusesTable = true
            return false
        }
        makeTable(of: paragraph, columns: columns, rule: cursor.rest())
        return true
    }

    /// Turns the last line of an open paragraph into a table's heading; what came before stays a paragraph.
    mutating func makeTable(of paragraph: BlockID, columns: Int, rule: TextLine) {
        let last = Int(blocks[paragraph].endLine) - 1
        var table = paragraph
        if last > Int(blocks[paragraph].firstLine) {
            blocks[paragraph].endLine -= 1
            closeTip()
            table = add(.table)
        } else {
            blocks[paragraph].kind = .table
            touch(paragraph)
        }
        blocks[table].detail = Int32(truncatingIfNeeded: columns)
        (blocks[table].infoStart, blocks[table].infoEnd) = (rule.start, rule.end)
        blocks[table].firstLine = Int32(truncatingIfNeeded: last)
        blocks[table].endLine = blocks[table].firstLine
        let row = add(.row)
        blocks[row].firstLine = Int32(truncatingIfNeeded: last)
        blocks[row].endLine = Int32(truncatingIfNeeded: last + 1)
        closeTip()
    }

    mutating func addRow() {
        cursor.findText(in: source)
        cursor.advanceToText()
        append(cursor.rest(), to: add(.row))
        closeTip()
    }
}

/// Reads the rows of tables.
enum TableScanner {
    /// How many columns a line of hyphens, colons and bars makes; nil where it is no such line.
    static func columns(_ bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        var count = 0
        var position = skipBlanks(bytes, from: start, to: end)
        if position < end, bytes[position] == Byte.pipe { position += 1 }
        while true {
            position = skipBlanks(bytes, from: position, to: end)
            if position == end { return count > 0 ? count : nil }
            if bytes[position] == Byte.colon { position += 1 }
            let hyphens = position
            while position < end, bytes[position] == Byte.hyphen { position += 1 }
            guard position > hyphens else { return nil }
            if position < end, bytes[position] == Byte.colon { position += 1 }
            count += 1
            position = skipBlanks(bytes, from: position, to: end)
            if position == end { return count }
            guard bytes[position] == Byte.pipe else { return nil }
            position += 1
        }
    }

    /// Where the cells of each column stand, by the line below the heading.
    static func alignments(_ bytes: [UInt8], from start: Int, to end: Int) -> [ColumnAlignment] {
        var found: [ColumnAlignment] = []
        found.reserveCapacity(8)
        var cells = Cells(bytes, from: start, to: end)
        while let cell = cells.next() {
            guard cell.start < cell.end else {
                found.append(.none)
                continue
            }
            switch (bytes[cell.start] == Byte.colon, bytes[cell.end - 1] == Byte.colon) {
            case (true, true): found.append(.centre)
            case (true, false): found.append(.left)
            case (false, true): found.append(.right)
            case (false, false): found.append(.none)
            }
        }
        return found
    }

    /// How many cells a row has.
    static func cellCount(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
        var count = 0
        var cells = Cells(bytes, from: start, to: end)
        while cells.next() != nil { count += 1 }
        return count
    }

    /// Finds the cells of a row one after the other.
    struct Cells {
        private let bytes: [UInt8]
        private var position: Int
        private var last: Int

        init(_ bytes: [UInt8], from start: Int, to end: Int) {
            self.bytes = bytes
            position = skipBlanks(bytes, from: start, to: end)
            last = end
            while last > position, bytes[last - 1].isBlank { last -= 1 }
            if position < last, bytes[position] == Byte.pipe { position += 1 }
        }

        mutating func next() -> (start: Int, end: Int, hasEscapedBar: Bool)? {
            guard position < last else { return nil }
            let first = skipBlanks(bytes, from: position, to: last)
            var (place, hasEscapedBar) = (first, false)
            while place < last, bytes[place] != Byte.pipe {
                if bytes[place] == Byte.backslash, place + 1 < last {
                    hasEscapedBar = hasEscapedBar || bytes[place + 1] == Byte.pipe
                    place += 2
                } else {
                    place += 1
                }
            }
            var stop = min(place, last)
            while stop > first, bytes[stop - 1].isBlank { stop -= 1 }
            position = place + 1
            return (first, stop, hasEscapedBar)
        }
    }

    /// Whether a row ends with a bar.
    static func isClosed(_ bytes: [UInt8], to end: Int) -> Bool {
        var last = end
        while last > 0, bytes[last - 1].isBlank { last -= 1 }
        return last > 0 && bytes[last - 1] == Byte.pipe
    }

    private static func skipBlanks(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
        var position = start
        while position < end, bytes[position].isBlank { position += 1 }
        return position
    }
}
