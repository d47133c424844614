package import RejoinCore

/// Reads archives, ours and those of other products, and adds what is not here yet.
///
/// Takes bytes as they come and holds one conversation at a time. A part that cannot be read is noted and left out; the
/// rest is taken.
package struct Importer: Sendable {
    private let store: any Store
    private let account: AccountID
    private let now: Timestamp

    /// What was done so far.
    package private(set) var report = ImportReport()
    private var pieces = JSONPieces(maximumSize: 32 << 20)
    /// Which value of the file is next.
    private var number = 0
    /// Our own archive's conversation whose lines are coming in.
    private var open: OpenConversation?
    /// What our own archive said was in it, and what came.
    private var promised: ArchiveLine.Counts?
    private var seen = ArchiveLine.Counts()
    private var isOurs = false
    /// What gave a conversation of our own archive its new ids, for the facts that came from it.
    private var renamings: [ConversationID: DerivedIDs] = [:]

    private struct OpenConversation {
        var number: Int
        var contents: ConversationContents
    }

    /// How many brackets may be open at once: an export that nests its messages uses two for each.
    private static let maximumDepth = 256

    package init(store: any Store, account: AccountID, now: Timestamp) {
        self.store = store
        self.account = account
        self.now = now
    }

    /// Takes the next bytes of a file.
    ///
    /// - Throws: ``StoreFailure`` alone; what is wrong with the file is in the report.
    package mutating func take(_ bytes: [UInt8]) async throws {
        var cut: [JSONPieces.Piece] = []
        pieces.feed(bytes) { cut.append($0) }
        for piece in cut { try await take(piece) }
    }

    /// Ends a file; another may follow.
    package mutating func endFile() async throws {
        var cut: [JSONPieces.Piece] = []
        pieces.finish { cut.append($0) }
        for piece in cut { try await take(piece) }
        try await close()
        if isOurs, promised != seen { note(nil, .incomplete) }
        pieces = JSONPieces(maximumSize: 32 << 20)
        (number, promised, seen, isOurs) = (0, nil, ArchiveLine.Counts(), false)
    }

    private mutating func note(_ id: String?, _ reason: ImportReport.Fault.Reason) {
        report.note(ImportReport.Fault(value: number, id: id, reason: reason))
    }

    private mutating func take(_ piece: JSONPieces.Piece) async throws {
        number += 1
        switch piece {
        case .tooLarge: note(nil, .tooLarge)
        case .cutShort: note(nil, .cutShort)
        case .value(let bytes):
            let value: JSONValue
            do throws(JSONError) {
                value = try Self.parse(bytes)
            } catch {
                return note(nil, error.reason == .tooDeep ? .tooDeep : .notJSON)
            }
            guard let object = value.object else { return note(nil, .unknownShape) }
            if ArchiveLine.isOurs(object) { return try await takeOurs(object) }
            try await takeForeign(object)
        }
    }

    /// Reads JSON; halves of characters, which some products write, count as unreadable characters.
    private static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.parse(bytes, maximumDepth: maximumDepth)
        } catch {
            guard error.reason == .invalidEscape else { throw error }
            return try JSONReader.parse(LoneSurrogates.replaced(in: bytes), maximumDepth: maximumDepth)
        }
    }

    // MARK: Other products

    private mutating func takeForeign(_ object: JSONObject) async throws {
        var faults: [(String?, ImportReport.Fault.Reason)] = []
        defer { for (id, reason) in faults { note(id, reason) } }
        guard let foreign = ForeignConversation.read(object, { faults.append(($0, $1)) }) else {
            if faults.isEmpty { faults.append((nil, .unknownShape)) }
            return
        }
        guard let contents = foreign.tree(for: account, now: now, { faults.append(($0, $1)) }) else {
            faults.append((foreign.id, .empty))
            return
        }
        try await add(contents)
    }

    // MARK: Our own

    private mutating func takeOurs(_ object: JSONObject) async throws {
        isOurs = true
        guard let line = ArchiveLine(object, account: account) else {
            return note(object.members.first?.value.object?["id"]?.string, .unknownShape)
        }
        switch line {
        case .header(let version): if version > ArchiveLine.version { note(nil, .unknownShape) }
        case .conversation(let record):
            try await close()
            seen.conversations += 1
            open = OpenConversation(
                number: number, contents: ConversationContents(conversation: record, turns: [], answers: []))
        case .turn(let turn):
            seen.turns += 1
            guard open?.contents.conversation.id == turn.conversation else {
                return note(turn.id.description, .missingParent)
            }
            open?.contents.turns.append(turn)
        case .answer(let answer):
            seen.answers += 1
            guard open?.contents.conversation.id == answer.conversation else {
                return note(answer.id.description, .missingParent)
            }
            open?.contents.answers.append(answer)
        case .fact(let fact):
            try await close()
            seen.facts += 1
            try await add(fact)
        case .end(let counts):
            try await close()
            promised = counts
        }
    }

    /// Adds the conversation whose lines came in, as far as it is a tree.
    private mutating func close() async throws {
        guard let conversation = open else { return }
        open = nil
        var contents = conversation.contents
        var tree = ConversationTree()
        var answers: [TurnID: [AnswerID]] = [:]
        for answer in contents.answers { answers[answer.turn, default: []].append(answer.id) }
        contents.turns = contents.turns.filter { turn in
            let mine = answers[turn.id] ?? []
            let isAdded =
                !mine.isEmpty && Set(mine).count == mine.count
                && tree.add(Turn(id: turn.id, parent: turn.parent, content: [], answers: mine))
            if !isAdded { note(turn.id.description, .missingParent) }
            return isAdded
        }
        contents.answers = contents.answers.filter { answer in
            if tree[answer.turn] != nil { return true }
            note(answer.id.description, .missingParent)
            return false
        }
        if let selected = contents.conversation.selected, tree.turn(of: selected) == nil {
            contents.conversation.selected = nil
        }
        try await add(contents)
    }

    // MARK: Adding

    /// How often a conversation may have been deleted and imported again.
    private static let lives = 64

    /// Adds a conversation under its own ids, or under new ones where they are taken.
    ///
    /// A deleted conversation stays deleted on every device, so what is imported again afterwards is another one, whose
    /// ids follow from the old ones: importing twice then adds nothing either.
    private mutating func add(_ contents: ConversationContents) async throws {
        var candidate = contents
        for life in 1...Self.lives {
            switch try await store.importConversation(candidate, of: account, now: now) {
            case .imported(false, 0, 0):
                report.unchanged += 1
                return
            case .imported(_, let turns, let answers):
                report.conversations += 1
                report.turns += turns
                report.answers += answers
                return
            case .deleted, .taken:
                let ids = DerivedIDs(account: account, space: "life \(life)")
                candidate = contents.renamed(by: ids)
                renamings[contents.conversation.id] = ids
            }
        }
        note(contents.conversation.id.description, .noID)
    }

    /// Adds a fact, unless the account knows it.
    ///
    private mutating func add(_ fact: Fact) async throws {
        var fact = fact
        if let origin = fact.origin, let ids = renamings[origin.conversation] {
            fact.origin = Fact.Origin(
                conversation: ids.id("conversation", origin.conversation.description),
                turn: ids.id("turn", origin.turn.description))
        }
        let own = DerivedIDs(account: account, space: "fact")
        for id in [fact.id, own.id("fact", fact.id.description)] {
            fact.id = id
            switch try await store.addFact(fact, of: account, isAsked: false, now: now) {
            case .added:
                report.facts += 1
                return
            case .known: return
            case .taken: continue
            case .off, .full: return note(id.description, .noRoom)
            }
        }
        note(fact.id.description, .noID)
    }
}

/// Escapes of half a character, which RFC 8259 allows and nothing can show.
enum LoneSurrogates {
    /// The same JSON with the sign for an unreadable character in their place.
    static func replaced(in bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
                result.append(bytes[index])
                index += 1
                continue
            }
            guard let unit = unit(bytes, index), 0xD800..<0xE000 ~= unit else {
                result += bytes[index...index + 1]
                index += 2
                continue
            }
            let low = self.unit(bytes, index + 6)
            if unit < 0xDC00, let low, 0xDC00..<0xE000 ~= low {
                result += bytes[index..<index + 12]
                index += 12
            } else {
                result += "\u{FFFD}".utf8
                index += 6
            }
        }
        return result
    }

    /// The number of an escape `\uXXXX` at an index; nil if there is none.
    private static func unit(_ bytes: [UInt8], _ index: Int) -> Int? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        return Int(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }
}
