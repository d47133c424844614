internal import RejoinCore
internal import SQLite

extension Value {
    /// Binds an id's sixteen bytes.
    static func id<Kind>(_ id: ID<Kind>) -> Value { .bytes(StoredID.encode(id.high, id.low)) }

    /// Binds an id's sixteen bytes, or null.
    static func id<Kind>(_ id: ID<Kind>?) -> Value { id.map { .id($0) } ?? .null }

    /// Binds a moment.
    static func time(_ time: Timestamp) -> Value { .integer(time.milliseconds) }

    /// Binds a moment, or null.
    static func time(_ time: Timestamp?) -> Value { time.map { .integer($0.milliseconds) } ?? .null }

    /// Binds text, or null.
    static func optional(_ text: String?) -> Value { text.map { .text($0) } ?? .null }

    /// Binds a whole number, or null.
    static func optional(_ number: Int?) -> Value { number.map { .integer($0) } ?? .null }

    /// Binds a key, or null.
    static func optional(_ key: Int64?) -> Value { key.map { .integer($0) } ?? .null }

    /// Binds bytes, or null.
    static func optional(_ bytes: [UInt8]?) -> Value { bytes.map { .bytes($0) } ?? .null }
}

extension Row {
    /// An id; damaged if it is not of sixteen bytes.
    func id<Kind>(_ column: Int32) throws(SQLiteFailure) -> ID<Kind> {
        guard let (high, low) = StoredID.decode(bytes(column)) else { throw .corrupt("an id is not of sixteen bytes") }
        return ID(high: high, low: low)
    }

    /// An id, or nil for null.
    func optionalID<Kind>(_ column: Int32) throws(SQLiteFailure) -> ID<Kind>? {
        isNull(column) ? nil : try id(column)
    }

    /// A moment.
    func time(_ column: Int32) -> Timestamp { Timestamp(milliseconds: integer64(column)) }

    /// A moment, or nil for null.
    func optionalTime(_ column: Int32) -> Timestamp? { isNull(column) ? nil : time(column) }

    /// A text, or nil for null.
    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// A whole number, or nil for null.
    func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }

    /// A key, or nil for null.
    func optionalKey(_ column: Int32) -> Int64? { isNull(column) ? nil : integer64(column) }

    /// Content: what its passage says, or the parts where it is more than that.
    func content(body: Int32, parts: Int32) throws(SQLiteFailure) -> [ContentPart] {
        if isNull(parts) { return isNull(body) ? [] : [.text(text(body))] }
        guard let values = try? JSONReader.parse(bytes(parts)).array, let parts = ContentPart.parts(values) else {
            throw .corrupt("stored content is not readable")
        }
        return parts
    }
}

/// Content as the tables keep it: one text is its passage, anything else is kept as parts beside it.
struct StoredContent {
    /// What can be looked for.
    var body: String
    /// The parts as JSON; nil if the body says it all.
    var parts: [UInt8]?

    init(_ content: [ContentPart]) {
        if content.count == 1, case .text(let text)? = content.first {
            body = text
            parts = nil
            return
        }
        body = ContentPart.text(of: content)
        var json = JSONWriter()
        json.content(content)
        parts = json.bytes
    }
}

/// An id's sixteen bytes, big-endian, put together and taken apart without generics: every row read has several.
enum StoredID {
    /// The bytes of two halves.
    static func encode(_ high: UInt64, _ low: UInt64) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            for index in 0..<8 {
                let shift = UInt64(56 - index * 8)
                buffer[index] = UInt8(truncatingIfNeeded: high >> shift)
                buffer[index + 8] = UInt8(truncatingIfNeeded: low >> shift)
            }
            count = 16
        }
    }

    /// The halves of sixteen bytes; nil for any other number of them.
    static func decode(_ bytes: [UInt8]) -> (high: UInt64, low: UInt64)? {
        guard bytes.count == 16 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<8 {
            high = high << 8 | UInt64(bytes[index])
            low = low << 8 | UInt64(bytes[index + 8])
        }
        return (high, low)
    }
}
