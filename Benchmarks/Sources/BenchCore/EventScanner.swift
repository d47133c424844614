/// Splits an event stream into its `data` lines with the `id` and `event` that stand before them.
///
/// Both protocols measured here put one line of JSON into each event, its `data` last; a server that wrote it
/// otherwise would show up as missing ids. Written apart from the product's parser on purpose: the observer must not
/// share its faults.
package struct EventScanner: Sendable {
    /// One `data` line with what was said before it.
    package struct Event {
        /// The number in the `id` field of this event, if there was one.
        package let id: Int?
        /// The `event` field; empty if there was none.
        package let name: [UInt8]
        /// The value of the `data` field.
        package let data: ArraySlice<UInt8>
    }

    private var partial: [UInt8] = []
    private var id: Int?
    private var name: [UInt8] = []
    /// Comment lines seen, which keep a silent stream alive.
    package private(set) var comments = 0

    /// At the beginning of a stream.
    package init() {}

    /// Takes bytes of the body and hands over the events whose `data` line they complete.
    package mutating func feed(_ bytes: ArraySlice<UInt8>, _ take: (Event) -> Void) {
        var start = bytes.startIndex
        var position = start
        while position < bytes.endIndex {
            guard bytes[position] == UInt8(ascii: "\n") else {
                position += 1
                continue
            }
            if partial.isEmpty {
                takeLine(bytes[start..<position], take)
            } else {
                partial.append(contentsOf: bytes[start..<position])
                let whole = partial
                partial.removeAll(keepingCapacity: true)
                takeLine(whole[...], take)
            }
            position += 1
            start = position
        }
        if start < bytes.endIndex { partial.append(contentsOf: bytes[start...]) }
    }

    private mutating func takeLine(_ raw: ArraySlice<UInt8>, _ take: (Event) -> Void) {
        let line = raw.last == UInt8(ascii: "\r") ? raw.dropLast() : raw
        guard let first = line.first else {
            id = nil
            name.removeAll(keepingCapacity: true)
            return
        }
        switch first {
        case UInt8(ascii: ":"): comments += 1
        case UInt8(ascii: "d"):
            if let value = value(of: line, named: 4) { take(Event(id: id, name: name, data: value)) }
        case UInt8(ascii: "e"):
            name.removeAll(keepingCapacity: true)
            if let value = value(of: line, named: 5) { name.append(contentsOf: value) }
        case UInt8(ascii: "i"):
            guard let value = value(of: line, named: 2) else { return }
            var number = 0
            for digit in value {
                guard digit >= 0x30, digit <= 0x39, number < Int.max / 100 else { return id = nil }
                number = number * 10 + Int(digit - 0x30)
            }
            id = value.isEmpty ? nil : number
        default: break
        }
    }

    private func value(of line: ArraySlice<UInt8>, named length: Int) -> ArraySlice<UInt8>? {
        let rest = line.dropFirst(length)
        guard rest.first == UInt8(ascii: ":") else { return nil }
        let value = rest.dropFirst()
        return value.first == UInt8(ascii: " ") ? value.dropFirst() : value
    }
}
