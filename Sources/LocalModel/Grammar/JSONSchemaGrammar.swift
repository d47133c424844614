internal import RejoinCore

/// A JSON schema as a grammar in the library's notation: what it lets through is JSON that follows the schema.
///
/// Everything is bounded, also where the schema is not: a small model may otherwise never close a text or a list. A
/// keyword that restricts values and cannot be kept is refused, so that nobody relies on it.
struct JSONSchemaGrammar: Sendable {
    /// The rules, `root` first.
    private(set) var text = ""

    private let document: JSONValue
    private var rules: [String] = []
    /// Rules of what `$ref` points to; nil while one is being made, to notice a definition that holds itself.
    private var definitions: [String: String?] = [:]

    private static let mostRules = 2000
    private static let usualStringLength = 512
    private static let mostStringLength = 1500
    private static let usualItems = 32
    private static let mostItems = 256

    /// Keywords that restrict values in a way that a grammar cannot, or not here.
    private static let refused: Set<String> = [
        "pattern", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties",
        "minProperties", "maxProperties", "propertyNames", "contains", "minContains", "maxContains", "multipleOf",
        "prefixItems", "unevaluatedProperties", "unevaluatedItems", "$dynamicRef",
    ]

    /// Writes the grammar.
    ///
    /// - Throws: `schemaUnsupported`, with the keyword that is in the way.
    init(_ schema: JSONValue) throws(LocalModelError) {
        document = schema
        let root = try value(schema)
        let lines =
            ["root ::= \(root)"] + rules + [
                #"char ::= [^"\\\x7F\x00-\x1F] | "\\" ["\\bfnrt/]"#,
                #"gap ::= " "?"#,
            ]
        text = lines.joined(separator: "\n") + "\n"
    }

    // Values.

    /// Makes the rule of a schema and gives back its name.
    private mutating func value(_ schema: JSONValue) throws(LocalModelError) -> String {
        guard let keywords = schema.object else { throw refusal("a schema that allows anything") }
        for keyword in keywords.members where Self.refused.contains(keyword.name) { throw refusal(keyword.name) }
        if keywords["uniqueItems"]?.bool == true { throw refusal("uniqueItems") }
        var alternatives = try alternatives(keywords)
        if keywords["nullable"]?.bool == true { alternatives.append(literal("null")) }
        return try rule(alternatives.joined(separator: " | "))
    }

    private mutating func alternatives(_ keywords: JSONObject) throws(LocalModelError) -> [String] {
        if let pointer = keywords["$ref"] { return [try definition(pointer)] }
        if let constant = keywords["const"] { return [literal(json(constant))] }
        if let values = keywords["enum"]?.array {
            guard !values.isEmpty else { throw refusal("an empty enum") }
            return values.map { literal(json($0)) }
        }
        if let choices = keywords["anyOf"]?.array {
            guard !choices.isEmpty else { throw refusal("an empty anyOf") }
            return try choices.map { choice throws(LocalModelError) in try value(choice) }
        }
        if let parts = keywords["allOf"]?.array {
            guard let part = parts.first, parts.count == 1 else { throw refusal("allOf") }
            return [try value(part)]
        }
        switch keywords["type"] {
        case .string(let type): return [try typed(type, keywords)]
        case .array(let types) where !types.isEmpty:
            return try types.map { type throws(LocalModelError) in try typed(type.string ?? "", keywords) }
        case nil where keywords["properties"] != nil: return [try object(keywords)]
        case nil where keywords["items"] != nil: return [try array(keywords)]
        default: throw refusal("a schema without a type")
        }
    }

    private mutating func typed(_ type: String, _ keywords: JSONObject) throws(LocalModelError) -> String {
        switch type {
        case "object": return try object(keywords)
        case "array": return try array(keywords)
        case "string": return try string(keywords)
        case "integer": return try bounds(keywords, isWhole: true).integers
        case "number": return try bounds(keywords, isWhole: false).numbers
        case "boolean": return "(\(literal("true")) | \(literal("false")))"
        case "null": return literal("null")
        default: throw refusal("an unknown type")
        }
    }

    private mutating func definition(_ pointer: JSONValue) throws(LocalModelError) -> String {
        guard let path = pointer.string, path.hasPrefix("#/") else { throw refusal("$ref to another document") }
        if let made = definitions[path] {
            guard let made else { throw refusal("$ref to a schema that holds itself") }
            return made
        }
        var target = document
        for part in path.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false) {
            // The two escapes of RFC 6901, in this order.
            let name = part.split(separator: "~1", omittingEmptySubsequences: false).joined(separator: "/")
                .split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
            guard let next = target.object?[name] else { throw refusal("$ref to nothing") }
            target = next
        }
        definitions.updateValue(nil, forKey: path)
        let name = try value(target)
        definitions[path] = name
        return name
    }

    // Objects, lists, texts.

    /// The properties in the order of the schema; only the required ones must be there.
    private mutating func object(_ keywords: JSONObject) throws(LocalModelError) -> String {
        let properties = keywords["properties"]?.object?.members ?? []
        let required = Set(keywords["required"]?.array?.compactMap(\.string) ?? [])
        guard required.isSubset(of: properties.map(\.name)) else { throw refusal("required without properties") }
        if properties.isEmpty, keywords["additionalProperties"]?.object != nil { throw refusal("additionalProperties") }
        var pairs: [(text: String, isRequired: Bool)] = []
        for property in properties {
            let name = literal(json(.string(property.name)) + ":")
            pairs.append((try "\(name) gap \(value(property.value))", required.contains(property.name)))
        }
        // From the last to the first: what may come after a pair, and what may come at the start.
        var (after, first) = (literal(""), literal(""))
        for pair in pairs.reversed() {
            let following = "\(literal(",")) gap \(pair.text) \(after)"
            let leading = "\(pair.text) \(after)"
            first = try rule(pair.isRequired ? leading : "\(leading) | \(first)")
            after = try rule(pair.isRequired ? following : "\(following) | \(after)")
        }
        return "\(literal("{")) \(first) \(literal("}"))"
    }

    private mutating func array(_ keywords: JSONObject) throws(LocalModelError) -> String {
        guard let items = keywords["items"] else { throw refusal("an array without items") }
        let (least, most) = try lengths(
            keywords, "minItems", "maxItems", usual: Self.usualItems, limit: Self.mostItems)
        let item = try value(items)
        let (open, close) = (literal("["), literal("]"))
        guard most > 0 else { return "\(open) \(close)" }
        let some = "\(item) (\(literal(",")) gap \(item)){\(max(least, 1) - 1),\(most - 1)}"
        return least > 0 ? "\(open) \(some) \(close)" : "\(open) (\(some))? \(close)"
    }

    private func string(_ keywords: JSONObject) throws(LocalModelError) -> String {
        let (least, most) = try lengths(
            keywords, "minLength", "maxLength", usual: Self.usualStringLength, limit: Self.mostStringLength)
        return "\(literal("\"")) char{\(least),\(most)} \(literal("\""))"
    }

    private func lengths(
        _ keywords: JSONObject, _ leastName: String, _ mostName: String, usual: Int, limit: Int
    ) throws(LocalModelError) -> (least: Int, most: Int) {
        let least = max(0, keywords[leastName]?.integer ?? 0)
        guard least <= limit else { throw refusal(leastName) }
        let most = min(keywords[mostName]?.integer ?? max(usual, least), limit)
        guard most >= least else { throw refusal(mostName) }
        return (least, most)
    }

    private func bounds(_ keywords: JSONObject, isWhole: Bool) throws(LocalModelError) -> NumberRange {
        try NumberRange(
            minimum: whole(keywords, "minimum"), maximum: whole(keywords, "maximum"),
            above: whole(keywords, "exclusiveMinimum"), below: whole(keywords, "exclusiveMaximum"),
            isWhole: isWhole)
    }

    private func whole(_ keywords: JSONObject, _ name: String) throws(LocalModelError) -> Int? {
        guard let bound = keywords[name] else { return nil }
        guard let whole = bound.integer ?? bound.number.flatMap({ Int(exactly: $0) }) else { throw refusal(name) }
        return whole
    }

    // Notation.

    private mutating func rule(_ body: String) throws(LocalModelError) -> String {
        guard rules.count < Self.mostRules else { throw refusal("a schema of this size") }
        let name = "r\(rules.count)"
        rules.append("\(name) ::= \(body)")
        return name
    }

    private func literal(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }

    private func json(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func refusal(_ place: String) -> LocalModelError { LocalModelError(.schemaUnsupported, place: place) }
}
