/// The fields of a message in their order; names are compared without regard to case.
package struct HTTPFields: Sendable, Equatable, ExpressibleByDictionaryLiteral, Sequence {
    private var fields: [(name: String, value: String)] = []

    /// No fields.
    package init() {}

    /// The fields of a literal, in its order; a name may come more than once.
    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }

    /// How many fields there are.
    package var count: Int { fields.count }

    /// The first value of a name.
    package subscript(name: String) -> String? {
        fields.first { Self.equal($0.name, name) }?.value
    }

    /// All values of a name, in their order.
    package func all(_ name: String) -> [String] {
        fields.compactMap { Self.equal($0.name, name) ? $0.value : nil }
    }

    /// Adds a field after the others.
    ///
    /// Nothing is checked here, because a value may come from outside and must not trap; a response whose fields
    /// could not be sent faithfully is refused when it is sent.
    package mutating func append(_ name: String, _ value: String) {
        fields.append((name: name, value: value))
    }

    /// Names and values in their order.
    package func makeIterator() -> IndexingIterator<[(name: String, value: String)]> { fields.makeIterator() }

    /// Equal names but for case, equal values, the same order.
    package static func == (left: HTTPFields, right: HTTPFields) -> Bool {
        left.fields.elementsEqual(right.fields) { equal($0.name, $1.name) && $0.value == $1.value }
    }

    /// Whether every name is a token and no value could end its line early.
    var isSendable: Bool {
        fields.allSatisfy { field in
            !field.name.isEmpty && field.name.utf8.allSatisfy(Grammar.isToken)
                && field.value.utf8.allSatisfy(Grammar.isFieldValue)
        }
    }

    static func equal(_ left: String, _ right: String) -> Bool {
        var left = left.utf8.makeIterator()
        var right = right.utf8.makeIterator()
        while true {
            switch (left.next(), right.next()) {
            case (nil, nil): return true
            case (let one?, let other?) where Grammar.lowercased(one) == Grammar.lowercased(other): continue
            default: return false
            }
        }
    }
}
