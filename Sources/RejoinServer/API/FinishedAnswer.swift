import RejoinCore

/// An answer that a device made by itself, as it tells of it: ended, bounded, and believed in nothing that others pay for.
///
/// Where it was made is not for the device to say: it is always the device.
struct FinishedAnswer {
    let end: Event.End
    let seq: Int
    let content: [ContentPart]
    let model: Event.Model
    let usage: Event.Usage?
    let startedAt: Timestamp
    let endedAt: Timestamp

    /// The longest name that a device's model may have, in bytes.
    private static let nameBytes = 128
    /// The most tokens that anybody would believe one answer took.
    private static let mostTokens = 1 << 24
    /// The most events that one answer may have.
    private static let mostEvents = 1 << 20

    /// Reads the member `finished` of a request.
    ///
    /// - Parameters:
    ///   - maximumBytes: the most text that the answer may hold.
    ///   - now: what a device claims to have been done later was done now.
    init(_ value: JSONValue, maximumBytes: Int, now: Timestamp) throws(Problem) {
        guard let object = value.object else { throw Self.invalid("finished", "an object") }
        guard let state = object["state"]?.string.flatMap(EndState.init(rawValue:)) else {
            throw Self.invalid("finished.state", "one of the five ways in which an answer ends")
        }
        let reason = Self.present(object["reason"])
        if let reason, reason.string.flatMap(EndReason.init(rawValue:)) == nil {
            throw Self.invalid("finished.reason", "one of the known reasons, or left out")
        }
        end = Event.End(state, reason: reason?.string)
        guard let seq = object["seq"]?.whole, (1...Self.mostEvents).contains(seq) else {
            throw Self.invalid("finished.seq", "the number of the answer's last event, from 1 to \(Self.mostEvents)")
        }
        self.seq = seq
        content = try Self.content(object["content"], maximumBytes: maximumBytes)
        guard let name = object["model"]?.string, !name.isEmpty, name.utf8.count <= Self.nameBytes,
            name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw Self.invalid("finished.model", "a name of at most \(Self.nameBytes) bytes") }
        model = Event.Model(name, placement: .device)
        usage = try Self.usage(object["usage"])
        guard let started = object["started_at"]?.string.flatMap({ Timestamp($0) }) else {
            throw Self.invalid("finished.started_at", "a time")
        }
        let last = Self.present(object["ended_at"])
        let ended = last == nil ? started : last?.string.flatMap { Timestamp($0) }
        guard let ended, started <= ended else {
            throw Self.invalid("finished.ended_at", "a time that is not before started_at, or left out")
        }
        startedAt = min(started, now)
        endedAt = min(ended, now)
    }

    private static func content(_ value: JSONValue?, maximumBytes: Int) throws(Problem) -> [ContentPart] {
        guard let parts = value?.array, parts.count <= 1 else {
            throw invalid("finished.content", "an array of at most one part")
        }
        guard let part = parts.first else { return [] }
        guard part.object?["type"]?.string == "text", let text = part.object?["text"]?.string, !text.isEmpty else {
            throw invalid("finished.content[0]", "a part of type \"text\" with some text")
        }
        guard text.utf8.count <= maximumBytes else {
            throw Problem(.payloadTooLarge, "An answer has at most \(maximumBytes) bytes.", field: "finished.content")
        }
        return [.text(text)]
    }

    private static func usage(_ value: JSONValue?) throws(Problem) -> Event.Usage? {
        guard let value = present(value) else { return nil }
        guard let object = value.object, let input = object["input_tokens"]?.whole,
            let output = object["output_tokens"]?.whole, (0...mostTokens).contains(input),
            (0...mostTokens).contains(output),
            let isEstimated = (present(object["estimated"]) ?? JSONValue.bool(true)).bool
        else { throw invalid("finished.usage", "an object with input_tokens and output_tokens") }
        return Event.Usage(inputTokens: input, outputTokens: output, isEstimated: isEstimated)
    }

    /// A member's value; null counts as absent.
    private static func present(_ value: JSONValue?) -> JSONValue? { value?.isNull == true ? nil : value }

    private static func invalid(_ field: String, _ wanted: String) -> Problem {
        Problem(.invalidRequest, "\(field) is \(wanted).", field: field)
    }
}
