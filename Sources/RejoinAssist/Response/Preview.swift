/// What may be shown of an output that still grows: one text property of its object, or plain text, and nothing else.
///
/// It reads each byte once and never decodes the object: text inside the display field is all that it looks for. An
/// operation without a display field shows nothing before the end. What it shows was checked by nobody.
public struct Preview: Sendable {
    private enum Source: Sendable {
        case plain
        case nothing
        case field(FieldScanner)
    }

    private var source: Source
    private var bytes: [UInt8] = []
    private var valid = ""

    /// Starts before the first piece of a task's output.
    public init(of task: ModelTask) {
        switch (task.schema, task.displayField) {
        case (nil, _): source = .plain
        case (_, nil): source = .nothing
        case (_, let field?): source = .field(FieldScanner(field: field))
        }
    }

    /// Takes the next piece, in whatever place it was cut.
    ///
    /// - Returns: whether there is more to show than before.
    @discardableResult
    public mutating func append(_ piece: some Sequence<UInt8>) -> Bool {
        switch source {
        case .nothing: return false
        case .plain: bytes.append(contentsOf: piece)
        case .field(var scanner):
            // Taking it out first keeps its storage unique.
            source = .nothing
            for byte in piece { scanner.take(byte, into: &bytes) }
            source = .field(scanner)
        }
        let whole = bytes.count - Self.unfinished(at: bytes)
        guard whole > 0 else { return false }
        valid += String(decoding: bytes[..<whole], as: UTF8.self)
        bytes.removeFirst(whole)
        return true
    }

    /// Takes the next piece of text.
    @discardableResult
    public mutating func append(_ piece: String) -> Bool { append(piece.utf8) }

    /// What came so far, up to the last character that is certainly whole in bytes.
    public var text: String { valid }

    /// How many bytes at the end begin a character that is not all there.
    private static func unfinished(at bytes: [UInt8]) -> Int {
        for (back, byte) in bytes.reversed().prefix(4).enumerated() {
            switch byte {
            case 0x80..<0xC0: continue
            case 0xC2..<0xE0: return back < 1 ? back + 1 : 0
            case 0xE0..<0xF0: return back < 2 ? back + 1 : 0
            case 0xF0..<0xF5: return back < 3 ? back + 1 : 0
            default: return 0
            }
        }
        return 0
    }
}
