import RejoinCore

/// A JSON schema (draft 2020-12): what OpenAPI 3.1 describes bodies and parameters with.
struct Shape: Sendable {
    private var keywords: [JSONObject.Member]

    /// The schema as it stands in the document.
    var json: JSONValue { .object(JSONObject(keywords)) }

    /// Takes a schema that is built already.
    init(_ json: JSONValue) { keywords = json.object?.members ?? [] }

    private init(_ keywords: KeyValuePairs<String, JSONValue>) {
        self.keywords = keywords.map { JSONObject.Member(name: $0.key, value: $0.value) }
    }

    // MARK: Values

    static let string = Shape(["type": .string("string")])
    static let boolean = Shape(["type": .string("boolean")])
    static let number = Shape(["type": .string("number")])
    /// Any value at all.
    static let anything = Shape([:])

    /// Text of so many characters, of a pattern where one is given.
    static func text(_ length: ClosedRange<Int>, pattern: String? = nil) -> Shape {
        var shape = string
        if length.lowerBound > 0 { shape.add("minLength", .integer(length.lowerBound)) }
        shape.add("maxLength", .integer(length.upperBound))
        if let pattern { shape.add("pattern", .string(pattern)) }
        return shape
    }

    static func text(pattern: String) -> Shape {
        Shape(["type": .string("string"), "pattern": .string(pattern)])
    }

    static func whole(_ bounds: ClosedRange<Int>) -> Shape {
        Shape([
            "type": .string("integer"), "minimum": .integer(bounds.lowerBound), "maximum": .integer(bounds.upperBound),
        ])
    }

    /// A number that counts something.
    static let count = Shape(["type": .string("integer"), "minimum": .integer(0)])

    static func number(_ bounds: ClosedRange<Double>) -> Shape {
        Shape([
            "type": .string("number"), "minimum": .number(bounds.lowerBound), "maximum": .number(bounds.upperBound),
        ])
    }

    static func choice(_ words: [String]) -> Shape {
        Shape(["type": .string("string"), "enum": .array(words.map(JSONValue.string))])
    }

    /// The words of a closed list of ours.
    static func choice<Word: CaseIterable & RawRepresentable>(_ type: Word.Type) -> Shape
    where Word.RawValue == String {
        choice(Word.allCases.map(\.rawValue))
    }

    /// One of the document's named schemas.
    static func named(_ name: String) -> Shape { Shape(["$ref": .string("#/components/schemas/\(name)")]) }

    // MARK: Shapes of shapes

    static func list(of element: Shape, _ count: ClosedRange<Int>? = nil) -> Shape {
        var shape = Shape(["type": .string("array"), "items": element.json])
        if let count {
            shape.add("minItems", .integer(count.lowerBound))
            shape.add("maxItems", .integer(count.upperBound))
        }
        return shape
    }

    /// An object of these members, of which the optional ones may be absent.
    ///
    /// - Parameter isClosed: whether any other member is refused. Replies stay open, so that more can be said later.
    static func object(
        _ required: KeyValuePairs<String, Shape>, optional: KeyValuePairs<String, Shape> = [:], isClosed: Bool = false
    ) -> Shape {
        var shape = Shape(["type": .string("object")])
        let all = Array(required) + Array(optional)
        shape.add(
            "properties", .object(JSONObject(all.map { JSONObject.Member(name: $0.key, value: $0.value.json) })))
        if !required.isEmpty { shape.add("required", .array(required.map { .string($0.key) })) }
        if isClosed { shape.add("additionalProperties", .bool(false)) }
        return shape
    }

    /// Either of several shapes.
    static func either(_ shapes: [Shape]) -> Shape { Shape(["anyOf": .array(shapes.map(\.json))]) }

    /// The value, or `null`.
    var orNull: Shape { .either([self, Shape(["type": .string("null")])]) }

    /// The shape with a sentence about it.
    func saying(_ words: String) -> Shape { with("description", .string(words)) }

    /// The shape with what an absent value stands for.
    func standard(_ value: JSONValue) -> Shape { with("default", value) }

    /// The shape with one more keyword.
    func with(_ keyword: String, _ value: JSONValue) -> Shape {
        var shape = self
        shape.add(keyword, value)
        return shape
    }

    private mutating func add(_ keyword: String, _ value: JSONValue) {
        keywords.append(JSONObject.Member(name: keyword, value: value))
    }
}

extension Shape {
    /// A UUID as it is written here: lower case.
    static let id = Shape([
        "type": .string("string"), "format": .string("uuid"),
        "pattern": .string("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"),
    ])
    /// A moment: RFC 3339, in UTC.
    static let time = Shape(["type": .string("string"), "format": .string("date-time")])
    /// The cursor of a log or of the change feed.
    static let cursor = whole(0...Int.greatestWritten)
    /// Text with something in it that can be seen.
    static let visible = text(pattern: #"\S"#)

    /// One line of text: no control characters, and something that can be seen.
    static func line(_ length: ClosedRange<Int>) -> Shape {
        let control = #"\u0000-\u001f\u007f-\u009f\u2028\u2029"#
        return text(length, pattern: "^[^\(control)]*[^\(control)\\s][^\(control)]*$")
    }

    /// A name: white space around it is left out, and then it is one line of at most so many characters.
    static func name(upTo length: Int) -> Shape {
        let control = #"\u0000-\u001f\u007f-\u009f\u2028\u2029"#
        let blank = #"\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"#
        let space = "[\\u0009-\\u000d\\u0085\\u2028\\u2029\(blank)]*"
        let seen = "[^\(control)\(blank)]"
        return text(pattern: "^\(space)\(seen)([^\(control)]{0,\(length - 2)}\(seen))?\(space)$")
            .saying("1 to \(length) characters, none of them a control character; white space around it is left out.")
    }
}
