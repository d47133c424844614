package import SQLite

/// The tables of the SQLite store, as numbered steps from an empty file.
///
/// A step that was released never changes; what comes later is a new step. The file's `user_version` is the number
/// of the last step that it went through, its `application_id` says that it is ours.
package enum Schema {
    /// "Rejo" in ASCII.
    static let applicationID = 0x5265_6A6F

    /// The steps; the first makes version 1.
    package static let migrations = [version1, version2, version3, limits, search, people, memory, keys]

    /// Brings a file up to a version, one transaction a step; a file that is there already is left alone.
    ///
    /// - Parameter target: the version to stop at; tests make old files with it.
    /// - Throws: ``StoreFailure`` for a file that is newer or not ours, ``SQLiteFailure`` for the rest.
    package static func migrate(_ connection: Connection, to target: Int = migrations.count) throws {
        let found = try version(of: connection)
        guard found < target else { return }
        for (index, script) in migrations[..<target].enumerated() where index >= found {
            try connection.transaction(.immediate) {
                // Another process may have taken this step while we waited for the lock.
                guard try version(of: connection) == index else { return }
                try connection.execute(script)
                try connection.execute(
                    "PRAGMA user_version = \(index + 1); PRAGMA application_id = \(applicationID)")
            }
        }
    }

    /// The version that a file is at; 0 for an empty one.
    ///
    /// Only reads, so that a file that is not ours stays as it is.
    ///
    /// - Throws: as ``migrate(_:to:)``.
    @discardableResult
    package static func version(of connection: Connection) throws -> Int {
        // Both numbers of one moment: another process may be making the file.
        if !connection.isInTransaction {
            return try connection.transaction(.deferred) { try Self.version(of: connection) }
        }
        let application = try connection.first("PRAGMA application_id") { $0.integer(0) } ?? 0
        let version = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        if application != applicationID {
            let isEmpty = try !connection.exists("SELECT 1 FROM sqlite_schema")
            guard application == 0, version == 0, isEmpty else {
                throw StoreFailure(.corrupt, detail: "the file is a database of another program")
            }
            return 0
        }
        guard version <= migrations.count else {
            throw StoreFailure(
                .newer,
                detail: "the database is at version \(version), and this program knows versions up to "
                    + "\(migrations.count): run the newer program, or restore a backup made by this one")
        }
        return version
    }

    /// Ids are blobs of sixteen bytes, times are milliseconds since 1970, content is JSON in UTF-8.
    ///
    /// Turns and answers have integer keys in the order of admission. A deleted thing leaves nothing in its table and
    /// its id in `tombstone`.
    private static let version1 = """
        CREATE TABLE account (
            id BLOB NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            name_key TEXT NOT NULL UNIQUE,
            password_hash TEXT,
            created_at INTEGER NOT NULL,
            newest_change INTEGER NOT NULL DEFAULT 0,
            expired_change INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE session (
            id BLOB NOT NULL PRIMARY KEY,
            account BLOB NOT NULL REFERENCES account (id),
            token_hash BLOB NOT NULL UNIQUE,
            device TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX session_of_account ON session (account, created_at, id);

        CREATE TABLE sign_in_code (
            hash BLOB NOT NULL PRIMARY KEY,
            account BLOB NOT NULL REFERENCES account (id),
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE conversation (
            id BLOB NOT NULL PRIMARY KEY,
            account BLOB NOT NULL REFERENCES account (id),
            title TEXT,
            title_source INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            is_pinned INTEGER NOT NULL,
            is_archived INTEGER NOT NULL,
            is_temporary INTEGER NOT NULL,
            selected BLOB
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX conversation_newest_first ON conversation (account, updated_at DESC, id DESC)
            WHERE is_temporary = 0;
        CREATE INDEX conversation_temporary ON conversation (updated_at) WHERE is_temporary = 1;
        CREATE INDEX conversation_of_account ON conversation (account);

        CREATE TABLE turn (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            conversation BLOB NOT NULL REFERENCES conversation (id),
            account BLOB NOT NULL,
            parent BLOB,
            content BLOB NOT NULL,
            model TEXT NOT NULL,
            options BLOB NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX turn_of_conversation ON turn (conversation);

        CREATE TABLE answer (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            turn BLOB NOT NULL REFERENCES turn (id),
            conversation BLOB NOT NULL,
            account BLOB NOT NULL,
            requested_model TEXT NOT NULL,
            options BLOB NOT NULL,
            started_at INTEGER NOT NULL,
            ended_at INTEGER,
            state TEXT,
            reason TEXT,
            resets_at INTEGER,
            retry_after INTEGER,
            seq INTEGER,
            content BLOB,
            model TEXT,
            placement TEXT,
            model_reason TEXT,
            input_tokens INTEGER,
            output_tokens INTEGER,
            is_estimated INTEGER,
            has_log INTEGER NOT NULL DEFAULT 1
        ) STRICT;
        CREATE INDEX answer_of_turn ON answer (turn);
        CREATE INDEX answer_of_conversation ON answer (conversation);
        CREATE INDEX answer_unfinished ON answer (key) WHERE state IS NULL;
        CREATE INDEX answer_with_old_log ON answer (ended_at) WHERE state IS NOT NULL AND has_log = 1;

        CREATE TABLE log (
            answer INTEGER NOT NULL,
            last_seq INTEGER NOT NULL,
            first_seq INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (answer, last_seq)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE change (
            account BLOB NOT NULL,
            cursor INTEGER NOT NULL,
            kind TEXT NOT NULL,
            subject BLOB NOT NULL,
            conversation BLOB,
            is_deletion INTEGER NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (account, cursor)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE tombstone (
            kind TEXT NOT NULL,
            id BLOB NOT NULL,
            account BLOB NOT NULL,
            deleted_at INTEGER NOT NULL,
            PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;
        """

    /// What is appended goes to the journal first and is sorted into the log later: see ``Journal``.
    private static let version2 = """
        CREATE TABLE journal (
            batch INTEGER PRIMARY KEY,
            entries BLOB NOT NULL
        ) STRICT;
        """

    private static let version3 = """
        -- Why an answer's text was taken back: a log that was dropped no longer tells.
        ALTER TABLE answer ADD COLUMN withdrawn TEXT;
        """
}
