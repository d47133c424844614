/// A request as a handler sees it: parsed, bounded, not yet believed.
package struct HTTPRequest: Sendable {
    /// The method as sent, `GET`.
    package let method: String
    /// The target as sent.
    package let target: String
    /// The part of the target before the question mark, not percent-decoded.
    package let path: String
    /// The parts of the query in their order, percent-decoded; a plus sign stands for a space.
    package let query: [(name: String, value: String)]
    /// The header fields.
    package let fields: HTTPFields
    /// The peer's address without its port, `127.0.0.1`.
    package let remoteAddress: String

    /// The first value of a name in the query.
    package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// Makes a handler's view of a head that was checked.
    package init(_ head: RequestHead, remoteAddress: String) {
        method = head.method
        target = head.target
        path = head.path
        query = head.query.map(Self.parts) ?? []
        fields = head.fields
        self.remoteAddress = remoteAddress
    }

    private static func parts(_ query: Substring) -> [(name: String, value: String)] {
        query.utf8.split(separator: UInt8(ascii: "&")).map { part in
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return (decoded(part), "") }
            return (decoded(part[..<equals]), decoded(part[part.index(after: equals)...]))
        }
    }

    private static func decoded(_ part: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var rest = part[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(Grammar.space)
            } else if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(Grammar.hexadecimal),
                let low = rest.dropFirst().first.flatMap(Grammar.hexadecimal)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
