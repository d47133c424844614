/// One event of a `text/event-stream`, as a reader dispatches it.
public struct ServerSentEvent: Equatable, Sendable {
    /// The `event` field; `message` where the stream named none.
    public var type: String
    /// The `data` lines joined by line feeds.
    public var data: [UInt8]
    /// The last `id` seen on the stream so far; empty if none.
    public var lastEventID: String

    /// Puts an event together.
    public init(type: String, data: [UInt8], lastEventID: String) {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }

    /// The data as text; broken UTF-8 becomes replacement characters, as the standard asks.
    public var text: String { String(decoding: data, as: UTF8.self) }
}

/// Reads `text/event-stream` by the rules of WHATWG HTML section 9.2, whatever way the bytes are cut.
///
/// Lines may end in CR, LF or CRLF, even with the pair split between two reads; fields are kept as bytes until an
/// event is whole, so a character cut in two is never seen. A stream that ends inside an event loses that event, as
/// the standard says.
public struct EventStreamParser: Sendable {
    /// How much an unfinished line and the data gathered so far may hold together, in bytes.
    public let maximumEventSize: Int
    /// The reconnection time last asked for by the stream, in milliseconds.
    public private(set) var retry: Int?
    /// The last `id` field seen.
    public private(set) var lastEventID = ""
    /// True once an event outgrew ``maximumEventSize``; nothing is dispatched after that.
    public private(set) var isOverflowing = false

    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var type: [UInt8] = []
    private var pendingID: String?
    private var skipsLineFeed = false
    private var atStart = true

    /// Starts at the beginning of a stream.
    ///
    /// - Parameter maximumEventSize: a bound in bytes, because the other side is not trusted.
    public init(maximumEventSize: Int = 4 << 20) { self.maximumEventSize = maximumEventSize }

    /// Takes the next bytes and hands over each event that they complete.
    public mutating func feed(_ bytes: ArraySlice<UInt8>, _ dispatch: (ServerSentEvent) -> Void) {
        var start = bytes.startIndex
        var position = start
        let end = bytes.endIndex
        if skipsLineFeed, position < end {
            skipsLineFeed = false
            if bytes[position] == 0x0A {
                position += 1
                start = position
            }
        }
        while position < end {
            let byte = bytes[position]
            guard byte == 0x0A || byte == 0x0D else {
                position += 1
                continue
            }
            if line.isEmpty {
                take(bytes[start..<position], dispatch)
            } else {
                line.append(contentsOf: bytes[start..<position])
                let whole = line
                line.removeAll(keepingCapacity: true)
                take(whole[...], dispatch)
            }
            position += 1
            if byte == 0x0D {
                if position == end { skipsLineFeed = true } else if bytes[position] == 0x0A { position += 1 }
            }
            start = position
        }
        if start < end {
            guard line.count + data.count + (end - start) <= maximumEventSize else { return overflow() }
            line.append(contentsOf: bytes[start..<end])
        }
    }

    /// Takes the next bytes and hands over each event that they complete.
    public mutating func feed(_ bytes: [UInt8], _ dispatch: (ServerSentEvent) -> Void) { feed(bytes[...], dispatch) }

    private mutating func overflow() {
        isOverflowing = true
        line = []
        data = []
        hasData = false
    }

    private mutating func take(_ rawLine: ArraySlice<UInt8>, _ dispatch: (ServerSentEvent) -> Void) {
        if isOverflowing { return }
        var line = rawLine
        if atStart {
            atStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        }
        if line.isEmpty { return finishEvent(dispatch) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            return field(line, value: line[line.endIndex...])
        }
        if colon == line.startIndex { return }
        var value = line[(colon + 1)...]
        if value.first == 0x20 { value = value.dropFirst() }
        field(line[..<colon], value: value)
    }

    private mutating func field(_ name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        if Self.equal(name, "data") {
            guard data.count + value.count < maximumEventSize else { return overflow() }
            if hasData { data.append(0x0A) }
            hasData = true
            data.append(contentsOf: value)
        } else if Self.equal(name, "event") {
            type = Array(value)
        } else if Self.equal(name, "id") {
            if !value.contains(0) { pendingID = String(decoding: value, as: UTF8.self) }
        } else if Self.equal(name, "retry") {
            guard !value.isEmpty, value.count <= 12,
                value.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
            else { return }
            retry = value.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
    }

    private mutating func finishEvent(_ dispatch: (ServerSentEvent) -> Void) {
        if let id = pendingID {
            lastEventID = id
            pendingID = nil
        }
        defer {
            type.removeAll(keepingCapacity: true)
            data.removeAll(keepingCapacity: true)
            hasData = false
        }
        // An event without any data line fires nothing; one empty data line is an event with empty data.
        guard hasData else { return }
        let name = type.isEmpty ? "message" : String(decoding: type, as: UTF8.self)
        dispatch(ServerSentEvent(type: name, data: data, lastEventID: lastEventID))
    }

    private static func equal(_ bytes: ArraySlice<UInt8>, _ literal: StaticString) -> Bool {
        guard bytes.count == literal.utf8CodeUnitCount else { return false }
        var offset = 0
        for byte in bytes {
            if byte != literal.utf8Start[offset] { return false }
            offset += 1
        }
        return true
    }
}
