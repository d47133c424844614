import RejoinCore

@testable import ServerParsing

/// Reads a provider's body whole and in pieces: both must come to the same text and the same end, and nothing may trap.
///
/// The first byte says how the rest is cut, and what the body is declared as.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProvider(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    guard let first = bytes.first else { return 0 }
    let rest = bytes.dropFirst()
    let type = first & 0x80 == 0 ? "text/event-stream" : nil
    precondition(
        read(rest, by: rest.count + 1, type) == read(rest, by: Int(first & 0x1F) + 1, type),
        "What is read depends on how it was cut.")
    return 0
}

private struct Outcome: Equatable {
    var text = ""
    var reasoning = ""
    var usage: Event.Usage?
    var end: ModelEnd?
}

private func read(_ bytes: ArraySlice<UInt8>, by step: Int, _ type: String?) -> Outcome {
    var stream = OpenAIStream(contentType: type)
    var outcome = Outcome()
    func take() {
        for piece in stream.takePieces() {
            switch piece {
            case .text(let text): outcome.text += text
            case .reasoning(let text): outcome.reasoning += text
            case .usage(let usage): outcome.usage = usage
            case .status: break
            }
        }
    }
    var start = bytes.startIndex
    while start < bytes.endIndex {
        let end = min(start + step, bytes.endIndex)
        stream.feed(bytes[start..<end])
        take()
        start = end
    }
    stream.end(.clean)
    take()
    outcome.usage = outcome.usage ?? stream.usage
    outcome.end = stream.outcome(now: Timestamp(milliseconds: 0))
    return outcome
}
