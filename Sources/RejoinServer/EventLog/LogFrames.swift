/// Encoded stretches of a log: what is stored in one piece may begin before the number that a reader holds.
package enum LogFrames {
    /// The events numbered above `seq`, cut at the border between two events.
    ///
    /// - Parameter bytes: whole events in order, as `NumberedEvent.append(to:)` writes them. Their data never holds a
    ///   raw line end, so a blank line is always a border.
    /// - Returns: empty if no event has a higher number.
    package static func suffix(of bytes: [UInt8], after seq: Int) -> ArraySlice<UInt8> {
        let start = bytes.withUnsafeBufferPointer { buffer in
            var position = 0
            while position < buffer.count, number(in: buffer, at: position) <= seq {
                position = next(in: buffer, after: position)
            }
            return position
        }
        return bytes[start...]
    }

    /// As many whole events from the beginning as fit, but one at least.
    ///
    /// - Returns: the events and how many they are.
    package static func prefix(of bytes: [UInt8], maximumBytes: Int) -> (events: ArraySlice<UInt8>, count: Int) {
        let (end, count) = bytes.withUnsafeBufferPointer { buffer in
            var (end, count) = (0, 0)
            while end < buffer.count {
                let following = next(in: buffer, after: end)
                if count > 0, following > maximumBytes { break }
                (end, count) = (following, count + 1)
            }
            return (end, count)
        }
        return (bytes[..<end], count)
    }

    /// The number of the event that begins at a position; bytes that are no event count as 0 and are passed over.
    private static func number(in buffer: UnsafeBufferPointer<UInt8>, at start: Int) -> Int {
        guard buffer.count - start > 3, buffer[start] == UInt8(ascii: "i"), buffer[start + 1] == UInt8(ascii: "d"),
            buffer[start + 2] == UInt8(ascii: ":")
        else { return 0 }
        var number = 0
        for byte in buffer[(start + 3)...] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { break }
            let (tens, overflowed) = number.multipliedReportingOverflow(by: 10)
            let (sum, carried) = tens.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
            if overflowed || carried { return .max }
            number = sum
        }
        return number
    }

    /// Where the event after the one that begins at `start` begins, or the end.
    private static func next(in buffer: UnsafeBufferPointer<UInt8>, after start: Int) -> Int {
        var position = start + 1
        while position < buffer.count {
            if buffer[position] == 0x0A, buffer[position - 1] == 0x0A { return position + 1 }
            position += 1
        }
        return buffer.count
    }
}
