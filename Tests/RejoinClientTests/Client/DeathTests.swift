import RejoinCore
import RejoinTestKit
import Synchronization
import Testing

@testable import RejoinClient

/// The same conversation, with a process that dies, or is sent to the background, at each step to the network in turn.
@Suite(.timeLimit(.minutes(3))) struct DeathTests {
    /// More steps than the conversation has: the last runs go through undisturbed.
    static let steps = 30

    @Test(
        "A91 a kill at any step of sending, streaming, stopping and deleting loses nothing and repeats nothing",
        arguments: 0..<2)
    func kills(lane: Int) async throws {
        for step in stride(from: 1 + lane, through: Self.steps, by: 2) { try await kill(at: step) }
    }

    private func kill(at step: Int) async throws {
        let folder = try Folder()
        let clock = ManualClock()
        let server = try await AccountServer(now: { clock.wall })
        try await clock.running {
            let before = try await Device(server, clock: clock, seed: 1, folder: folder.path)
            let isOver = Flag()
            before.link.set {
                $0.onOperation = { [store = before.store, link = before.link] number in
                    guard number == step, !isOver.isSet else { return }
                    link.set { $0.isDead = true }
                    // From here on nothing is written any more.
                    await store.close()
                    isOver.set()
                }
            }
            before.start()
            let script = Script(step)
            try? await script.run(before, server, isOver)
            isOver.set()
            await before.kill()
            let after = try await Device(server, clock: clock, seed: 2, folder: folder.path)
            after.start()
            try await script.check(after, server)
            await after.close()
            #expect(after.chat.diagnostics == ConversationClient.Diagnostics())
        }
    }

    @Test("A91 A17 the background at any step changes nothing that a person sees in the end", arguments: 0..<2)
    func backgrounds(lane: Int) async throws {
        for step in stride(from: 1 + lane, through: Self.steps, by: 2) { try await background(at: step) }
    }

    private func background(at step: Int) async throws {
        let clock = ManualClock()
        let server = try await AccountServer(now: { clock.wall })
        try await clock.running {
            let device = try await Device(server, clock: clock, seed: 1)
            device.link.set {
                $0.onOperation = { [chat = device.chat] number in
                    guard number == step else { return }
                    chat.enterBackground()
                    Task {
                        try? await eventually("quiet") { chat.diagnostics.followed == 0 }
                        chat.enterForeground()
                    }
                }
            }
            device.start()
            let script = Script(step)
            try await script.run(device, server, Flag())
            try await script.check(device, server)
            await device.close()
        }
    }

    @Test("A91 a system that is short of memory at each step changes nothing that a person sees")
    func shortOfMemory() async throws {
        let folder = try Folder()
        let clock = ManualClock()
        let server = try await AccountServer(now: { clock.wall })
        try await clock.running {
            let device = try await Device(server, clock: clock, seed: 1, folder: folder.path)
            device.link.set {
                $0.onOperation = { [chat = device.chat] _ in await chat.releaseMemory() }
            }
            device.start()
            let script = Script(0)
            try await script.run(device, server, Flag())
            try await script.check(device, server)
            await device.close()
        }
    }

    @Test("A91 who is killed when memory was short has in the store what was on screen")
    func killedForMemory() async throws {
        let folder = try Folder()
        let clock = ManualClock()
        let server = try await AccountServer(now: { clock.wall })
        try await clock.running {
            let before = try await Device(server, clock: clock, seed: 1, folder: folder.path) {
                // Nothing is written down by itself.
                $0.flushInterval = .seconds(1_000_000)
                $0.flushBytes = .max
            }
            before.start()
            let sent = try await before.chat.send("one two", in: nil)
            try await eventually("it runs") { server.read { $0.runs.contains(sent.answer) } }
            try await server.say(sent.answer, 1)
            try await eventually("shown") { before.chat.live(sent.answer)?.text == "one " }
            await before.chat.releaseMemory()
            await before.store.close()
            await before.kill()
            let store = try await LocalStore.open(folder: folder.path, account: Device.account)
            #expect(try await store.answer(sent.answer)?.answer.text == "one ")
            await store.close()
        }
    }

    /// A short conversation: an answer, a second one that is stopped, and a conversation that is deleted.
    final class Script: Sendable {
        private struct State {
            var first: ConversationClient.Sent?
            var second: ConversationClient.Sent?
            var doomed: ConversationClient.Sent?
            var isStopped = false
            var isDeleted = false
        }

        private let state = Mutex(State())
        private let step: Int

        init(_ step: Int) { self.step = step }

        /// Runs until its end, or until the process is dead.
        func run(_ device: Device, _ server: AccountServer, _ isOver: Flag) async throws {
            func until(_ what: String, _ condition: () async throws -> Bool) async throws {
                try await eventually(what) { isOver.isSet ? true : try await condition() }
                if isOver.isSet { throw CancellationError() }
            }
            let first = try await device.chat.send("one two three", in: nil)
            state.withLock { $0.first = first }
            try await until("it runs") { server.read { $0.runs.contains(first.answer) } }
            for _ in 0..<4 { try await server.say(first.answer, 1) }
            try await until("whole") { try await device.answer(first.answer)?.answer.state.end != nil }
            let second = try await device.chat.send("four five six", in: first.conversation)
            state.withLock { $0.second = second }
            try await until("it runs") { server.read { $0.runs.contains(second.answer) } }
            try await server.say(second.answer, 1)
            try await until("shown") {
                if device.chat.live(second.answer)?.text == "four " { return true }
                return try await device.answer(second.answer)?.answer.text == "four "
            }
            try await device.chat.stop(second.answer)
            state.withLock { $0.isStopped = true }
            try await until("stopped") { try await device.answer(second.answer)?.answer.state.end != nil }
            let doomed = try await device.chat.send("seven", in: nil)
            state.withLock { $0.doomed = doomed }
            try await device.chat.delete(doomed.conversation)
            state.withLock { $0.isDeleted = true }
            try await until("told") { try await device.store.outbox().isEmpty }
        }

        func check(_ device: Device, _ server: AccountServer) async throws {
            let state = state.withLock { $0 }
            // What was kept is delivered, and what is delivered comes to its end: a stop before the model goes on.
            try await eventually("told after step \(step)") { try await device.store.outbox().isEmpty }
            try await eventually("rest after step \(step)") {
                try await server.sayAll()
                let newest = try await server.newestCursor
                let sync = try await device.store.syncState()
                return try await device.store.outbox().isEmpty && sync.cursor == newest && sync.listedAt != nil
                    && device.chat.diagnostics.followed == 0 && server.unfinished.isEmpty
            }
            guard let first = state.first else { return }
            var expected = ["one two three", "one two three "]
            var runs = [first.answer]
            if let second = state.second {
                let stored = try #require(try await device.answer(second.answer))
                #expect(stored.answer.state.end != nil)
                if state.isStopped { #expect(stored.answer.state.end?.state == .stopped) }
                #expect("four five six ".hasPrefix(stored.answer.text))
                expected += ["four five six", stored.answer.text]
                runs.append(second.answer)
            }
            #expect(try await device.shown(first.conversation) == expected, "step \(step)")
            #expect(server.read { $0.runs.filter { $0 != state.doomed?.answer } } == runs, "step \(step)")
            guard let doomed = state.doomed, state.isDeleted else { return }
            #expect(try await device.store.isDeleted(doomed.conversation))
            #expect(try await device.chat.list().map(\.id) == [first.conversation])
            if server.read({ $0.runs.contains(doomed.answer) }) {
                #expect(try await server.isDeleted(doomed.conversation))
            }
        }
    }
}
