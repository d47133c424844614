internal import CSQLite

extension Connection {
    /// Copies the whole database, as it is at one moment, into an empty one.
    ///
    /// Other connections go on writing meanwhile; the copy holds a reader's mark in the write-ahead log, which grows for
    /// as long.
    ///
    /// - Parameters:
    ///   - pagesAStep: how many pages are copied at once.
    ///   - between: called after each step but the last, with the pages that are left and all of them.
    package func copy(
        into target: Connection, pagesAStep: Int32, between: (_ left: Int, _ all: Int) throws -> Void
    ) throws {
        try transaction(.deferred) {
            // A first read fixes the moment; without it every write of others would begin the copy again.
            _ = try exists("SELECT 1 FROM sqlite_schema")
            guard let backup = unsafe sqlite3_backup_init(target.handle.pointer, "main", handle.pointer, "main") else {
                throw target.failure(SQLITE_ERROR, nil)
            }
            defer { unsafe sqlite3_backup_finish(backup) }
            while true {
                let status = unsafe sqlite3_backup_step(backup, pagesAStep)
                if status == SQLITE_DONE { return }
                guard status == SQLITE_OK else { throw target.failure(status, nil) }
                let left = Int(unsafe sqlite3_backup_remaining(backup))
                let all = Int(unsafe sqlite3_backup_pagecount(backup))
                try between(left, all)
            }
        }
    }
}
