internal import RejoinCore
internal import SQLite

/// What an answer has besides its content, as JSON: most have a model and a cost and nothing else.
enum StoredDetail {
    /// Encodes what ``decode(_:into:)`` reads; nil if there is nothing.
    static func encode(_ answer: Answer) -> [UInt8]? {
        var json = JSONWriter()
        json.beginObject()
        let empty = json.bytes.count
        if let model = answer.model {
            json.member("model", model.model)
            json.member("placement", model.placement.rawValue)
            json.member("reason", model.reason)
        }
        if let usage = answer.usage {
            json.name("input")
            json.integer(usage.inputTokens)
            json.name("output")
            json.integer(usage.outputTokens)
            json.name("estimated")
            json.bool(usage.isEstimated)
        }
        if !answer.reasoning.isEmpty { json.member("reasoning", answer.reasoning) }
        if !answer.sources.isEmpty {
            json.name("sources")
            json.beginArray()
            for source in answer.sources {
                json.beginObject()
                json.member("title", source.title)
                json.member("url", source.url)
                if let upload = source.upload {
                    json.name("upload")
                    json.id(upload)
                }
                json.endObject()
            }
            json.endArray()
        }
        if answer.droppedTurns != 0 {
            json.name("dropped")
            json.integer(answer.droppedTurns)
        }
        if answer.skipped != 0 {
            json.name("skipped")
            json.integer(answer.skipped)
        }
        if json.bytes.count == empty { return nil }
        json.endObject()
        return json.bytes
    }

    /// Puts an answer together again.
    static func answer(
        _ id: AnswerID, turn: TurnID, state: Answer.State, seq: Int, content: [ContentPart], withdrawal: String?,
        detail: [UInt8]
    ) throws(SQLiteFailure) -> Answer {
        if detail.isEmpty {
            return Answer(id: id, turn: turn, state: state, seq: seq, content: content, withdrawal: withdrawal)
        }
        guard let object = try? JSONReader.parse(detail).object else { throw .corrupt("a detail is not readable") }
        var model: Event.Model?
        if let name = object["model"]?.string,
            let placement = object["placement"]?.string.flatMap(Event.Placement.init(rawValue:))
        {
            model = Event.Model(name, placement: placement, reason: object["reason"]?.string)
        }
        var usage: Event.Usage?
        if let input = object["input"]?.integer, let output = object["output"]?.integer {
            usage = Event.Usage(
                inputTokens: input, outputTokens: output, isEstimated: object["estimated"]?.bool ?? false)
        }
        let sources = (object["sources"]?.array ?? []).compactMap { value -> Event.Source? in
            guard let source = value.object, let title = source["title"]?.string else { return nil }
            return Event.Source(
                title: title, url: source["url"]?.string, upload: source["upload"]?.string.flatMap { UploadID($0) })
        }
        return Answer(
            id: id, turn: turn, state: state, seq: seq, content: content, model: model, usage: usage,
            reasoning: object["reasoning"]?.string ?? "", sources: sources,
            droppedTurns: object["dropped"]?.integer ?? 0, withdrawal: withdrawal,
            skipped: object["skipped"]?.integer ?? 0)
    }
}
