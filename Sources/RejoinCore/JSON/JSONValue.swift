/// A JSON document as a value, its objects in the order they were written.
public indirect enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number written without fraction or exponent that fits 64 bits.
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// The members of a JSON object.
///
/// Names are unique: the reader refuses a repeated one.
public struct JSONObject: Equatable, Sendable {
    /// One name with its value.
    public struct Member: Equatable, Sendable {
        public var name: String
        public var value: JSONValue

        /// Pairs a name with a value.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// In the order written.
    public var members: [Member]

    /// Makes an object of members whose names the caller knows to be unique.
    public init(_ members: [Member] = []) { self.members = members }

    /// The value under a name, or nil.
    ///
    /// Linear: objects of the wire are small.
    public subscript(name: String) -> JSONValue? {
        for member in members where member.name == name { return member.value }
        return nil
    }
}

extension JSONValue {
    /// The members, if this is an object.
    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
    /// The elements, if this is an array.
    public var array: [JSONValue]? { if case .array(let array) = self { array } else { nil } }
    /// The text, if this is a string.
    public var string: String? { if case .string(let string) = self { string } else { nil } }
    /// The number, if it is whole and was written so.
    public var integer: Int? { if case .integer(let integer) = self { integer } else { nil } }
    /// The number, whole or not.
    public var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }
    /// The truth value, if this is one.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    /// True for `null` alone.
    public var isNull: Bool { self == .null }
}
