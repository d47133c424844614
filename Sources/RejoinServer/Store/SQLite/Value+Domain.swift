internal import RejoinCore
internal import SQLite

extension Value {
    /// Binds an id's sixteen bytes.
    static func id<Kind>(_ id: ID<Kind>) -> Value { .bytes(id.bytes) }

    /// Binds an id's sixteen bytes, or null.
    static func id<Kind>(_ id: ID<Kind>?) -> Value { id.map { .bytes($0.bytes) } ?? .null }

    /// Binds a moment's milliseconds.
    static func time(_ time: Timestamp) -> Value { .integer(time.milliseconds) }

    /// Binds a text, or null.
    static func optional(_ text: String?) -> Value { text.map { .text($0) } ?? .null }

    /// Binds a whole number, or null.
    static func optional(_ number: Int?) -> Value { number.map { .integer($0) } ?? .null }

    /// Binds content as JSON.
    static func content(_ parts: [ContentPart]) -> Value { .bytes(StoredContent.encode(parts)) }
}

extension Row {
    /// An id; damaged if it is not of sixteen bytes.
    func id<Kind>(_ column: Int32) throws(SQLiteFailure) -> ID<Kind> {
        guard let id = ID<Kind>(bytes: bytes(column)) else { throw .corrupt("an id is not of sixteen bytes") }
        return id
    }

    /// An id, or nil for null.
    func optionalID<Kind>(_ column: Int32) throws(SQLiteFailure) -> ID<Kind>? {
        isNull(column) ? nil : try id(column)
    }

    /// A moment.
    func time(_ column: Int32) -> Timestamp { Timestamp(milliseconds: integer64(column)) }

    /// A text, or nil for null.
    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// A whole number, or nil for null.
    func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }

    /// A moment, or nil for null.
    func optionalTime(_ column: Int32) -> Timestamp? { isNull(column) ? nil : time(column) }

    /// Content; empty for null.
    func content(_ column: Int32) throws(SQLiteFailure) -> [ContentPart] {
        isNull(column) ? [] : try StoredContent.decode(bytes(column))
    }
}

/// Content as the database keeps it.
enum StoredContent {
    /// The parts as a JSON array; equal content has equal bytes.
    static func encode(_ parts: [ContentPart]) -> [UInt8] {
        var json = JSONWriter()
        json.content(parts)
        return json.bytes
    }

    /// Reads what ``encode(_:)`` wrote.
    static func decode(_ bytes: [UInt8]) throws(SQLiteFailure) -> [ContentPart] {
        guard let values = try? JSONReader.parse(bytes).array, let parts = ContentPart.parts(values) else {
            throw .corrupt("stored content is not readable")
        }
        return parts
    }
}
