/// An operation's name, which only a literal in the source can make.
///
/// It goes into telemetry, where no text of a person may go; so there is no way from a string made at run time to it.
public struct OperationID: Sendable, Hashable, Encodable, ExpressibleByStringLiteral {
    /// The name as it was written.
    public let name: String

    /// Takes a name that stands in the source.
    public init(stringLiteral name: StaticString) {
        self.name = name.description
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

extension OperationID: CustomStringConvertible {
    public var description: String { name }
}
