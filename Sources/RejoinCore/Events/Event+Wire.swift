extension Event {
    /// The name of the type on the wire.
    public var type: String {
        switch self {
        case .status: "status"
        case .text: "text"
        case .reasoning: "reasoning"
        case .source: "source"
        case .attachment: "attachment"
        case .tool: "tool"
        case .model: "model"
        case .compaction: "compaction"
        case .withdrawn: "withdrawn"
        case .usage: "usage"
        case .snapshot: "snapshot"
        case .end: "end"
        case .unknown(let type): type
        }
    }

    /// Appends the `data` of the event: one line of JSON.
    public func appendData(to bytes: inout [UInt8]) {
        // The hot path: a piece of text, without a writer's state.
        if case .text(let text) = self {
            bytes.append(contentsOf: #"{"text":"#.utf8)
            JSONWriter.append(text, to: &bytes)
            bytes.append(UInt8(ascii: "}"))
            return
        }
        var json = JSONWriter(after: bytes)
        json.beginObject()
        writeMembers(to: &json)
        json.endObject()
        bytes = json.bytes
    }

    private func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .status(let status):
            json.member("phase", status.phase.rawValue)
            if let position = status.position {
                json.name("position")
                json.integer(position)
            }
            json.member("detail", status.detail)
        case .text(let text), .reasoning(let text): json.member("text", text)
        case .source(let source):
            json.member("title", source.title)
            json.member("url", source.url)
            if let upload = source.upload {
                json.name("upload")
                json.id(upload)
            }
        case .attachment(let attachment): attachment.writeMembers(to: &json)
        case .tool(let tool):
            json.member("call", tool.call)
            json.member("name", tool.name)
            json.member("phase", tool.phase.rawValue)
            json.member("detail", tool.detail)
        case .model(let model):
            json.member("model", model.model)
            json.member("placement", model.placement.rawValue)
            json.member("reason", model.reason)
        case .compaction(let droppedTurns, let summary):
            json.name("dropped_turns")
            json.integer(droppedTurns)
            json.member("summary", summary)
        case .withdrawn(let reason): json.member("reason", reason)
        case .usage(let usage):
            json.name("input_tokens")
            json.integer(usage.inputTokens)
            json.name("output_tokens")
            json.integer(usage.outputTokens)
            json.name("estimated")
            json.bool(usage.isEstimated)
        case .snapshot(let snapshot):
            json.name("seq")
            json.integer(snapshot.seq)
            json.name("content")
            json.content(snapshot.content)
            json.member("withdrawn", snapshot.withdrawal)
        case .end(let end):
            json.member("state", end.state.rawValue)
            json.member("reason", end.reason)
            if let resetsAt = end.resetsAt {
                json.name("resets_at")
                json.time(resetsAt)
            }
            if let retryAfter = end.retryAfter {
                json.name("retry_after")
                json.integer(retryAfter)
            }
        case .unknown: break
        }
    }

    /// Reads an event from its type and the `data` of its server-sent event.
    ///
    /// A type that is not known gives ``unknown(type:)``, and so does a phase or a placement that is not: a newer
    /// server may have more of them, and an old client must not lose its answer over it. Data that is not what its type
    /// asks for gives nil: such a stream cannot be trusted further.
    public init?(type: String, data: [UInt8]) {
        guard let value = try? JSONReader.parse(data), let object = value.object else { return nil }
        let text = object["text"]?.string
        let reason = object["reason"]?.string
        switch type {
        case "status":
            guard let name = object["phase"]?.string else { return nil }
            let phase = Status.Phase(rawValue: name)
            let (position, detail) = (object["position"]?.integer, object["detail"]?.string)
            self = phase.map { .status(Status($0, position: position, detail: detail)) } ?? .unknown(type: type)
        case "text":
            guard let text else { return nil }
            self = .text(text)
        case "reasoning":
            guard let text else { return nil }
            self = .reasoning(text)
        case "source":
            guard let title = object["title"]?.string else { return nil }
            let upload = object["upload"]?.string.flatMap { UploadID($0) }
            self = .source(Source(title: title, url: object["url"]?.string, upload: upload))
        case "attachment":
            guard let attachment = Attachment(object) else { return nil }
            self = .attachment(attachment)
        case "tool":
            guard let call = object["call"]?.string, let name = object["name"]?.string,
                let phaseName = object["phase"]?.string
            else { return nil }
            let (phase, detail) = (Tool.Phase(rawValue: phaseName), object["detail"]?.string)
            self = phase.map { .tool(Tool(call: call, name: name, phase: $0, detail: detail)) } ?? .unknown(type: type)
        case "model":
            guard let model = object["model"]?.string, let place = object["placement"]?.string else { return nil }
            let placement = Placement(rawValue: place)
            self = placement.map { .model(Model(model, placement: $0, reason: reason)) } ?? .unknown(type: type)
        case "compaction":
            guard let dropped = object["dropped_turns"]?.integer else { return nil }
            self = .compaction(droppedTurns: dropped, summary: object["summary"]?.string)
        case "withdrawn":
            guard let reason else { return nil }
            self = .withdrawn(reason: reason)
        case "usage":
            guard let input = object["input_tokens"]?.integer, let output = object["output_tokens"]?.integer,
                let isEstimated = object["estimated"]?.bool
            else { return nil }
            self = .usage(Usage(inputTokens: input, outputTokens: output, isEstimated: isEstimated))
        case "snapshot":
            guard let seq = object["seq"]?.integer, let parts = object["content"]?.array else { return nil }
            guard let content = ContentPart.parts(parts) else { return nil }
            self = .snapshot(Snapshot(seq: seq, content: content, withdrawal: object["withdrawn"]?.string))
        case "end":
            guard let state = object["state"]?.string.flatMap(EndState.init(rawValue:)) else { return nil }
            let resetsAt = object["resets_at"]?.string.flatMap { Timestamp($0) }
            self = .end(End(state, reason: reason, resetsAt: resetsAt, retryAfter: object["retry_after"]?.integer))
        default: self = .unknown(type: type)
        }
    }
}

extension NumberedEvent {
    /// Appends the event as one server-sent event: `id` its number, `event` its type, `data` one line.
    ///
    /// The optional space after each colon is left out: three bytes in forty, on every piece.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "id:".utf8)
        JSONWriter.append(seq, to: &bytes)
        bytes.append(contentsOf: "\nevent:".utf8)
        bytes.append(contentsOf: event.type.utf8)
        bytes.append(contentsOf: "\ndata:".utf8)
        event.appendData(to: &bytes)
        bytes.append(contentsOf: "\n\n".utf8)
    }

    /// Reads what ``append(to:)`` wrote and a stream parser dispatched; nil if it is not an event of a log.
    public init?(_ event: ServerSentEvent) {
        guard let seq = Int(event.lastEventID), seq > 0, let known = Event(type: event.type, data: event.data) else {
            return nil
        }
        self.init(seq: seq, event: known)
    }
}

extension ContentPart {
    /// Reads parts in order; nil if one of them is of no known kind.
    public static func parts(_ values: [JSONValue]) -> [ContentPart]? {
        var parts: [ContentPart] = []
        for value in values {
            guard let object = value.object, let type = object["type"]?.string else { return nil }
            switch type {
            case "text":
                guard let text = object["text"]?.string else { return nil }
                parts.append(.text(text))
            case "attachment":
                guard let attachment = Event.Attachment(object) else { return nil }
                parts.append(.attachment(attachment))
            default: return nil
            }
        }
        return parts
    }

    /// The text parts joined.
    public static func text(of parts: [ContentPart]) -> String {
        var text = ""
        for case .text(let piece) in parts { text += piece }
        return text
    }
}

extension Event.Attachment {
    fileprivate init?(_ object: JSONObject) {
        guard let upload = object["upload"]?.string.flatMap({ UploadID($0) }),
            let mediaType = object["media_type"]?.string, let name = object["name"]?.string
        else { return nil }
        self.init(upload: upload, mediaType: mediaType, name: name)
    }

    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.name("upload")
        json.id(upload)
        json.member("media_type", mediaType)
        json.member("name", name)
    }
}

extension JSONWriter {
    /// Writes a string member, or nothing for nil.
    public mutating func member(_ name: String, _ value: String?) {
        guard let value else { return }
        self.name(name)
        string(value)
    }

    /// Writes parts of content as an array.
    public mutating func content(_ parts: [ContentPart]) {
        beginArray()
        for part in parts {
            beginObject()
            switch part {
            case .text(let text):
                member("type", "text")
                member("text", text)
            case .attachment(let attachment):
                member("type", "attachment")
                attachment.writeMembers(to: &self)
            }
            endObject()
        }
        endArray()
    }
}
