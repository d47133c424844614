extension Schema {
    /// The ways to sign in beside passwords: passkeys, and identities at a provider.
    static let keys = """
        CREATE TABLE passkey (
            id BLOB NOT NULL PRIMARY KEY,
            account BLOB NOT NULL REFERENCES account (id),
            credential BLOB NOT NULL UNIQUE,
            public_key BLOB NOT NULL,
            sign_count INTEGER NOT NULL,
            is_backup_eligible INTEGER NOT NULL,
            is_backed_up INTEGER NOT NULL,
            transports TEXT NOT NULL,
            name TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            last_used_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX passkey_of_account ON passkey (account, created_at, id);

        CREATE TABLE identity (
            id BLOB NOT NULL PRIMARY KEY,
            account BLOB NOT NULL REFERENCES account (id),
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            name TEXT,
            created_at INTEGER NOT NULL,
            last_used_at INTEGER,
            UNIQUE (issuer, subject)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX identity_of_account ON identity (account, created_at, id);
        """
}
