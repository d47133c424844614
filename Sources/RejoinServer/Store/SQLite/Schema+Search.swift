extension Schema {
    /// What can be looked for, and the tasks of an account.
    ///
    /// The indexes hold words and where they stand, never a text: to take one out, they must be told it again, so it is
    /// read from the table that has it. `passage` says whose a row of the indexes is; its key is account, kind and time,
    /// so that the newest of one account are found without sorting and without passing those of others. What is to be
    /// indexed waits in `search_queue` as ids. Everything that was there before this version begins by waiting there.
    static let search = """
        CREATE TABLE search_account (
            number INTEGER PRIMARY KEY,
            account BLOB NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE search_queue (
            number INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            subject INTEGER NOT NULL,
            conversation BLOB NOT NULL
        ) STRICT;
        CREATE TABLE search_sweep (progress INTEGER NOT NULL) STRICT;
        CREATE TABLE passage (
            key INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            subject INTEGER NOT NULL,
            conversation BLOB NOT NULL
        ) STRICT;
        CREATE INDEX passage_of_conversation ON passage (conversation, kind, subject);
        CREATE VIRTUAL TABLE words USING fts5 (
            body, content = '', columnsize = 0, prefix = '2 3 4', tokenize = 'unicode61 remove_diacritics 2');
        CREATE VIRTUAL TABLE bigrams USING fts5 (body, content = '', columnsize = 0, tokenize = 'ascii');
        INSERT INTO search_queue (kind, subject, conversation)
            SELECT 0, 0, id FROM conversation WHERE title IS NOT NULL AND is_temporary = 0;
        INSERT INTO search_queue (kind, subject, conversation)
            SELECT 1, turn.key, turn.conversation FROM turn
            JOIN conversation ON conversation.id = turn.conversation WHERE is_temporary = 0 ORDER BY turn.key;
        INSERT INTO search_queue (kind, subject, conversation)
            SELECT 2, answer.key, answer.conversation FROM answer
            JOIN conversation ON conversation.id = answer.conversation
            WHERE is_temporary = 0 AND state IS NOT NULL ORDER BY answer.key;

        CREATE TABLE task (
            id BLOB NOT NULL PRIMARY KEY,
            account BLOB NOT NULL REFERENCES account (id),
            kind TEXT NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            done INTEGER NOT NULL,
            total INTEGER,
            report BLOB,
            result_bytes INTEGER,
            created_at INTEGER NOT NULL,
            ended_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX task_of_account ON task (account, created_at, id);
        CREATE INDEX task_unfinished ON task (created_at) WHERE ended_at IS NULL;
        """
}
