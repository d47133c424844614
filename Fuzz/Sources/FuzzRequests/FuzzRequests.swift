import HTTPParsing

/// Reads one input whole and in pieces: both must give the same requests and the same refusal, and neither may trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequests(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    // The first byte says how the rest is cut.
    guard let first = bytes.first else { return 0 }
    let rest = bytes.dropFirst()
    let step = Int(first % 17) + 1
    var pieces: [ArraySlice<UInt8>] = []
    var start = rest.startIndex
    while start < rest.endIndex {
        let end = min(start + step, rest.endIndex)
        pieces.append(rest[start..<end])
        start = end
    }
    let whole = read([rest])
    precondition(whole == read(pieces), "The requests depend on how the bytes were cut.")
    return 0
}

private struct Outcome: Equatable {
    var heads: [RequestHead] = []
    var bodies: [[UInt8]] = []
    var ends = 0
    var refusal: Refusal?
}

private func read(_ pieces: [ArraySlice<UInt8>]) -> Outcome {
    var parser = RequestParser()
    var outcome = Outcome()
    do {
        for piece in pieces {
            parser.feed(piece)
            while let part = try parser.next() {
                switch part {
                case .head(let head):
                    precondition(outcome.heads.count == outcome.ends, "A head came before the end of the last request.")
                    _ = HTTPRequest(head, remoteAddress: "127.0.0.1")
                    outcome.heads.append(head)
                    outcome.bodies.append([])
                case .body(let bytes): outcome.bodies[outcome.bodies.count - 1] += bytes
                case .end: outcome.ends += 1
                }
            }
        }
    } catch {
        outcome.refusal = error
    }
    return outcome
}
