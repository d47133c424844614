internal import CSQLite

/// One row of a result, readable until the statement moves on.
///
/// Columns count from 0. A column that does not exist reads as null.
@safe package struct Row: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { unsafe self.statement = statement }

    /// Whether the column holds null.
    package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// A whole number; 0 for null.
    package func integer(_ column: Int32) -> Int { Int(unsafe sqlite3_column_int64(statement, column)) }

    /// A whole number of 64 bits; 0 for null.
    package func integer64(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

    /// A number; 0 for null.
    package func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(statement, column) }

    /// A truth value kept as 0 or 1.
    package func bool(_ column: Int32) -> Bool { integer64(column) != 0 }

    /// Text, copied; empty for null.
    package func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_text(statement, column) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Bytes, copied; empty for null.
    package func bytes(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// How many bytes the text or the bytes of the column take.
    package func byteCount(_ column: Int32) -> Int { Int(unsafe sqlite3_column_bytes(statement, column)) }
}
