import RejoinCore

@testable import ServerParsing

/// Reads one text as every small thing that comes from outside: what is accepted is written back the same.
///
/// The first byte says as what.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWords(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    guard let first = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    let text = String(decoding: rest, as: UTF8.self)
    switch first % 6 {
    case 0:
        if let id = ID<Change>(text) { precondition(id.description == text, "An id is written otherwise.") }
    case 1:
        if let time = Timestamp(text) { precondition(Timestamp(time.description) == time, "A time is another one.") }
    case 2:
        if let problem = Problem(json: rest) { precondition(Problem(json: problem.json) == problem) }
    case 3: events(rest)
    case 4:
        _ = OpenAIRetryAfter(now: Timestamp(milliseconds: 0)) { _ in text }
        _ = OpenAIRetryAfter.duration(text)
        _ = OpenAIRetryAfter.wait(inMessage: text)
    default:
        if let value = try? JSONReader.parse(rest) {
            _ = OpenAIFault(value)
            if let object = value.object { _ = OpenAIRetryAfter.wait(inError: object) }
            if let parts = value.array.flatMap(ContentPart.parts) { _ = ContentPart.text(of: parts) }
        }
    }
    return 0
}

/// An event of a known type is read from its data and written back as what reads the same.
private func events(_ bytes: [UInt8]) {
    let types = [
        "status", "text", "reasoning", "source", "attachment", "tool", "model", "compaction", "withdrawn", "usage",
        "snapshot", "end",
    ]
    guard let first = bytes.first else { return }
    let type = types[Int(first) % types.count]
    guard let event = Event(type: type, data: Array(bytes.dropFirst())) else { return }
    var written: [UInt8] = []
    event.appendData(to: &written)
    if case .unknown = event { return }
    precondition(Event(type: type, data: written) == event, "An event is written as another one.")
    var answer = Answer(id: AnswerID(high: 0, low: 1), turn: TurnID(high: 0, low: 2))
    answer.apply(NumberedEvent(seq: 1, event: event))
}
