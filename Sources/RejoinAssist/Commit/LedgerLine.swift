import RejoinCore

/// One line of a ledger's file.
enum LedgerLine: Equatable {
    /// An attempt began.
    case begun(IdempotencyKey)
    /// It was applied; with its receipt, as JSON.
    case applied(IdempotencyKey, [UInt8])

    /// The line with its end; the receipt is a string in it, so that no receipt can end a line.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("key")
        switch self {
        case .begun(let key): writer.string(key.text)
        case .applied(let key, let receipt):
            writer.string(key.text)
            writer.name("receipt")
            writer.string(String(decoding: receipt, as: UTF8.self))
        }
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// Reads a line without its end; anything that is not one is none.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let object = try? JSONReader.parse(bytes).object, let text = object["key"]?.string,
            let key = IdempotencyKey(text)
        else { return nil }
        switch object["receipt"] {
        case nil: self = .begun(key)
        case .string(let receipt)?: self = .applied(key, Array(receipt.utf8))
        default: return nil
        }
    }

    static func == (left: LedgerLine, right: LedgerLine) -> Bool { left.bytes == right.bytes }
}

/// Follows a growing file line by line.
struct LedgerLines {
    /// How far the file was read.
    private(set) var offset = 0
    private var half: [UInt8] = []

    /// Whether the file ends within a line.
    var hasHalfLine: Bool { !half.isEmpty }

    /// Takes what follows in the file; lines that cannot be read are passed over.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> [LedgerLine] {
        offset += bytes.count
        var lines: [LedgerLine] = []
        var rest = (half + bytes)[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if let line = LedgerLine(rest[..<end]) { lines.append(line) }
            rest = rest[(end + 1)...]
        }
        half = Array(rest)
        return lines
    }
}
