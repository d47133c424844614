public import RejoinCore

extension DraftSchema {
    /// The shape as a JSON schema, in the subset that providers with strict output take.
    ///
    /// Every property is required and no other is allowed; what may be absent may be `null` instead.
    public var jsonSchema: JSONValue {
        switch self {
        case .string(let limit): Self.schema("string", ("maxLength", .integer(max(0, limit))))
        case .choice(let words):
            Self.schema("string", ("enum", .array((words.isEmpty ? [""] : words).map(JSONValue.string))))
        case .integer: Self.schema("integer")
        case .number: Self.schema("number")
        case .boolean: Self.schema("boolean")
        case .optional(let schema):
            .object(JSONObject([.init(name: "anyOf", value: .array([schema.jsonSchema, Self.schema("null")]))]))
        case .array(let schema, let count):
            Self.schema(
                "array", ("items", schema.jsonSchema), ("minItems", .integer(max(0, count.lowerBound))),
                ("maxItems", .integer(max(0, count.upperBound))))
        case .object(let properties): Self.schema(of: properties)
        }
    }

    private static func schema(_ type: String, _ keywords: (String, JSONValue)...) -> JSONValue {
        let members = [JSONObject.Member(name: "type", value: .string(type))]
        return .object(JSONObject(members + keywords.map { JSONObject.Member(name: $0.0, value: $0.1) }))
    }

    private static func schema(of properties: [Property]) -> JSONValue {
        let members = properties.map { property -> JSONObject.Member in
            var schema = property.schema.jsonSchema
            if !property.meaning.isEmpty, var object = schema.object {
                object.members.append(.init(name: "description", value: .string(property.meaning)))
                schema = .object(object)
            }
            return JSONObject.Member(name: property.name, value: schema)
        }
        return schema(
            "object", ("properties", .object(JSONObject(members))),
            ("required", .array(properties.map { .string($0.name) })), ("additionalProperties", .bool(false)))
    }
}
