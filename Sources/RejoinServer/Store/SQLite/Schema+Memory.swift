extension Schema {
    /// What is remembered about people, and which conversations take part.
    ///
    /// `memory_declined` holds hashes alone: what a person took away is not proposed again, and not kept either.
    static let memory = """
        ALTER TABLE conversation ADD COLUMN uses_memory INTEGER NOT NULL DEFAULT 1;

        CREATE TABLE fact (
            id BLOB NOT NULL PRIMARY KEY,
            account BLOB NOT NULL REFERENCES account (id),
            key BLOB NOT NULL,
            text TEXT NOT NULL,
            source TEXT NOT NULL,
            is_accepted INTEGER NOT NULL,
            conversation BLOB,
            turn BLOB,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            UNIQUE (account, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX fact_newest_first ON fact (account, updated_at DESC, id DESC);
        CREATE INDEX fact_of_conversation ON fact (conversation) WHERE conversation IS NOT NULL;

        CREATE TABLE memory_declined (
            account BLOB NOT NULL REFERENCES account (id),
            key BLOB NOT NULL,
            PRIMARY KEY (account, key)
        ) STRICT, WITHOUT ROWID;
        """
}
