import Foundation
import RejoinCore
import RejoinTestKit
import SeededRandom
import Synchronization
import Testing

@testable import RejoinClient

/// How many sequences were asked for, and the first of them.
private let asked = number("REJOIN_TEST_INTERLEAVINGS")
private let firstSeed = number("REJOIN_TEST_SEED")

private func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

@Suite(.timeLimit(.minutes(asked == nil ? 5 : 30))) struct InterleavingTests {
    /// How many interleavings there are; each is a sequence of forty acts of two devices, a server and a network, and what
    /// comes of them until both are at rest.
    ///
    /// Thirty take up to half a minute beside the other tests on two cores. What shows now and then wants hundreds,
    /// and other work on the machine: `REJOIN_TEST_INTERLEAVINGS=400`, which has a time limit of its own. They begin at
    /// `REJOIN_TEST_SEED`; a seed alone is one sequence, to look at it.
    static let seeds = (firstSeed ?? 0)..<((firstSeed ?? 0) + (asked ?? (firstSeed == nil ? 30 : 1)))

    @Test(
        "A89 whatever two devices do, drop and kill, nothing gets into the wrong conversation, and at rest both are equal",
        arguments: 0..<4)
    func interleavings(lane: Int) async throws {
        for seed in Self.seeds where seed % 4 == lane {
            try await Interleaving(seed: UInt64(seed)).run()
        }
    }
}

/// One random run.
final class Interleaving: Sendable {
    private struct State {
        var generator: SeededGenerator
        var prompts = 0
        /// Where each prompt was written.
        var places: [String: ConversationID] = [:]
        var acts: [String] = []
    }

    private let seed: UInt64
    private let state: Mutex<State>
    private let folder: Folder
    private let clock = ManualClock()
    private let devices = Mutex<[Device]>([])

    init(seed: UInt64) throws {
        self.seed = seed
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
        folder = try Folder()
    }

    private func random(_ bound: Int) -> Int {
        state.withLock { Int.random(in: 0..<max(bound, 1), using: &$0.generator) }
    }

    private func note(_ act: String) { state.withLock { $0.acts.append(act) } }

    private func open(_ server: AccountServer, _ number: Int) async throws -> Device {
        let path = folder.path + "/\(number)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let isQueuing = seed % 2 == 0
        let seed = state.withLock { $0.generator.next() }
        let device = try await Device(server, clock: clock, seed: seed, folder: path) { configuration in
            if isQueuing { configuration.offlinePolicy = .queue(expiry: .seconds(1_000_000)) }
            configuration.regeneratePolicy = .supersede
        }
        device.start()
        return device
    }

    func run() async throws {
        let server = try await AccountServer(now: { [clock] in clock.wall })
        let pair = [try await open(server, 0), try await open(server, 1)]
        devices.withLock { $0 = pair }
        do {
            try await clock.running {
                for _ in 0..<40 { try await act(server) }
                try await rest(server)
            }
        } catch {
            Issue.record("seed \(seed): \(error), after \(state.withLock { $0.acts.joined(separator: "; ") })")
        }
        for device in devices.withLock({ $0 }) {
            await device.close()
            let left = device.chat.diagnostics
            #expect(left == ConversationClient.Diagnostics(), "seed \(seed)")
        }
    }

    // MARK: Acts

    private func act(_ server: AccountServer) async throws {
        let number = random(2)
        let device = devices.withLock { $0[number] }
        let conversations = try await device.chat.list(limit: 100).map(\.id)
        let conversation = conversations.isEmpty ? nil : conversations[random(conversations.count)]
        let tree = try await conversation.flatMapAsync { try await device.chat.tree($0) }
        let turn = tree.flatMap { $0.turns.isEmpty ? nil : $0.turns[random($0.turns.count)].id }
        let answers = tree?.tree.turns.flatMap(\.answers) ?? []
        let answer = answers.isEmpty ? nil : answers[random(answers.count)]
        do {
            switch random(24) {
            case 0, 1: try await send(device, nil)
            case 2, 3, 4: try await send(device, conversation)
            case 5: if let turn { try await edit(device, turn) }
            case 6:
                guard let turn else { break }
                note("\(number) regenerate")
                _ = try await device.chat.regenerate(turn)
            case 7:
                guard let answer else { break }
                note("\(number) select")
                try await device.chat.select(answer)
            case 8:
                guard let answer else { break }
                note("\(number) stop")
                try await device.chat.stop(answer)
            case 9:
                guard let conversation else { break }
                note("\(number) rename")
                try await device.chat.rename(conversation, to: "title \(random(1000))")
            case 10:
                guard let conversation, random(2) == 0 else { break }
                note("\(number) delete")
                try await device.chat.delete(conversation)
            case 11:
                guard let turn else { break }
                note("\(number) retry")
                _ = try await device.chat.retry(turn)
            case 12, 13:
                guard let conversation else { break }
                note("\(number) open")
                try await device.chat.open(conversation)
            case 14:
                guard let conversation else { break }
                try await device.chat.leave(conversation)
            case 15, 16, 17:
                let unfinished = server.unfinished
                guard !unfinished.isEmpty else { break }
                try await server.say(unfinished[random(unfinished.count)], random(4) + 1)
            case 18: device.link.breakLines()
            case 19:
                let isDown = random(2) == 0
                note("\(number) \(isDown ? "down" : "up")")
                device.link.setDown(isDown)
                if random(2) == 0 { device.reachability.set(isReachable: !isDown) }
            case 20:
                note("\(number) lose")
                device.link.set { $0.repliesToLose = 1 + random(3) }
            case 21:
                note("\(number) kill")
                await device.kill()
                let again = try await open(server, number)
                devices.withLock { $0[number] = again }
            case 22:
                note("\(number) weather")
                let (oneIn, seed) = (random(2) * 8, UInt64(random(1000)))
                device.link.set {
                    $0.oneIn = oneIn
                    $0.generator = SeededGenerator(seed: seed)
                }
            default:
                device.chat.enterBackground()
                await Task.yield()
                device.chat.enterForeground()
            }
        } catch let refusal as ClientRefusal {
            note("(\(refusal.code.name))")
        }
        for _ in 0..<random(20) { await Task.yield() }
        if random(4) == 0 { try await check(devices.withLock { $0[number] }) }
    }

    private func prompt() -> String {
        state.withLock { state in
            state.prompts += 1
            let name = "p\(seed)-\(state.prompts)"
            return "\(name) \(name) \(name) \(name)"
        }
    }

    private func send(_ device: Device, _ conversation: ConversationID?) async throws {
        let text = prompt()
        note("send \(text.prefix(8))")
        let sent = try await device.chat.send(text, in: conversation)
        if let conversation, sent.conversation != conversation { throw Wrong(what: "sent elsewhere") }
        state.withLock { $0.places[text] = sent.conversation }
    }

    private func edit(_ device: Device, _ turn: TurnID) async throws {
        let text = prompt()
        note("edit \(text.prefix(8))")
        let sent = try await device.chat.edit(turn, [.text(text)])
        state.withLock { $0.places[text] = sent.conversation }
    }

    // MARK: Checks

    struct Wrong: Error { let what: String }

    /// Every prompt is where it was written, and every answer says what its own prompt asks for.
    private func check(_ device: Device) async throws {
        let places = state.withLock { $0.places }
        for line in try await device.chat.list(limit: 1000, includeArchived: true) {
            guard let tree = try await device.chat.tree(line.id) else { continue }
            for turn in tree.turns {
                let text = ContentPart.text(of: turn.content)
                // The other device's may not be noted yet.
                if let place = places[text], place != line.id { throw Wrong(what: "\(text) in another conversation") }
                for answer in tree.tree[turn.id]?.answers ?? [] {
                    let said = tree.answers[answer]?.answer.text ?? ""
                    if !(text + " ").hasPrefix(said) { throw Wrong(what: "\(said) as an answer to \(text)") }
                }
            }
        }
    }

    /// Lets everything come to rest, and compares.
    private func rest(_ server: AccountServer) async throws {
        let devices = devices.withLock { $0 }
        for device in devices {
            device.link.set {
                $0.oneIn = 0
                $0.repliesToLose = 0
            }
            device.link.setDown(false)
            device.reachability.set(isReachable: true)
            device.chat.enterForeground()
        }
        do {
            try await eventually("rest") {
                try await server.sayAll()
                let newest = try await server.newestCursor
                for device in devices { guard try await isAtRest(device, newest) else { return false } }
                // What one device did while the other was looked at is no rest either.
                guard server.unfinished.isEmpty else { return false }
                return try await server.newestCursor == newest
            }
        } catch {
            var unrest = "\(error): server at \(try await server.newestCursor), unfinished \(server.unfinished)"
            for device in devices { unrest += "; " + (try await self.unrest(of: device)) }
            throw Wrong(what: unrest)
        }
        for device in devices { try await check(device) }
        var pictures: [[String]] = []
        var paths: [[ConversationID: [AnswerID]]] = []
        for device in devices {
            let (picture, path) = try await picture(device)
            pictures.append(picture)
            paths.append(path)
        }
        // A person who looks at a prompt that was not taken goes on looking at it: there is no such path to compare.
        for (conversation, path) in paths[0] where paths[1][conversation].map({ $0 != path }) ?? false {
            throw Wrong(what: "\(conversation) shows \(path) and \(paths[1][conversation] ?? [])")
        }
        if pictures[0] != pictures[1] {
            let here = pictures[0].filter { !pictures[1].contains($0) }
            let there = pictures[1].filter { !pictures[0].contains($0) }
            let order = here.isEmpty && there.isEmpty ? "\(pictures)" : ""
            throw Wrong(what: "unequal at rest: only one \(here), only the other \(there) \(order)")
        }
        let (runs, prompts) = server.read { ($0.runs, $0.prompts) }
        if Set(runs).count != runs.count { throw Wrong(what: "an answer ran twice") }
        let places = state.withLock { $0.places }
        if let stranger = prompts.first(where: { places[$0] == nil }) { throw Wrong(what: "\(stranger) was not asked") }
    }

    /// Whether a device has told everything, has taken everything in, and lacks no end of an answer.
    private func isAtRest(_ device: Device, _ newest: Int) async throws -> Bool {
        let sync = try await device.store.syncState()
        guard try await device.store.outbox().isEmpty, sync.cursor == newest, sync.listedAt != nil,
            device.chat.diagnostics.followed == 0, device.chat.state.withLock({ $0.unsettled.isEmpty })
        else { return false }
        for stored in try await device.store.interruptedAnswers() + device.store.streamingAnswers() {
            // What was refused before it began has no end that anybody could tell.
            if try await device.store.turn(stored.answer.turn)?.delivery == .delivered { return false }
        }
        return true
    }

    /// What keeps a device from resting.
    private func unrest(of device: Device) async throws -> String {
        let (store, chat) = (device.store, device.chat)
        let sync = try await store.syncState()
        let open = try await store.interruptedAnswers() + store.streamingAnswers()
        return """
            a device with \(try await store.outbox()) to send, at \(sync), \(chat.connection), \(chat.diagnostics), \
            unsettled \(chat.state.withLock { $0.unsettled }), unended \(open.map { ($0.answer.id, $0.local) })
            """
    }

    /// What a person sees on a device, without what never left it.
    private func picture(
        _ device: Device
    ) async throws -> (lines: [String], paths: [ConversationID: [AnswerID]]) {
        var picture: [String] = []
        var paths: [ConversationID: [AnswerID]] = [:]
        let lines = try await device.chat.list(limit: 1000, includeArchived: true)
        // What never left a device moves its line up there alone.
        for line in lines.sorted(by: { $0.id < $1.id }) {
            do { try await device.chat.open(line.id) } catch let refusal as ClientRefusal {
                // It never got through: its prompts went back into drafts.
                if refusal.code == .notFound { continue }
                throw refusal
            }
            guard let tree = try await device.chat.tree(line.id) else { continue }
            let sent = tree.turns.filter { $0.delivery == .delivered }
            guard !sent.isEmpty else { continue }
            picture.append("\(line.id) \(tree.conversation.title.text)")
            let turns = Set(sent.map(\.id))
            for turn in sent {
                picture.append("  \(turn.id) after \(turn.parent.map(\.description) ?? "-")")
                for answer in tree.tree[turn.id]?.answers ?? [] {
                    let stored = tree.answers[answer]?.answer
                    // One that the server declined to begin is this device's alone.
                    if stored?.seq == 0 { continue }
                    picture.append("    \(answer) \(stored?.state.name ?? "?") \(stored?.text ?? "?")")
                }
            }
            if tree.path.allSatisfy({ turns.contains($0.turn) }) {
                paths[line.id] = tree.path.compactMap(\.answer)
            }
        }
        return (picture, paths)
    }
}

extension Optional {
    fileprivate func flatMapAsync<Result>(_ body: (Wrapped) async throws -> Result?) async throws -> Result? {
        guard let self else { return nil }
        return try await body(self)
    }
}
