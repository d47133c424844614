/// A JSON5 document that remembers where each key and value stands.
///
/// Errors about a configuration point at a line and a column; general JSON readers forget both.
struct JSON5: Equatable, Sendable {
    /// A place in a text, both counted from 1; a column is one Unicode scalar.
    struct Position: Equatable, Sendable {
        var line = 1
        var column = 1
    }

    /// What a text said instead of JSON5.
    struct Failure: Error, Equatable {
        var position: Position
        var message: String
    }

    /// A member of an object.
    struct Member: Equatable, Sendable {
        var name: String
        var position: Position
        var value: JSON5
    }

    /// The kinds of values.
    indirect enum Value: Equatable, Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([JSON5])
        case object([Member])
    }

    var value: Value
    var position: Position

    /// Reads one document.
    ///
    /// Refused beyond the grammar: a key written twice, a half of a surrogate pair, `Infinity` and `NaN` as values, and
    /// nesting deeper than ``JSON5Reader/maximumDepth``.
    static func parse(_ bytes: [UInt8]) throws(Failure) -> JSON5 {
        var reader = try JSON5Reader(bytes)
        return try reader.document()
    }
}
