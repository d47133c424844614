import Foundation
import RejoinClient
import RejoinCore

/// `local-store-bench make FOLDER CONVERSATIONS TURNS | open FOLDER | search FOLDER WORDS… | catch-up FOLDER CHANGES |
/// append FOLDER BYTES`: one figure a line, a name and milliseconds, and last the most memory that was resident, in MB.
@main
struct LocalStoreBench {
    private static let account = AccountID(high: 1, low: 1)
    private static let clock = ContinuousClock()

    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2 else { return usage() }
        let folder = arguments[1]
        let numbers = arguments.dropFirst(2).compactMap { Int($0) }
        switch (arguments[0], numbers.count) {
        case ("make", 2): try await make(folder, conversations: numbers[0], turns: numbers[1])
        case ("open", 0): try await open(folder)
        case ("search", _): try await search(folder, arguments.dropFirst(2).map { $0 })
        case ("catch-up", 1): try await catchUp(folder, changes: numbers[0])
        case ("append", 1): try await append(folder, bytes: numbers[0])
        default: return usage()
        }
        print("memory", residentMegabytes())
    }

    private static func usage() {
        FileHandle.standardError.write(
            Data("usage: local-store-bench make|open|search|catch-up|append FOLDER …\n".utf8))
        exit(64)
    }

    private static func report(_ name: String, _ duration: Duration) {
        print(name, Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1000)
    }

    /// The most that was resident since the start.
    private static func residentMegabytes() -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropLast().last.flatMap { Double($0) } ?? 0) / 1024
    }

    private static func make(_ folder: String, conversations: Int, turns: Int) async throws {
        let store = try await LocalStore.open(folder: folder, account: account)
        var corpus = Corpus(seed: 1)
        let duration = try await clock.measure {
            for number in 0..<conversations {
                try await store.merge(corpus.conversation(number, of: conversations, turns: turns))
            }
        }
        await store.close()
        report("make", duration)
    }

    private static func open(_ folder: String) async throws {
        let start = clock.now
        let store = try await LocalStore.open(folder: folder, account: account)
        let opened = clock.now
        let page = try await store.list(limit: 50)
        let listed = clock.now
        guard let first = page.first else { return }
        _ = try await store.path(first.id, limit: 20)
        let shown = clock.now
        let tree = try await store.conversation(first.id)
        let whole = clock.now
        report("open", opened - start)
        report("list", listed - opened)
        report("path", shown - listed)
        report("tree", whole - shown)
        report("first-page", listed - start)
        _ = tree
        await store.close()
    }

    private static func search(_ folder: String, _ queries: [String]) async throws {
        let store = try await LocalStore.open(folder: folder, account: account)
        for query in queries {
            let start = clock.now
            let hits = try await store.search(query)
            report("search:\(query.replacing(" ", with: "+")):\(hits.count)", clock.now - start)
        }
        await store.close()
    }

    /// Changes as they meet a device that was away: four in a conversation, which is fetched once for them.
    private static func catchUp(_ folder: String, changes: Int) async throws {
        let store = try await LocalStore.open(folder: folder, account: account)
        var corpus = Corpus(seed: UInt64(clock.now.hashValue.magnitude))
        let now = Timestamp(milliseconds: Corpus.end)
        var duration = Duration.zero
        var count = 0
        for line in try await store.list(limit: changes / 4) {
            guard let held = try await store.conversation(line.id) else { continue }
            let tree = grown(held, line, at: now, &corpus)
            count += 4
            duration += try await clock.measure {
                try await store.merge(tree)
                if count % 100 == 0 { try await store.setSyncState(SyncState(cursor: count, listedAt: now)) }
            }
        }
        report("catch-up:\(count)", duration)
        await store.close()
    }

    /// A conversation as the server gives it after two more turns.
    private static func grown(
        _ held: StoredTree, _ line: StoredConversation, at now: Timestamp, _ corpus: inout Corpus
    ) -> ServerTree {
        var turns = held.turns.map { turn in
            let answers = held.tree[turn.id]?.answers.compactMap { held.answers[$0]?.answer } ?? []
            return ServerTurn(
                id: turn.id, parent: turn.parent, content: turn.content, createdAt: turn.createdAt, answers: answers)
        }
        for _ in 1...2 { turns.append(corpus.turn(after: turns.last?.answers.last?.id, at: now)) }
        let changed = ServerConversation(id: line.id, title: line.title.text, updatedAt: now)
        return ServerTree(conversation: changed, turns: turns, selected: turns.last?.answers.last?.id)
    }

    /// Flushes at the end of an answer that is so long already.
    private static func append(_ folder: String, bytes: Int) async throws {
        let store = try await LocalStore.open(folder: folder, account: account)
        var corpus = Corpus(seed: UInt64(clock.now.hashValue.magnitude))
        let now = Timestamp(milliseconds: Corpus.end)
        let answer: AnswerID = corpus.id(at: now)
        let turn = StoredTurn(
            id: corpus.id(at: now), conversation: corpus.id(at: now), parent: nil, content: [.text("go on")],
            createdAt: now, delivery: .sending)
        try await store.begin(turn: turn, answer: answer)
        try await store.deliver(turn.id)
        var seq = 0
        func flush(_ text: String) async throws {
            seq += 1
            try await store.append(answer, events: [NumberedEvent(seq: seq, event: .text(text))])
        }
        let piece = corpus.text(words: 200).prefix(1000)
        for _ in 0..<bytes / 1000 { try await flush(String(piece)) }
        var times: [Duration] = []
        for _ in 1...200 {
            let start = clock.now
            try await flush(String(piece))
            times.append(clock.now - start)
        }
        times.sort()
        report("append:\(bytes):median", times[100])
        report("append:\(bytes):p99", times[197])
        let start = clock.now
        try await store.delete(turn.conversation, at: now)
        let deleted = clock.now
        await store.finishErasing()
        report("delete", deleted - start)
        report("erase", clock.now - deleted)
        await store.close()
    }
}
