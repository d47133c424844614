public import RejoinCore

/// The first place at which a value differs from a shape.
public struct SchemaMismatch: Error, Sendable, Hashable {
    /// The place as a path: `items[3].title`; empty for the whole.
    ///
    /// It is made of the shape's own names, never of the value's.
    public let path: String
    /// What should stand there, in words for a developer, without anything of the value.
    public let expected: String
}

extension DraftSchema {
    /// Checks a value: types, lengths, counts, every property there and no other.
    ///
    /// A property that may be absent is one whose shape is `optional`.
    ///
    /// - Throws: the first place that differs.
    public func check(_ value: JSONValue) throws(SchemaMismatch) {
        try check(value, at: "")
    }

    private func check(_ value: JSONValue, at path: String) throws(SchemaMismatch) {
        func mismatch(_ expected: String) -> SchemaMismatch { SchemaMismatch(path: path, expected: expected) }
        switch self {
        case .string(let limit):
            // Scalars, and not characters: one character may be any number of bytes.
            guard let text = value.string, text.unicodeScalars.count <= limit else {
                throw mismatch("a text of at most \(limit) characters")
            }
        case .choice(let words):
            guard let text = value.string, words.contains(text) || words.isEmpty && text.isEmpty else {
                throw mismatch("one of the allowed words")
            }
        case .integer: if value.integer == nil { throw mismatch("a whole number") }
        case .number:
            guard let number = value.number, number.isFinite else { throw mismatch("a number") }
        case .boolean: if value.bool == nil { throw mismatch("true or false") }
        case .optional(let schema): if !value.isNull { try schema.check(value, at: path) }
        case .array(let schema, let count):
            guard let elements = value.array, count.contains(elements.count) else {
                throw mismatch("a list of \(count.lowerBound) to \(count.upperBound)")
            }
            for (index, element) in elements.enumerated() { try schema.check(element, at: "\(path)[\(index)]") }
        case .object(let properties): try Self.check(value, has: properties, at: path)
        }
    }

    private static func check(
        _ value: JSONValue, has properties: [Property], at path: String
    ) throws(SchemaMismatch) {
        guard let object = value.object else { throw SchemaMismatch(path: path, expected: "an object") }
        let names = Set(properties.map(\.name))
        guard object.members.allSatisfy({ names.contains($0.name) }) else {
            throw SchemaMismatch(path: path, expected: "an object with no other than the allowed fields")
        }
        for property in properties {
            let place = path.isEmpty ? property.name : "\(path).\(property.name)"
            try property.schema.check(object[property.name] ?? .null, at: place)
        }
    }
}
