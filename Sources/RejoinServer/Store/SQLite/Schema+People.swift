extension Schema {
    /// Roles, when a device was last seen, invitations, and what slows guessing down.
    ///
    /// The oldest account becomes the owner: it is the one that the first start made, or that was added before it. Keys
    /// of attempts and addresses are hashes.
    static let people = """
        ALTER TABLE account ADD COLUMN role TEXT NOT NULL DEFAULT 'member';
        UPDATE account SET role = 'owner'
            WHERE id = (SELECT id FROM account ORDER BY created_at, id LIMIT 1);
        ALTER TABLE session ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
        UPDATE session SET seen_at = created_at;

        CREATE TABLE invite (
            id BLOB NOT NULL PRIMARY KEY,
            code_hash BLOB NOT NULL UNIQUE,
            maker BLOB NOT NULL REFERENCES account (id),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            uses INTEGER NOT NULL CHECK (uses > 0),
            used INTEGER NOT NULL DEFAULT 0 CHECK (used <= uses),
            revoked_at INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE attempt (
            key BLOB NOT NULL PRIMARY KEY,
            count INTEGER NOT NULL,
            last_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX attempt_oldest ON attempt (last_at);

        CREATE TABLE familiar_address (
            account BLOB NOT NULL REFERENCES account (id),
            address BLOB NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (account, address)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX familiar_oldest ON familiar_address (at);
        """
}
