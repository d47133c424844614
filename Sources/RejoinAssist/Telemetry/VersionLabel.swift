/// The name and the version of a model or a part, for telemetry: a literal in the source, and numbers.
///
/// There is no way from a string made at run time to a label.
public struct VersionLabel: Sendable, Hashable {
    /// The name as it was written.
    public let name: String
    /// The version, most significant number first.
    public let numbers: [UInt16]

    /// Takes a name that stands in the source, and at most three numbers.
    public init(_ name: StaticString, _ major: UInt16? = nil, _ minor: UInt16? = nil, _ patch: UInt16? = nil) {
        self.name = name.description
        numbers = [major, minor, patch].compactMap(\.self)
    }

    init(_ known: VersionLabel, numbers: [UInt16]) {
        name = known.name
        self.numbers = numbers
    }
}

extension VersionLabel: CustomStringConvertible {
    public var description: String {
        numbers.isEmpty ? name : name + " " + numbers.map(String.init).joined(separator: ".")
    }
}
