// The exports exist only in the browser's build (`scripts/web`); elsewhere this target is empty.
#if arch(wasm32)
import RejoinCore

/// One answer as the page follows it: bytes in, the folded answer out.
private struct Follower {
    var parser = EventStreamParser()
    var answer = Answer(id: AnswerID(high: 0, low: 0), turn: TurnID(high: 0, low: 0))
    var outcome = Outcome.growing
}

/// What the page has to do after feeding bytes.
private enum Outcome: Int32 {
    /// Draw what there is; more may come.
    case growing = 0
    /// The answer has ended: close the connection.
    case ended = 1
    /// A number is missing or an event is broken: ask again from the last number held.
    case broken = 2
    /// There is no such follower.
    case unknown = 3
}

// SAFETY: a WebAssembly instance in a page has one thread.
nonisolated(unsafe) private var followers: [Follower?] = []

private func index(of handle: Int32) -> Int? {
    let index = Int(handle)
    return followers.indices.contains(index) && followers[index] != nil ? index : nil
}

/// Starts following an answer before its first event, and gives the handle for the other calls.
@_expose(wasm, "rejoin_open")
@_cdecl("rejoin_open")
public func open() -> Int32 {
    if let free = followers.firstIndex(where: { $0 == nil }) {
        followers[free] = Follower()
        return Int32(free)
    }
    followers.append(Follower())
    return Int32(followers.count - 1)
}

/// Feeds the next bytes of the event stream, cut anywhere, and says what to do.
@_expose(wasm, "rejoin_feed")
@_cdecl("rejoin_feed")
public func feed(_ handle: Int32, _ bytes: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
    guard let index = index(of: handle), var follower = followers[index], count >= 0 else {
        return Outcome.unknown.rawValue
    }
    let piece = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    // Taken out while it changes, so that appending text does not copy the answer.
    followers[index] = Follower()
    var answer = follower.answer
    follower.answer = Answer(id: answer.id, turn: answer.turn)
    var outcome = follower.outcome
    follower.parser.feed(piece) { dispatched in
        guard outcome == .growing else { return }
        guard let event = NumberedEvent(dispatched) else { return outcome = .broken }
        if answer.apply(event) == .gap { outcome = .broken } else if answer.state.end != nil { outcome = .ended }
    }
    if follower.parser.isOverflowing, outcome == .growing { outcome = .broken }
    follower.answer = answer
    follower.outcome = outcome
    followers[index] = follower
    return outcome.rawValue
}

/// Forgets a half-read event and a broken stream: the next bytes come from a new connection.
@_expose(wasm, "rejoin_reopen")
@_cdecl("rejoin_reopen")
public func reopen(_ handle: Int32) {
    guard let index = index(of: handle) else { return }
    followers[index]?.parser = EventStreamParser()
    if followers[index]?.outcome == .broken { followers[index]?.outcome = .growing }
}

/// The number of the last event applied: what a new connection asks to go on after.
@_expose(wasm, "rejoin_seq")
@_cdecl("rejoin_seq")
public func seq(_ handle: Int32) -> Int32 {
    guard let index = index(of: handle) else { return -1 }
    return Int32(truncatingIfNeeded: followers[index]?.answer.seq ?? -1)
}

/// Copies the text so far as UTF-8 and gives its length; with too little room it only gives the length.
@_expose(wasm, "rejoin_text")
@_cdecl("rejoin_text")
public func text(_ handle: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ capacity: Int32) -> Int32 {
    guard let index = index(of: handle), let answer = followers[index]?.answer else { return -1 }
    let text = answer.words
    if let buffer, text.utf8Count <= Int(capacity) {
        var next = buffer
        for var chunk in text.chunks {
            chunk.withUTF8 { bytes in
                guard let start = bytes.baseAddress else { return }
                next.update(from: start, count: bytes.count)
                next += bytes.count
            }
        }
    }
    return Int32(text.utf8Count)
}

/// Lets go of an answer.
@_expose(wasm, "rejoin_close")
@_cdecl("rejoin_close")
public func close(_ handle: Int32) {
    if let index = index(of: handle) { followers[index] = nil }
}
#endif
