/// A table of text with named columns, as spreadsheets write it: RFC 4180, with a first row of names.
///
/// What is read is written back in the same form: the separator and the ends of lines stay, and a field is quoted only
/// where it has to be, or was.
package struct CSVTable: Equatable, Sendable {
    /// Why a text is no table, with the line on which that shows, from 1.
    package enum Fault: Error, Equatable, CustomStringConvertible {
        case empty
        case openQuote(line: Int)
        case textAfterQuote(line: Int)
        case fieldCount(line: Int, is: Int, expected: Int)

        package var description: String {
            switch self {
            case .empty: "there is no first row with the names of the columns"
            case .openQuote(let line): "line \(line): a quoted field does not end"
            case .textAfterQuote(let line): "line \(line): something stands between a closing quote and the next field"
            case .fieldCount(let line, let count, let expected):
                "line \(line): \(count) fields where the first row names \(expected)"
            }
        }
    }

    /// The names of the columns.
    package var columns: [String]
    /// The fields of each row, as many as there are columns.
    package var rows: [[String]]
    private var separator: UInt8
    private var lineEnd: String

    /// Reads a table; empty lines count for nothing.
    ///
    /// The separator is the comma, or the semicolon or the tab if the first row has that and no comma.
    package init(_ text: String) throws(Fault) {
        var bytes = Array(text.utf8)[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        let first = bytes.prefix { $0 != 0x0A }
        lineEnd = first.last == 0x0D ? "\r\n" : "\n"
        separator = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].first(where: first.contains) ?? UInt8(ascii: ",")
        var reader = Reader(bytes: bytes, separator: separator)
        guard let (names, _) = try reader.row() else { throw .empty }
        columns = names
        rows = []
        while let (fields, line) = try reader.row() {
            guard fields.count == names.count else {
                throw .fieldCount(line: line, is: fields.count, expected: names.count)
            }
            rows.append(fields)
        }
    }

    /// The number of a column, its name in any case.
    package func column(_ name: String) -> Int? {
        columns.firstIndex { $0.lowercased() == name.lowercased() }
    }

    /// Puts a value into a row's column, which is added at the end where there is none of the name.
    package mutating func set(_ name: String, of row: Int, to value: String) {
        let index = column(name) ?? addColumn(name)
        rows[row][index] = value
    }

    private mutating func addColumn(_ name: String) -> Int {
        columns.append(name)
        for row in rows.indices { rows[row].append("") }
        return columns.count - 1
    }

    /// The table as text.
    package var text: String {
        var text = ""
        for row in [columns] + rows {
            text += row.map(quoted).joined(separator: String(UnicodeScalar(separator))) + lineEnd
        }
        return text
    }

    private func quoted(_ field: String) -> String {
        let needsQuotes = field.utf8.contains { $0 == separator || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
        guard needsQuotes else { return field }
        var text = "\""
        for character in field.unicodeScalars {
            if character == "\"" { text.unicodeScalars.append("\"") }
            text.unicodeScalars.append(character)
        }
        return text + "\""
    }

    /// Reads rows from bytes.
    private struct Reader {
        var bytes: ArraySlice<UInt8>
        let separator: UInt8
        var line = 1

        /// The next row that is not empty, and the line on which it begins.
        mutating func row() throws(Fault) -> ([String], Int)? {
            while let byte = bytes.first, byte == 0x0A || byte == 0x0D { skip() }
            guard !bytes.isEmpty else { return nil }
            let start = line
            var fields = [try field()]
            while bytes.first == separator {
                bytes.removeFirst()
                fields.append(try field())
            }
            if bytes.first == 0x0D { bytes.removeFirst() }
            if bytes.first == 0x0A { skip() }
            return (fields, start)
        }

        private mutating func skip() {
            if bytes.removeFirst() == 0x0A { line += 1 }
        }

        private mutating func field() throws(Fault) -> String {
            guard bytes.first == 0x22 else {
                let end = bytes.firstIndex { $0 == separator || $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
                defer { bytes = bytes[end...] }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            let start = line
            bytes.removeFirst()
            var field: [UInt8] = []
            while let byte = bytes.popFirst() {
                if byte == 0x0A { line += 1 }
                guard byte == 0x22 else {
                    field.append(byte)
                    continue
                }
                guard bytes.first == 0x22 else {
                    guard bytes.first.map({ $0 == separator || $0 == 0x0A || $0 == 0x0D }) ?? true else {
                        throw .textAfterQuote(line: line)
                    }
                    return String(decoding: field, as: UTF8.self)
                }
                field.append(bytes.removeFirst())
            }
            throw .openQuote(line: start)
        }
    }
}
