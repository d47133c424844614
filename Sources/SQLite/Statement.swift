internal import CSQLite

/// A prepared statement; freed when its last owner lets go.
@safe struct Statement: ~Copyable {
    private let pointer: OpaquePointer

    /// Takes over what `sqlite3_prepare_v3` made.
    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe sqlite3_finalize(pointer) }

    /// Binds values to the parameters, from the first on; the library copies them.
    ///
    /// - Returns: SQLite's result code.
    func bind(_ values: [Value]) -> Int32 {
        var index: Int32 = 0
        for value in values {
            index += 1
            let status: Int32
            switch value {
            case .null: status = unsafe sqlite3_bind_null(pointer, index)
            case .integer(let integer): status = unsafe sqlite3_bind_int64(pointer, index, integer)
            case .real(let real): status = unsafe sqlite3_bind_double(pointer, index, real)
            case .text(var text):
                status = text.withUTF8 { utf8 in
                    unsafe utf8.withMemoryRebound(to: CChar.self) { characters in
                        unsafe csqlite_bind_text(pointer, index, characters.baseAddress, UInt64(characters.count))
                    }
                }
            case .bytes(let bytes):
                status = unsafe bytes.withUnsafeBytes { raw in
                    unsafe csqlite_bind_bytes(pointer, index, raw.baseAddress, UInt64(raw.count))
                }
            }
            guard status == SQLITE_OK else { return status }
        }
        return SQLITE_OK
    }

    /// Moves to the next row or to the end.
    func step() -> Int32 { unsafe sqlite3_step(pointer) }

    /// The row that the last step reached.
    func withRow<Result>(_ body: (borrowing Row) throws(SQLiteFailure) -> Result) throws(SQLiteFailure) -> Result {
        try body(unsafe Row(pointer))
    }

    /// Makes ready for the next run and lets go of the bound values, which may be large.
    func reset() {
        unsafe sqlite3_reset(pointer)
        unsafe sqlite3_clear_bindings(pointer)
    }
}

/// A place in a connection's cache for a statement, which a dictionary cannot hold by itself.
final class CachedStatement {
    let statement: Statement
    /// True while a run is under way: a second run of the same text then prepares one of its own.
    var isInUse = false

    init(_ statement: consuming Statement) { self.statement = statement }
}
