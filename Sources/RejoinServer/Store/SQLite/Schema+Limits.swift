extension Schema {
    /// Plans, the ledger, decisions about one's words, and what happened to an account.
    ///
    /// A counter for each window, so that admitting looks at one row a quota; and an entry for each answer, so that it is
    /// settled once. Who has an account already has kept their conversations: that is written down as their decision.
    static let limits = """
        ALTER TABLE account ADD COLUMN plan TEXT;
        ALTER TABLE account ADD COLUMN limits_change INTEGER;
        ALTER TABLE answer ADD COLUMN sent BLOB;

        CREATE TABLE quota_use (
            account BLOB NOT NULL,
            capability TEXT NOT NULL,
            window INTEGER NOT NULL,
            ends_at INTEGER NOT NULL,
            used INTEGER NOT NULL CHECK (used >= 0),
            PRIMARY KEY (account, capability, window)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE charge (
            answer BLOB NOT NULL PRIMARY KEY,
            account BLOB NOT NULL,
            at INTEGER NOT NULL,
            settled_at INTEGER,
            tokens INTEGER CHECK (tokens >= 0),
            is_estimated INTEGER,
            counts INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX charge_settled ON charge (settled_at) WHERE settled_at IS NOT NULL;

        CREATE TABLE taking (
            answer BLOB NOT NULL,
            capability TEXT NOT NULL,
            window INTEGER NOT NULL,
            ends_at INTEGER NOT NULL,
            amount INTEGER NOT NULL CHECK (amount >= 0),
            PRIMARY KEY (answer, capability)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE consent (
            account BLOB NOT NULL REFERENCES account (id),
            topic TEXT NOT NULL,
            version INTEGER NOT NULL,
            value INTEGER NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (account, topic, version)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO consent (account, topic, version, value, at) SELECT id, 'history', 1, 1, created_at FROM account;

        CREATE TABLE audit (
            account BLOB NOT NULL REFERENCES account (id),
            number INTEGER NOT NULL,
            at INTEGER NOT NULL,
            event TEXT NOT NULL,
            detail TEXT,
            PRIMARY KEY (account, number)
        ) STRICT, WITHOUT ROWID;
        """
}
