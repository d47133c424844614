import RejoinCore

/// Looks for an error that was written into a stream of events as a bare line, which is no event.
///
/// It reads line by line and stops at the stream's own end, so that what it finds does not depend on how the bytes were
/// cut.
struct BareErrorLine {
    /// The first such error, once its line is whole.
    private(set) var fault: OpenAIFault?
    private var line = Line.beginning([])
    private var isOver = false

    private enum Line {
        /// Too little has come to tell.
        case beginning([UInt8])
        /// It may be an error.
        case held([UInt8])
        case skipped
    }

    /// How much of a line tells what it is: `data: [DONE]` and what would make it another line.
    private static let telling = 16
    private static let longest = 8 << 10

    /// Takes the next bytes of the stream.
    mutating func feed(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while fault == nil, !isOver {
            guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return take(rest) }
            take(rest[..<end])
            endLine()
            rest = rest[(end + 1)...]
        }
    }

    /// The stream has ended: its last line is whole.
    mutating func end() {
        if fault == nil, !isOver { endLine() }
    }

    private mutating func take(_ part: ArraySlice<UInt8>) {
        switch line {
        case .skipped: return
        case .beginning(var start):
            let count = min(part.count, Self.telling - start.count)
            start += part.prefix(count)
            line = .beginning(start)
            guard start.count == Self.telling else { return }
            line = Self.document(in: start[...]) == nil ? .skipped : .held(start)
            take(part.dropFirst(count))
        case .held(var held):
            // Taken out while it grows, so that nothing is copied.
            line = .skipped
            held += part
            if held.count <= Self.longest { line = .held(held) }
        }
    }

    private mutating func endLine() {
        switch line {
        case .skipped: break
        case .beginning(let whole) where ["data: [DONE]", "data:[DONE]"].contains { whole.elementsEqual($0.utf8) }:
            isOver = true
        case .beginning(let whole), .held(let whole):
            fault = Self.document(in: whole[...]).flatMap { try? OpenAIChunk(Array($0)).fault }
        }
        line = .beginning([])
    }

    /// The JSON object that a line seems to be, `error:` before it or not.
    private static func document(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let rest = line.starts(with: "error:".utf8) ? line.dropFirst(6) : line
        return rest.first { $0 != 0x20 } == UInt8(ascii: "{") ? rest : nil
    }
}
