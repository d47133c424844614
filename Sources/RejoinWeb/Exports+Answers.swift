#if arch(wasm32)
import RejoinCore

// SAFETY: a WebAssembly instance in a page has one thread.
nonisolated(unsafe) private var answers = Handles<FollowedAnswer>()

/// Starts following an answer before its first event, and gives the handle for the other calls.
@_expose(wasm, "rejoin_open")
@_cdecl("rejoin_open")
public func open() -> Int32 { answers.add(FollowedAnswer()) }

/// Takes an answer as the server stored it, as JSON.
///
/// - Returns: whether it could be read.
@_expose(wasm, "rejoin_load")
@_cdecl("rejoin_load")
public func load(_ handle: Int32, _ start: UnsafePointer<UInt8>, _ count: Int32) -> Bool {
    guard let stored = Answer(stored: bytes(start, count)) else { return false }
    return answers.change(handle) { $0.load(stored) } != nil
}

/// From here on the sentences that are new are said.
@_expose(wasm, "rejoin_speak")
@_cdecl("rejoin_speak")
public func speak(_ handle: Int32) { _ = answers.change(handle) { $0.beginToSpeak() } }

/// Feeds the next bytes of the event stream, cut anywhere, and says what to do.
@_expose(wasm, "rejoin_feed")
@_cdecl("rejoin_feed")
public func feed(_ handle: Int32, _ start: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
    let piece = bytes(start, count)
    return (answers.change(handle) { $0.feed(piece) } ?? .unknown).rawValue
}

/// Forgets a half-read event and a broken stream: the next bytes come from a new connection.
@_expose(wasm, "rejoin_reopen")
@_cdecl("rejoin_reopen")
public func reopen(_ handle: Int32) { _ = answers.change(handle) { $0.reopen() } }

/// The number of the last event applied: what a new connection asks to go on after.
@_expose(wasm, "rejoin_seq")
@_cdecl("rejoin_seq")
public func seq(_ handle: Int32) -> Int32 {
    answers.change(handle) { Int32(truncatingIfNeeded: $0.answer.seq) } ?? -1
}

/// Leaves all of the answer but its text, as JSON.
@_expose(wasm, "rejoin_head")
@_cdecl("rejoin_head")
public func head(_ handle: Int32) -> Int32 {
    answers.change(handle) { followed in
        var json = JSONWriter()
        json.head(of: followed.answer)
        return leave(json.bytes)
    } ?? -1
}

/// Leaves the text so far as UTF-8.
@_expose(wasm, "rejoin_text")
@_cdecl("rejoin_text")
public func text(_ handle: Int32) -> Int32 { answers.change(handle) { leave(Array($0.answer.text.utf8)) } ?? -1 }

/// Leaves what changed of the text's blocks since the last call, or all of them: see `PatchWriter`.
@_expose(wasm, "rejoin_patch")
@_cdecl("rejoin_patch")
public func patch(_ handle: Int32, _ isWhole: Bool) -> Int32 {
    answers.change(handle) { leave($0.patch(isWhole: isWhole)) } ?? -1
}

/// Leaves what there is to say aloud since the last call: a JSON array of sentences and of states in objects.
@_expose(wasm, "rejoin_said")
@_cdecl("rejoin_said")
public func said(_ handle: Int32) -> Int32 {
    answers.change(handle) { followed in
        var json = JSONWriter()
        json.beginArray()
        for case .sentence(let words) in followed.announcements() { json.string(words) }
        json.endArray()
        return leave(json.bytes)
    } ?? -1
}

/// Lets go of an answer.
@_expose(wasm, "rejoin_close")
@_cdecl("rejoin_close")
public func close(_ handle: Int32) { answers.remove(handle) }
#endif
