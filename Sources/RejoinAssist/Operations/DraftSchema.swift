/// The shape that a model's output must have, from which each route makes what it needs: a grammar, a schema, a check.
public indirect enum DraftSchema: Sendable, Hashable {
    /// Text of at most this many characters.
    case string(upTo: Int)
    /// One of these words, and nothing else.
    case choice([String])
    /// A whole number.
    case integer
    /// A number with a decimal point.
    case number
    /// Yes or no.
    case boolean
    /// The value, or `null`.
    case optional(DraftSchema)
    /// A list of values of one shape.
    case array(of: DraftSchema, ClosedRange<Int>)
    /// Named values, in this order.
    case object([Property])

    /// A named value of an object.
    public struct Property: Sendable, Hashable {
        /// The name, as it stands in the JSON.
        public let name: String
        /// What it holds, in words for the model.
        public let meaning: String
        /// Its shape.
        public let schema: DraftSchema

        /// Describes a property.
        public init(_ name: String, _ schema: DraftSchema, meaning: String = "") {
            self.name = name
            self.meaning = meaning
            self.schema = schema
        }
    }
}
