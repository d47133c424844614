internal import RejoinCore
internal import SQLite

extension StoreTransaction {
    /// What kinds of text can be looked for; the numbers are in the file.
    enum Passage: Int { case title = 0, prompt, answer }

    /// How many of the newest matches are compared: more would make a common word slow, and no one reads so far.
    private static let candidates = (messages: 120, titles: 40)
    /// How much text is read to compare them.
    private static let comparedBytes = 1 << 20

    /// Notes that a text is to be indexed, which is done later: no answer waits for it.
    func queueForSearch(_ kind: Passage, _ subject: Int64, in conversation: ConversationID) throws {
        try connection.run(
            "INSERT INTO search_queue (kind, subject, conversation) VALUES (?, ?, ?)", .integer(kind.rawValue),
            .integer(subject), .id(conversation))
    }

    /// Takes an old title out of the index at once and notes the new one; called before the title is changed.
    func renameForSearch(_ old: ConversationRecord) throws {
        try removePassages(of: old.id, .title)
        try queueForSearch(.title, 0, in: old.id)
    }

    /// Indexes the texts that wait, up to about as many bytes.
    ///
    /// - Returns: whether more wait.
    func settleSearch(maximumBytes: Int) throws -> Bool {
        struct Waiting {
            var number: Int64
            var kind: Passage
            var subject: Int64
            var conversation: ConversationID
        }
        let limit = 64
        let waiting = try connection.all(
            "SELECT number, kind, subject, conversation FROM search_queue ORDER BY number LIMIT ?", .integer(limit)
        ) { row throws(SQLiteFailure) in
            guard let kind = Passage(rawValue: row.integer(1)) else { throw .corrupt("an unknown kind of text") }
            return Waiting(
                number: row.integer64(0), kind: kind, subject: row.integer64(2), conversation: try row.id(3))
        }
        var bytes = 0
        var settled = 0
        for entry in waiting {
            bytes += try addPassage(entry.kind, entry.subject, of: entry.conversation)
            try connection.run("DELETE FROM search_queue WHERE number = ?", .integer(entry.number))
            settled += 1
            if bytes > maximumBytes { break }
        }
        return settled < waiting.count || waiting.count == limit
    }

    /// Indexes a text, unless it is gone, indexed already, or temporary.
    ///
    /// - Returns: how many bytes it has.
    private func addPassage(_ kind: Passage, _ subject: Int64, of conversation: ConversationID) throws -> Int {
        let owner: (account: AccountID, isTemporary: Bool)? = try connection.first(
            "SELECT account, is_temporary FROM conversation WHERE id = ?", .id(conversation)
        ) { row throws(SQLiteFailure) in (try row.id(0), row.bool(1)) }
        guard let owner, !owner.isTemporary,
            let text = try text(of: kind, subject, in: conversation), !text.body.isEmpty
        else { return 0 }
        let isIndexed = try connection.exists(
            "SELECT 1 FROM passage WHERE conversation = ? AND kind = ? AND subject = ?", .id(conversation),
            .integer(kind.rawValue), .integer(subject))
        if isIndexed { return 0 }
        guard let range = PassageKeys(account: try searchNumber(of: owner.account), isTitle: kind == .title),
            let key = try freeKey(in: range, at: text.at)
        else { return 0 }
        try connection.run(
            "INSERT INTO passage (key, kind, subject, conversation) VALUES (?, ?, ?, ?)", .integer(key),
            .integer(kind.rawValue), .integer(subject), .id(conversation))
        try connection.run("INSERT INTO words (rowid, body) VALUES (?, ?)", .integer(key), .text(text.body))
        if let pairs = UnspacedText.pairs(of: text.body) {
            try connection.run("INSERT INTO bigrams (rowid, body) VALUES (?, ?)", .integer(key), .text(pairs))
        }
        return text.body.utf8.count
    }

    /// Takes the texts of a conversation, or those of one kind, out of the index.
    func removePassages(of conversation: ConversationID, _ only: Passage? = nil) throws {
        let passages: [(key: Int64, kind: Passage, subject: Int64)] = try connection.all(
            "SELECT key, kind, subject FROM passage WHERE conversation = ?", .id(conversation)
        ) { row throws(SQLiteFailure) in
            guard let kind = Passage(rawValue: row.integer(1)) else { throw .corrupt("an unknown kind of text") }
            return (row.integer64(0), kind, row.integer64(2))
        }
        for (key, kind, subject) in passages where only == nil || kind == only {
            guard let body = try text(of: kind, subject, in: conversation)?.body else {
                throw SQLiteFailure.corrupt("an indexed text is missing")
            }
            // The index must be told what it holds, word for word.
            try connection.run(
                "INSERT INTO words (words, rowid, body) VALUES ('delete', ?, ?)", .integer(key), .text(body))
            if let pairs = UnspacedText.pairs(of: body) {
                try connection.run(
                    "INSERT INTO bigrams (bigrams, rowid, body) VALUES ('delete', ?, ?)", .integer(key), .text(pairs))
            }
            try connection.run("DELETE FROM passage WHERE key = ?", .integer(key))
            try oweSweep()
        }
    }

    /// A text as it is indexed, with its time; nil if it is gone.
    private func text(
        of kind: Passage, _ subject: Int64, in conversation: ConversationID
    ) throws -> (body: String, at: Timestamp)? {
        switch kind {
        case .title:
            try connection.first(
                "SELECT coalesce(title, ''), created_at FROM conversation WHERE id = ?", .id(conversation)
            ) { ($0.text(0), $0.time(1)) }
        case .prompt:
            try connection.first(
                "SELECT content, created_at FROM turn WHERE key = ? AND conversation = ?", .integer(subject),
                .id(conversation)
            ) { row throws(SQLiteFailure) in (ContentPart.text(of: try row.content(0)), row.time(1)) }
        case .answer:
            try connection.first(
                "SELECT content, started_at FROM answer WHERE key = ? AND conversation = ?", .integer(subject),
                .id(conversation)
            ) { row throws(SQLiteFailure) in (ContentPart.text(of: try row.content(0)), row.time(1)) }
        }
    }

    /// The number that an account has in the index.
    private func searchNumber(of account: AccountID) throws -> Int64 {
        if let number = try knownSearchNumber(of: account) { return number }
        try connection.run("INSERT INTO search_account (account) VALUES (?)", .id(account))
        return connection.lastInsertedKey
    }

    private func knownSearchNumber(of account: AccountID) throws -> Int64? {
        try connection.first("SELECT number FROM search_account WHERE account = ?", .id(account)) { $0.integer64(0) }
    }

    /// The first free key at a moment; what is more in a second than it has keys takes free ones after it, ever wider.
    private func freeKey(in keys: PassageKeys, at time: Timestamp) throws -> Int64? {
        var key = keys.first(at: time)
        var width = PassageKeys.keysASecond
        while key + width - 1 <= keys.last {
            let last = try connection.first(
                "SELECT max(key) FROM passage WHERE key BETWEEN ? AND ?", .integer(key), .integer(key + width - 1)
            ) { $0.isNull(0) ? nil : $0.integer64(0) }
            guard let last = last ?? nil else { return key }
            if last < key + width - 1 { return last + 1 }
            key += width
            width = min(width * 4, 1 << 24)
        }
        return nil
    }

    // MARK: Finding

    func search(_ text: String, of account: AccountID, limit: Int) throws -> [SearchHit] {
        let matcher = PassageMatcher(text)
        guard !matcher.isEmpty, limit > 0, let number = try knownSearchNumber(of: account),
            let titles = PassageKeys(account: number, isTitle: true),
            let messages = PassageKeys(account: number, isTitle: false)
        else { return [] }
        var found: [RankedHit] = []
        var bytes = 0
        for (keys, most) in [(titles, Self.candidates.titles), (messages, Self.candidates.messages)] {
            for (place, key) in try self.keys(matching: matcher.query, in: keys, limit: most).enumerated() {
                guard bytes < Self.comparedBytes, let (hit, body) = try hit(key) else { continue }
                bytes += body.utf8.count
                let match = matcher.match(body)
                var ranked = RankedHit(hit: hit, score: match?.score ?? 0, key: key)
                ranked.score += RankedHit.bonus(isTitle: hit.kind == .title, place: place, of: most)
                ranked.hit.excerpt = Excerpt(of: body, around: match?.ranges ?? [])
                found.append(ranked)
            }
        }
        return RankedHit.best(found, limit: limit)
    }

    /// The newest passages that the indexes name, newest first.
    private func keys(matching query: SearchQuery, in keys: PassageKeys, limit: Int) throws -> [Int64] {
        switch (query.words, query.pairs) {
        case (nil, nil): []
        case (let words?, nil): try newest("words", words, in: keys.first...keys.last, limit: limit)
        case (nil, let pairs?): try newest("bigrams", pairs, in: keys.first...keys.last, limit: limit)
        case (let words?, let pairs?): try newest(words: words, pairs: pairs, in: keys, limit: limit)
        }
    }

    private func newest(
        _ index: String, _ expression: String, in keys: ClosedRange<Int64>, limit: Int
    ) throws -> [Int64] {
        try connection.all(
            """
            SELECT rowid FROM \(index) WHERE \(index) MATCH ? AND rowid BETWEEN ? AND ?
            ORDER BY rowid DESC LIMIT ?
            """, .text(expression), .integer(keys.lowerBound), .integer(keys.upperBound), .integer(limit)
        ) { $0.integer64(0) }
    }

    /// The newest passages that both indexes name, stretch by stretch.
    ///
    /// Left to itself, the planner asks one index about every single passage that the other names.
    private func newest(words: String, pairs: String, in keys: PassageKeys, limit: Int) throws -> [Int64] {
        var found: [Int64] = []
        var last = keys.last
        var length = 512
        while found.count < limit, last >= keys.first {
            let stretch = try newest("bigrams", pairs, in: keys.first...last, limit: length)
            guard let newest = stretch.first, let oldest = stretch.last else { break }
            let named = Set(try self.newest("words", words, in: oldest...newest, limit: .max))
            found += stretch.filter(named.contains).prefix(limit - found.count)
            last = oldest - 1
            length = min(length * 2, 1 << 14)
        }
        return found
    }

    /// What a key stands for, with its text; nil if it is gone.
    private func hit(_ key: Int64) throws -> (SearchHit, body: String)? {
        let passage: (kind: Int, subject: Int64, conversation: ConversationID)? = try connection.first(
            "SELECT kind, subject, conversation FROM passage WHERE key = ?", .integer(key)
        ) { row throws(SQLiteFailure) in (row.integer(0), row.integer64(1), try row.id(2)) }
        guard let passage, let kind = Passage(rawValue: passage.kind),
            let text = try text(of: kind, passage.subject, in: passage.conversation)
        else { return nil }
        let title = try connection.first("SELECT title FROM conversation WHERE id = ?", .id(passage.conversation)) {
            $0.optionalText(0)
        }
        var hit = SearchHit(kind: .title, conversation: passage.conversation, title: title ?? nil, at: text.at)
        switch kind {
        case .title: break
        case .prompt:
            hit.kind = .prompt
            hit.turn = try connection.first("SELECT id FROM turn WHERE key = ?", .integer(passage.subject)) {
                row throws(SQLiteFailure) in try row.id(0)
            }
        case .answer:
            hit.kind = .answer
            let ids: (TurnID, AnswerID)? = try connection.first(
                "SELECT turn, id FROM answer WHERE key = ?", .integer(passage.subject)
            ) { row throws(SQLiteFailure) in (try row.id(0), try row.id(1)) }
            (hit.turn, hit.answer) = (ids?.0, ids?.1)
        }
        return (hit, text.body)
    }

    // MARK: Sweeping

    /// How many pages of an index one step goes through: some milliseconds of work.
    private static let pagesAStep = 200

    /// Notes that the indexes hold words of deleted texts: they find nothing, but they are in the file until the parts
    /// of the indexes were merged.
    private func oweSweep() throws {
        try connection.run("DELETE FROM search_sweep")
        try connection.run("INSERT INTO search_sweep (progress) VALUES (?)", .integer(Int(IndexSweep.start.rawValue)))
        erasesText = true
    }

    func owesSweep() throws -> Bool { try connection.exists("SELECT 1 FROM search_sweep") }

    /// Merges a little more of the indexes.
    ///
    /// - Returns: whether there is more to do.
    func sweepSearch() throws -> Bool {
        let progress = try connection.first("SELECT progress FROM search_sweep") {
            UInt8(exactly: $0.integer(0)).flatMap(IndexSweep.init)
        }
        guard let progress = progress ?? nil else { return false }
        let next = try progress.step(on: connection, pages: Self.pagesAStep)
        try connection.run("DELETE FROM search_sweep")
        if let next {
            try connection.run("INSERT INTO search_sweep (progress) VALUES (?)", .integer(Int(next.rawValue)))
        }
        erasesText = true
        return next != nil
    }
}

/// The keys of one account's passages: its number, whether they are titles, the second, and a place within it.
struct PassageKeys {
    /// How many passages of one second have keys in order.
    static let keysASecond: Int64 = 1 << 12

    let first: Int64
    let last: Int64

    /// The keys of an account; nil for a number beyond those that there is room for.
    init?(account: Int64, isTitle: Bool) {
        guard account >= 0, account < 1 << 18 else { return nil }
        first = (account << 1 | (isTitle ? 1 : 0)) << 44
        last = first + (1 << 44) - 1
    }

    /// The first key of a moment's second, counted from 1970 on; a time that is out of range counts as the nearest.
    func first(at time: Timestamp) -> Int64 {
        first + min(max(0, time.milliseconds / 1000), (1 << 32) - 2) << 12
    }
}
