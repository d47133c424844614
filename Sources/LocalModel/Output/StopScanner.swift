/// Finds the texts that end an answer, even when they come in pieces.
struct StopScanner: Sendable {
    private let stops: [[UInt8]]
    /// The end of what came, which may be the beginning of a stop text.
    private var held: [UInt8] = []

    /// Looks for any of these texts; empty ones are ignored.
    init(_ stops: [String]) { self.stops = stops.map { Array($0.utf8) }.filter { !$0.isEmpty } }

    /// Takes a text and gives back what is certainly part of the answer, and whether a stop text followed it.
    mutating func append(_ text: String) -> (text: String, isStopped: Bool) {
        if stops.isEmpty { return (text, false) }
        held += text.utf8
        for start in held.indices where stops.contains(where: { held[start...].starts(with: $0) }) {
            defer { held = [] }
            return (String(decoding: held[..<start], as: UTF8.self), true)
        }
        let safe = held.indices.first { start in stops.contains { $0.starts(with: held[start...]) } } ?? held.count
        defer { held.removeFirst(safe) }
        return (String(decoding: held[..<safe], as: UTF8.self), false)
    }

    /// What was held back and turned out to be no stop text.
    mutating func finish() -> String {
        defer { held = [] }
        return String(decoding: held, as: UTF8.self)
    }
}
