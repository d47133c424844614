import RejoinCore

@testable import ServerParsing

/// Reads an export whole and in pieces: the same values must be cut off, and what is made of them is a whole tree.
///
/// The first byte says how the rest is cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArchive(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    guard let first = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    let whole = pieces(rest, by: rest.count + 1)
    precondition(whole == pieces(rest, by: Int(first % 23) + 1), "The values depend on how the bytes were cut.")
    for case .value(let value) in whole {
        guard let object = (try? JSONReader.parse(value, maximumDepth: 256))?.object else { continue }
        if ArchiveLine.isOurs(object) {
            _ = ArchiveLine(object, account: account)
        } else if let foreign = ForeignConversation.read(object, { _, _ in }) {
            check(foreign)
        }
    }
    return 0
}

private let account = AccountID(high: 1, low: 2)

private func pieces(_ bytes: [UInt8], by step: Int) -> [JSONPieces.Piece] {
    var found: [JSONPieces.Piece] = []
    var cutter = JSONPieces(maximumSize: 4096)
    var start = 0
    while start < bytes.count {
        let end = min(start + step, bytes.count)
        cutter.feed(Array(bytes[start..<end])) { found.append($0) }
        start = end
    }
    cutter.finish { found.append($0) }
    return found
}

/// Each turn hangs on an answer that is there, and each answer on a turn; no id stands twice.
private func check(_ foreign: ForeignConversation) {
    guard let tree = foreign.tree(for: account, now: Timestamp(milliseconds: 0), { _, _ in }) else { return }
    let turns = Set(tree.turns.map(\.id))
    let answers = Set(tree.answers.map(\.id))
    precondition(turns.count == tree.turns.count && answers.count == tree.answers.count, "An id stands twice.")
    for answer in tree.answers { precondition(turns.contains(answer.turn), "An answer without its turn.") }
    for turn in tree.turns {
        precondition(turn.parent.map(answers.contains) ?? true, "A turn without its parent.")
        precondition(turn.conversation == tree.conversation.id)
    }
}
