import RejoinCore

/// Reads one stream whole and in pieces: the same events must come out, within the bound, and nothing may trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEventStream(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    guard let first = bytes.first else { return 0 }
    let rest = bytes.dropFirst()
    let step = Int(first % 17) + 1
    var whole: [ServerSentEvent] = []
    var parser = EventStreamParser()
    parser.feed(rest) { whole.append($0) }
    var cut: [ServerSentEvent] = []
    var cutParser = EventStreamParser()
    var start = rest.startIndex
    while start < rest.endIndex {
        let end = min(start + step, rest.endIndex)
        cutParser.feed(rest[start..<end]) { cut.append($0) }
        start = end
    }
    precondition(whole == cut, "The events depend on how the bytes were cut.")
    precondition(parser.lastEventID == cutParser.lastEventID && parser.retry == cutParser.retry)

    // A small bound is kept whatever comes.
    var bounded = EventStreamParser(maximumEventSize: 64)
    bounded.feed(rest) { precondition($0.data.count <= 64, "An event outgrew its bound.") }
    return 0
}
