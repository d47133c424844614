/// Gathers one HTTP/1.1 request at a time; enough for a benchmark's clients, which send bodies with a length.
package struct RequestReader: Sendable {
    /// A request that has arrived whole; ranges are into ``bytes``.
    package struct Request: Sendable {
        /// The method in capitals.
        package let method: String
        /// The path with its query.
        package let path: String
        /// Where the body lies.
        package let body: Range<Int>
        fileprivate let end: Int
    }

    /// What has arrived and was not yet dropped.
    package private(set) var bytes: [UInt8] = []
    /// True when the other side sent something that is no request.
    package private(set) var isBroken = false
    private static let limit = 16 << 20
    private static let headEnd = Array("\r\n\r\n".utf8)

    /// Nothing has arrived yet.
    package init() {}

    /// Takes bytes off the wire.
    package mutating func feed(_ slice: ArraySlice<UInt8>) {
        bytes.append(contentsOf: slice)
        if bytes.count > Self.limit { isBroken = true }
    }

    /// The request at the front, once it is whole.
    package mutating func next() -> Request? {
        guard let end = bytes[...].first(Self.headEnd) else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first.map { $0.split(separator: " ") } ?? []
        guard words.count == 3 else {
            isBroken = true
            return nil
        }
        var length = 0
        for line in lines.dropFirst() {
            let field = line.split(separator: ":", maxSplits: 1)
            guard field.count == 2 else { continue }
            switch field[0].lowercased() {
            case "content-length": length = Int(field[1].filter { $0 != " " }) ?? -1
            case "transfer-encoding": length = -1
            default: break
            }
        }
        guard length >= 0, length <= Self.limit else {
            isBroken = true
            return nil
        }
        let start = end + Self.headEnd.count
        guard bytes.count >= start + length else { return nil }
        return Request(
            method: String(words[0]), path: String(words[1]), body: start..<start + length, end: start + length)
    }

    /// Forgets a request that has been dealt with.
    package mutating func drop(_ request: Request) { bytes.removeFirst(request.end) }
}
