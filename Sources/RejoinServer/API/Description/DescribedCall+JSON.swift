import RejoinCore

/// How a call stands in the document.
extension DescribedCall {
    /// The operation object.
    func json(topic: String) -> JSONValue {
        var members: [JSONObject.Member] = [
            .init(name: "operationId", value: .string(name)),
            .init(name: "tags", value: .array([.string(topic)])),
            .init(name: "summary", value: .string(summary)),
        ]
        if let details { members.append(.init(name: "description", value: .string(details))) }
        members.append(.init(name: "security", value: security))
        if !parameters.isEmpty {
            members.append(.init(name: "parameters", value: .array(parameters.map(\.json))))
        }
        if let body { members.append(.init(name: "requestBody", value: body.json)) }
        members.append(.init(name: "responses", value: responses))
        return .object(JSONObject(members))
    }

    private var security: JSONValue {
        let token = WireDescription.object(["token": .array([])])
        switch access {
        case .open: return .array([])
        case .local: return .array([WireDescription.object([:]), token])
        case .signedIn:
            let cookie =
                route.method == "GET"
                ? WireDescription.object(["cookie": .array([])])
                : WireDescription.object(["cookie": .array([]), "client": .array([])])
            return .array([token, cookie])
        }
    }

    private var responses: JSONValue {
        var byStatus: [Int: JSONValue] = [:]
        for (status, refusal) in RefusalReplies.replies(to: self) { byStatus[status] = refusal }
        for reply in replies {
            var reply = reply
            if isCounted { reply.fields += Self.rateLimits }
            // Of the statuses that are both, a body tells which.
            let other = byStatus[reply.status]?.object?["content"]?.object?.members ?? []
            byStatus[reply.status] = reply.json(andContent: other)
        }
        return .object(
            JSONObject(byStatus.sorted { $0.key < $1.key }.map { .init(name: String($0.key), value: $0.value) }))
    }

    static let rateLimits = [
        Field(
            name: "RateLimit", shape: .string,
            summary: "What is left: one item for each limit, r the rest and t the seconds until it resets."),
        Field(
            name: "RateLimit-Policy", shape: .string,
            summary: "The limits: q how much, w in how many seconds, qu of what if not of requests."),
    ]
}

extension DescribedCall.Parameter {
    fileprivate var json: JSONValue {
        WireDescription.object([
            "name": .string(name), "in": .string(place.rawValue), "required": .bool(isRequired),
            "description": .string(summary), "schema": shape.json,
        ])
    }
}

extension DescribedCall.Body {
    fileprivate var json: JSONValue {
        let content = mediaTypes.map { type in
            JSONObject.Member(name: type, value: WireDescription.object(shape.map { ["schema": $0.json] } ?? [:]))
        }
        return WireDescription.object([
            "required": .bool(isRequired), "description": .string("At most \(maximumBytes) bytes."),
            "x-maximum-bytes": .integer(maximumBytes), "content": .object(JSONObject(content)),
        ])
    }
}

extension DescribedCall.Reply {
    fileprivate func json(andContent other: [JSONObject.Member]) -> JSONValue {
        var members = [JSONObject.Member(name: "description", value: .string(summary))]
        if !fields.isEmpty {
            members.append(.init(name: "headers", value: DescribedCall.Field.json(fields)))
        }
        let content = contents.map(\.member) + other
        if !content.isEmpty { members.append(.init(name: "content", value: .object(JSONObject(content)))) }
        return .object(JSONObject(members))
    }
}

extension DescribedCall.Reply.Content {
    fileprivate var member: JSONObject.Member {
        switch self {
        case .json(let shape):
            .init(name: "application/json", value: WireDescription.object(["schema": shape.json]))
        case .other(let mediaType): .init(name: mediaType, value: WireDescription.object([:]))
        case .events(let types):
            .init(
                name: "text/event-stream",
                value: WireDescription.object([
                    "schema": Shape.string.saying("An event stream by the rules of the HTML standard.").json,
                    // OpenAPI has no word for events before 3.2; the types with the shapes of their data.
                    "x-events": .object(JSONObject(types.map { .init(name: $0.key, value: $0.value.json) })),
                ]))
        }
    }
}

extension DescribedCall.Field {
    static func json(_ fields: [DescribedCall.Field]) -> JSONValue {
        .object(
            JSONObject(
                fields.map { field in
                    .init(
                        name: field.name,
                        value: WireDescription.object([
                            "description": .string(field.summary), "required": .bool(field.isAlways),
                            "schema": field.shape.json,
                        ]))
                }))
    }
}
