internal import RejoinCore
internal import SQLite

extension LocalTransaction {
    /// Adds text that can be looked for.
    ///
    /// - Parameter time: when it was written: the newest is found first.
    /// - Returns: its key.
    func addPassage(
        _ body: String, conversation: Int64, turn: Int64? = nil, answer: Int64? = nil, at time: Timestamp
    ) throws -> Int64 {
        let key = try freePassageKey(near: time)
        try connection.run(
            "INSERT INTO passage (key, conversation, turn, answer, body) VALUES (?, ?, ?, ?, ?)",
            .integer(key), .integer(conversation), .optional(turn), .optional(answer), .text(body))
        try index(body, under: key)
        return key
    }

    /// Takes a passage out of the table and the index.
    ///
    /// - Parameter erases: whether its words must leave the file, rather than come back in a longer text.
    func removePassage(_ key: Int64, erases: Bool) throws {
        let body = try connection.first("SELECT body FROM passage WHERE key = ?", .integer(key)) { $0.text(0) }
        guard let body else { return }
        try unindex(body, under: key)
        try connection.run("DELETE FROM passage WHERE key = ?", .integer(key))
        if erases { owesSweep() }
    }

    /// Takes all passages of a conversation out of the table and the index.
    func removePassages(of conversation: Int64) throws {
        let passages = try connection.all(
            "SELECT key, body FROM passage WHERE conversation = ? ORDER BY key", .integer(conversation)
        ) { ($0.integer64(0), $0.text(1)) }
        for (key, body) in passages { try unindex(body, under: key) }
        try connection.run("DELETE FROM passage WHERE conversation = ?", .integer(conversation))
        owesSweep()
    }

    /// Empties the index at one stroke.
    func removeAllPassages() throws {
        try connection.run("INSERT INTO words (words) VALUES ('delete-all')")
        try connection.run("INSERT INTO bigrams (bigrams) VALUES ('delete-all')")
        try connection.run("DELETE FROM passage")
        erasesText = true
    }

    /// Finds the newest passages that hold what was typed.
    func search(_ query: SearchQuery, limit: Int) throws -> [SearchHit] {
        struct Match {
            var key: Int64
            var snippet: Snippet?
        }
        let limit = max(0, limit)
        let matches: [Match]
        switch (query.words, query.pairs) {
        case (nil, nil): return []
        case (let words?, nil):
            matches = try connection.all(
                """
                SELECT rowid, snippet(words, 0, char(1), char(2), '…', 20) FROM words
                WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?
                """, .text(words), .integer(limit)
            ) { Match(key: $0.integer64(0), snippet: Snippet(marked: $0.text(1))) }
        case (nil, let pairs?):
            matches = try keys(ofPairs: pairs, below: .max, limit: limit).map { Match(key: $0) }
        case (let words?, let pairs?):
            matches = try keys(ofWords: words, pairs: pairs, limit: limit).map { Match(key: $0) }
        }
        return try matches.compactMap { match in
            try connection.first(
                """
                SELECT c.id, t.id, a.id, c.title, p.body FROM passage p
                JOIN conversation c ON c.key = p.conversation
                LEFT JOIN turn t ON t.key = p.turn LEFT JOIN answer a ON a.key = p.answer
                WHERE p.key = ? AND c.is_temporary = 0
                """, .integer(match.key)
            ) { row throws(SQLiteFailure) in
                let snippet = match.snippet ?? Snippet(of: query.runs, in: row.text(4))
                return SearchHit(
                    conversation: try row.id(0), turn: try row.optionalID(1), answer: try row.optionalID(2),
                    title: row.text(3), snippet: snippet.text, matches: snippet.matches)
            }
        }
    }

    private func keys(ofPairs pairs: String, below: Int64, limit: Int) throws -> [Int64] {
        try connection.all(
            "SELECT rowid FROM bigrams WHERE bigrams MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?", .text(pairs),
            .integer(below), .integer(limit)
        ) { $0.integer64(0) }
    }

    /// The newest passages that both indexes name.
    ///
    /// Stretch by stretch, each longer than the last: left to itself, the planner asks one index about every single
    /// passage that the other names.
    private func keys(ofWords words: String, pairs: String, limit: Int) throws -> [Int64] {
        var found: [Int64] = []
        var below = Int64.max
        var length = 512
        while found.count < limit {
            let stretch = try keys(ofPairs: pairs, below: below, limit: length)
            guard let newest = stretch.first, let oldest = stretch.last else { break }
            let named = Set(
                try connection.all(
                    "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?", .text(words),
                    .integer(oldest), .integer(newest)
                ) { $0.integer64(0) })
            found += stretch.filter(named.contains).prefix(limit - found.count)
            below = oldest
            length = min(length * 2, 1 << 14)
        }
        return found
    }

    private func index(_ body: String, under key: Int64) throws {
        try connection.run("INSERT INTO words (rowid, body) VALUES (?, ?)", .integer(key), .text(body))
        guard let pairs = UnspacedText.pairs(of: body) else { return }
        try connection.run("INSERT INTO bigrams (rowid, body) VALUES (?, ?)", .integer(key), .text(pairs))
    }

    /// The index must be told what it holds, word for word.
    private func unindex(_ body: String, under key: Int64) throws {
        try connection.run(
            "INSERT INTO words (words, rowid, body) VALUES ('delete', ?, ?)", .integer(key), .text(body))
        guard let pairs = UnspacedText.pairs(of: body) else { return }
        try connection.run(
            "INSERT INTO bigrams (bigrams, rowid, body) VALUES ('delete', ?, ?)", .integer(key), .text(pairs))
    }

    /// A key whose order is that of time: so the newest are found first without sorting.
    ///
    /// Seconds since 2020 times sixteen; what is more in a second takes free places after it, ever wider.
    private func freePassageKey(near time: Timestamp) throws -> Int64 {
        let seconds = max(0, time.milliseconds / 1000 - 1_577_836_800)
        var key = min(seconds, 1 << 40) << 4
        var width: Int64 = 16
        while true {
            let last = try connection.first(
                "SELECT max(key) FROM passage WHERE key BETWEEN ? AND ?", .integer(key), .integer(key + width - 1)
            ) { $0.optionalKey(0) }
            guard let last = last ?? nil else { return key }
            if last < key + width - 1 { return last + 1 }
            key += width
            width = min(width * 4, 1 << 20)
        }
    }
}
