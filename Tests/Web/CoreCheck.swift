// Run by `scripts/web` inside a WebAssembly machine. It is no test target: the toolchain has no Swift Testing there.
// A trap is a failure, and the script says which case it was from the exit alone: there are few.
import RejoinCore
import RejoinWeb

private let stream: StaticString = """
    : a comment first\r
    id: 1\r
    event: status\r
    data: {"phase":"starting"}\r
    \r
    id: 2
    event: text
    data: {"text":"Grüße, "}

    id: 2
    event: text
    data: {"text":"a repeat"}

    id: 3
    event: later-invention
    data: {"text":"not for us"}

    id: 4
    event: text
    data: {"text":"\\ud83c\\udf0d 世界"}

    id: 5
    event: end
    data: {"state":"done","reason":"complete"}


    """

private let gap: StaticString = "id:2\nevent:text\ndata:{\"text\":\"too early\"}\n\n"

private func held(_ handle: Int32) -> String {
    let count = text(handle)
    precondition(count >= 0)
    return String(decoding: UnsafeBufferPointer(start: replyStart(), count: Int(count)), as: UTF8.self)
}

/// The entry of the machine.
@_expose(wasm, "_start")
@_cdecl("_start")
public func start() {
    let count = stream.utf8CodeUnitCount
    for size in [1, 2, 3, 7, count] {
        let handle = open()
        var outcome: Int32 = 0
        var position = 0
        while position < count {
            let length = min(size, count - position)
            outcome = feed(handle, stream.utf8Start + position, Int32(length))
            position += length
        }
        precondition(outcome == 1)
        precondition(seq(handle) == 5)
        precondition(held(handle) == "Grüße, 🌍 世界")
        close(handle)
        precondition(feed(handle, stream.utf8Start, 1) == 3)
    }

    let handle = open()
    precondition(feed(handle, gap.utf8Start, Int32(gap.utf8CodeUnitCount)) == 2)
    precondition(seq(handle) == 0 && held(handle).isEmpty)
    reopen(handle)
    precondition(feed(handle, stream.utf8Start, Int32(count)) == 1)
    precondition(held(handle) == "Grüße, 🌍 世界")
}
