internal import SQLite

/// The tables of the local store, as numbered steps from an empty file.
///
/// A step that was released never changes; what comes later is a new step. The file's `user_version` is the number of
/// the last step that it went through, its `application_id` says that it is ours.
enum LocalSchema {
    /// "Rejc" in ASCII.
    private static let applicationID = 0x5265_6A63

    /// The steps; the first makes version 1.
    static let migrations = [version1, version2]

    /// Brings a file up to the newest version in one transaction.
    ///
    /// - Parameter migrations: the steps to know; tests add some of their own.
    /// - Throws: ``LocalStoreError`` for a file that is newer or not ours, `SQLiteFailure` for the rest.
    static func migrate(_ connection: Connection, through migrations: [String] = migrations) throws {
        guard try version(of: connection, knowing: migrations.count) < migrations.count else { return }
        try connection.transaction(.immediate) {
            // Another process may have done it while this one waited for the lock.
            let found = try version(of: connection, knowing: migrations.count)
            for script in migrations.dropFirst(found) { try connection.execute(script) }
            try connection.execute(
                "PRAGMA user_version = \(migrations.count); PRAGMA application_id = \(applicationID)")
        }
    }

    /// The version that a file is at; 0 for an empty one.
    ///
    /// Only reads, so that a file that is not ours stays as it is.
    @discardableResult
    static func version(of connection: Connection, knowing newest: Int = migrations.count) throws -> Int {
        if !connection.isInTransaction {
            return try connection.transaction(.deferred) { try Self.version(of: connection, knowing: newest) }
        }
        let application = try connection.first("PRAGMA application_id") { $0.integer(0) } ?? 0
        let version = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        if application != applicationID {
            let isEmpty = try !connection.exists("SELECT 1 FROM sqlite_schema")
            guard application == 0, version == 0, isEmpty else {
                throw LocalStoreError(.damaged, detail: "the file is a database of another program")
            }
            return 0
        }
        guard version <= newest else {
            throw LocalStoreError(
                .newer, detail: "the file is at version \(version), this program knows versions up to \(newest)")
        }
        return version
    }

    /// Ids are blobs of sixteen bytes, times are milliseconds since 1970, content beyond plain text is JSON in UTF-8.
    ///
    /// All text that can be looked for is in `passage`, once; the index of words reads it from there, and `bigrams`
    /// covers scripts that put no spaces between words. An answer that streams grows by rows of `piece`, so that a
    /// flush costs the same however long it is; when it pauses or ends they become one passage.
    private static let version1 = """
        CREATE TABLE conversation (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            title TEXT NOT NULL,
            title_rank INTEGER NOT NULL,
            title_passage INTEGER,
            updated_at INTEGER NOT NULL,
            is_pinned INTEGER NOT NULL,
            is_archived INTEGER NOT NULL,
            is_temporary INTEGER NOT NULL,
            is_complete INTEGER NOT NULL,
            selected BLOB
        ) STRICT;
        CREATE INDEX conversation_listed ON conversation (is_pinned, updated_at, id) WHERE is_temporary = 0;
        CREATE INDEX conversation_shown ON conversation (is_pinned, updated_at, id)
            WHERE is_temporary = 0 AND is_archived = 0;

        CREATE TABLE turn (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            conversation INTEGER NOT NULL,
            parent BLOB,
            position INTEGER,
            passage INTEGER NOT NULL,
            parts BLOB,
            model TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            delivery INTEGER NOT NULL,
            waiting_since INTEGER,
            expires_at INTEGER,
            refusal BLOB
        ) STRICT;
        CREATE INDEX turn_of_conversation ON turn (conversation);
        CREATE INDEX turn_unsent ON turn (conversation) WHERE delivery < 2;

        CREATE TABLE answer (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            conversation INTEGER NOT NULL,
            turn INTEGER NOT NULL,
            position INTEGER,
            local INTEGER NOT NULL,
            withdrawal TEXT,
            state TEXT NOT NULL,
            reason TEXT,
            resets_at INTEGER,
            retry_after INTEGER,
            seq INTEGER NOT NULL,
            base_seq INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX answer_of_conversation ON answer (conversation);
        CREATE INDEX answer_of_turn ON answer (turn);
        CREATE INDEX answer_unfinished ON answer (local) WHERE local >= 2;

        CREATE TABLE answer_base (
            answer INTEGER PRIMARY KEY,
            passage INTEGER,
            parts BLOB,
            detail BLOB
        ) STRICT;
        CREATE TABLE piece (
            answer INTEGER NOT NULL,
            first_seq INTEGER NOT NULL,
            events BLOB NOT NULL,
            PRIMARY KEY (answer, first_seq)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE passage (
            key INTEGER PRIMARY KEY,
            conversation INTEGER NOT NULL,
            turn INTEGER,
            answer INTEGER,
            body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX passage_of_conversation ON passage (conversation);
        CREATE VIRTUAL TABLE words USING fts5 (
            body, content = 'passage', content_rowid = 'key', columnsize = 0, prefix = '2 3 4',
            tokenize = 'unicode61 remove_diacritics 2');
        CREATE VIRTUAL TABLE bigrams USING fts5 (body, content = '', columnsize = 0, tokenize = 'ascii');

        CREATE TABLE draft (
            conversation BLOB NOT NULL PRIMARY KEY,
            text TEXT NOT NULL,
            editing BLOB,
            updated_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE outbox (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            kind INTEGER NOT NULL,
            conversation BLOB,
            turn BLOB,
            answer BLOB,
            text TEXT,
            flag INTEGER,
            created_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX outbox_of_conversation ON outbox (conversation);
        CREATE TABLE tombstone (
            conversation BLOB NOT NULL PRIMARY KEY,
            deleted_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE fact (
            name TEXT NOT NULL PRIMARY KEY,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Turns that this device answered itself; a program that does not know of them must not read the file.
    private static let version2 = "CREATE INDEX turn_on_device ON turn (conversation) WHERE delivery > 4;"
}
