import RejoinAssist
import RejoinCore
import RejoinTestKit
import Testing

@testable import RejoinClient

@Suite(.timeLimit(.minutes(1))) struct DeviceAnsweringTests {
    /// A household whose devices have a model of their own.
    private func open(
        _ model: ScriptedDevice, devices: Int = 1, mode: ExecutionMode = .cloudAllowed,
        offline: ConversationClient.Configuration.OfflinePolicy = .refuse, starts: Bool = true,
        _ body: @Sendable (Household) async throws -> Void
    ) async throws {
        try await Household.open(
            devices: devices, starts: starts,
            configure: {
                $0.device = DeviceAnswering(model)
                $0.mode = mode
                $0.offlinePolicy = offline
            }, body)
    }

    private func goOffline(_ house: Household) async throws {
        house.phone.link.setDown(true)
        house.phone.reachability.set(isReachable: false)
        try await eventually("offline") {
            if case .offline = house.phone.chat.connection { true } else { false }
        }
    }

    private func goOnline(_ house: Household) {
        house.phone.link.setDown(false)
        house.phone.reachability.set(isReachable: true)
    }

    @Test("A27 A31 offline, a simple prompt is answered on the device, and the server runs nothing")
    func offline() async throws {
        let model = ScriptedDevice()
        try await open(model) { house in
            try await goOffline(house)
            let sent = try await house.phone.chat.send("one two", in: nil)
            let stored = try await house.end(of: sent.answer)
            #expect(stored.answer.text == "one! two! ")
            #expect(stored.answer.model == Event.Model("pocket", placement: .device))
            #expect(stored.answer.state.end == Event.End(.done, .complete))
            let turn = try #require(try await house.phone.store.turn(sent.turn))
            #expect(turn.delivery == .onDevice(staysHere: false))
            #expect(stored.answer.placementWords(turn.delivery) == "Answered on this device by pocket")
            #expect(house.server.read { $0.runs }.isEmpty)
            // The next prompt goes on from there, with what was said.
            let next = try await house.phone.chat.send("three", in: sent.conversation)
            try await house.end(of: next.answer)
            #expect(
                model.prompts.last
                    == DevicePrompt(
                        earlier: [ModelTask.Exchange(prompt: "one two", reply: "one! two! ")], prompt: "three"))
        }
    }

    @Test("A27 a prompt that finds no server and certainly never left is answered on the device")
    func unreachable() async throws {
        let model = ScriptedDevice()
        try await open(model, starts: false) { house in
            house.phone.link.setDown(true)
            house.phone.start()
            let sent = try await house.phone.chat.send("one", in: nil)
            #expect(try await house.end(of: sent.answer).answer.text == "one! ")
            #expect(house.server.read { $0.requests }.isEmpty)
        }
    }

    @Test("A28 offline, what the device cannot do is refused before it is sent, with the reason, and the draft stays")
    func beyond() async throws {
        let model = ScriptedDevice()
        try await open(model) { house in
            try await goOffline(house)
            let long = String(repeating: "long ", count: 400)
            try await house.phone.chat.saveDraft(long, for: nil)
            let refusal = await #expect(throws: ClientRefusal.self) {
                _ = try await house.phone.chat.send(long, in: nil)
            }
            #expect(refusal == ClientRefusal(.offline, why: .contextTooSmall))
            #expect(
                refusal?.description
                    == "There is no connection, and this device cannot answer it: this is too long for the model")
            #expect(try await house.phone.chat.draft(for: nil)?.text == long)
            let picture = Event.Attachment(upload: ID(high: 1, low: 1), mediaType: "image/png", name: "a.png")
            let seen = await #expect(throws: ClientRefusal.self) {
                _ = try await house.phone.chat.send([.text("what is it"), .attachment(picture)], in: nil)
            }
            #expect(seen?.why == .missingVision)
            #expect(model.prompts.isEmpty)
            #expect(try await house.phone.chat.list().isEmpty)
        }
    }

    @Test(
        "A28 R08 a model that cannot run is a reason of its own", arguments: LocalState.allCases.filter { $0 != .ready }
    )
    func states(state: RejoinAssist.LocalState) async throws {
        let model = ScriptedDevice()
        model.set { $0.availability = LocalAvailability(state) }
        try await open(model) { house in
            try await goOffline(house)
            let refusal = await #expect(throws: ClientRefusal.self) {
                _ = try await house.phone.chat.send("one", in: nil)
            }
            #expect(refusal == ClientRefusal(.offline, why: MessageKey(state)))
        }
    }

    @Test("A29 with the queue on, what the device can do is answered there and the rest waits")
    func queue() async throws {
        let model = ScriptedDevice()
        try await open(model, offline: .queue(expiry: .seconds(3600))) { house in
            try await goOffline(house)
            let here = try await house.phone.chat.send("one", in: nil)
            #expect(try await house.end(of: here.answer).answer.text == "one! ")
            let long = String(repeating: "long ", count: 400)
            let waiting = try await house.phone.chat.send(long, in: nil)
            guard case .waiting? = try await house.phone.store.turn(waiting.turn)?.delivery else {
                Issue.record("it does not wait")
                return
            }
            goOnline(house)
            try await house.runs(1)
            #expect(house.server.read { $0.prompts } == [long])
            try await house.server.sayAll()
            try await house.end(of: waiting.answer)
        }
    }

    @Test(
        "A33 S01 coming online moves nothing to the server; what was answered is given to it once, and it runs nothing")
    func comingOnline() async throws {
        let model = ScriptedDevice(words: 1)
        try await open(model, devices: 2) { house in
            try await house.settle(house.laptop)
            try await goOffline(house)
            let sent = try await house.phone.chat.send("one two", in: nil)
            try await house.see("one! ", sent.answer)
            goOnline(house)
            try await eventually("online") { house.phone.chat.connection == .online }
            #expect(house.server.count("PUT") == 0)
            // Its reply is lost twice: the same is told again, and changes nothing.
            house.phone.link.set { $0.repliesToLose = 2 }
            model.set { $0.allowed = .max }
            try await house.end(of: sent.answer)
            try await eventually("given") { try await house.phone.store.turn(sent.turn)?.delivery == .delivered }
            try await house.settle()
            #expect(house.server.read { $0.runs }.isEmpty)
            // The other device sees it, and that no server made it.
            try await house.settle(house.laptop)
            try await house.laptop.chat.open(sent.conversation)
            #expect(try await house.laptop.shown(sent.conversation) == ["one two", "one! two! "])
            let seen = try #require(try await house.laptop.answer(sent.answer))
            #expect(seen.answer.placementWords(.delivered) == "Answered on a device by pocket")
            // And the conversation goes on at the server.
            let next = try await house.ask("three", in: sent.conversation)
            try await house.server.sayAll()
            #expect(try await house.end(of: next.answer).answer.text == "three ")
            #expect(house.server.read { $0.runs } == [next.answer])
        }
    }

    @Test("A34 a device that holds the conversation hears of what another one answered by itself in it")
    func told() async throws {
        try await open(ScriptedDevice(), devices: 2) { house in
            let first = try await house.ask("one")
            try await house.server.sayAll()
            try await house.end(of: first.answer)
            try await house.settle(house.laptop)
            try await house.laptop.chat.open(first.conversation)
            try await goOffline(house)
            let second = try await house.phone.chat.send("two", in: first.conversation)
            try await house.end(of: second.answer)
            goOnline(house)
            try await eventually("the other shows it") {
                try await house.laptop.shown(first.conversation) == ["one", "one ", "two", "two! "]
            }
        }
    }

    @Test("A11 A12 A16 stop ends the device's model, the words so far stay, and a second stop is harmless")
    func stop() async throws {
        let model = ScriptedDevice(words: 1)
        try await open(model) { house in
            try await goOffline(house)
            let sent = try await house.phone.chat.send("one two", in: nil)
            try await house.see("one! ", sent.answer)
            try await house.phone.chat.stop(sent.answer)
            let stored = try #require(try await house.phone.answer(sent.answer))
            #expect(stored.answer.text == "one! ")
            #expect(stored.answer.state.end == Event.End(.stopped, .stoppedByPerson))
            #expect(model.read { $0.cancelled } == 1)
            try await house.phone.chat.stop(sent.answer)
            goOnline(house)
            try await house.settle()
            #expect(house.server.read { $0.stops }.isEmpty)
            let kept = try #require(try await house.server.record(sent.answer))
            #expect(kept.state.end?.state == .stopped)
            #expect(kept.model?.placement == .device)
        }
    }

    @Test("A08 A91 a device's answer whose process was killed is interrupted at the next start, with its words")
    func kill() async throws {
        let folder = try Folder()
        let clock = ManualClock()
        let server = try await AccountServer(now: { clock.wall })
        try await clock.running {
            let model = ScriptedDevice(words: 1)
            let configure = { @Sendable (configuration: inout ConversationClient.Configuration) in
                configuration.device = DeviceAnswering(model)
                configuration.mode = .automatic
            }
            let before = try await Device(server, clock: clock, folder: folder.path, configure: configure)
            before.start()
            let sent = try await before.chat.send("one two", in: nil)
            try await eventually("kept") { try await before.answer(sent.answer)?.answer.text == "one! " }
            await before.kill()
            let after = try await Device(server, clock: clock, seed: 2, folder: folder.path, configure: configure)
            after.start()
            try await eventually("given") { try await after.store.turn(sent.turn)?.delivery == .delivered }
            let stored = try #require(try await after.answer(sent.answer))
            #expect(stored.answer.text == "one! ")
            #expect(stored.answer.state.end?.state == .interrupted)
            #expect(server.read { $0.runs }.isEmpty)
            #expect(model.prompts.count == 1)
            await after.close()
        }
    }

    @Test("R22 R23 with nothing allowed to leave, nothing is asked or sent, and it stays so when that changes")
    func onDeviceOnly() async throws {
        let model = ScriptedDevice()
        try await open(model, mode: .onDeviceOnly) { house in
            let chat = house.phone.chat
            let first = try await chat.send("one", in: nil)
            try await house.end(of: first.answer)
            try await chat.rename(first.conversation, to: "mine")
            try await chat.pin(first.conversation)
            #expect(house.phone.link.operations == 0)
            #expect(try await house.phone.store.turn(first.turn)?.delivery == .onDevice(staysHere: true))
            #expect(try await house.phone.store.outbox().isEmpty)
            chat.mode = .cloudAllowed
            try await house.settle()
            // What began there goes on there.
            let second = try await chat.send("two", in: first.conversation)
            try await house.end(of: second.answer)
            #expect(try await house.phone.store.turn(second.turn)?.delivery == .onDevice(staysHere: true))
            let again = try await chat.edit(first.turn, [.text("uno")])
            try await house.end(of: again.answer)
            try await chat.delete(first.conversation)
            try await house.settle()
            let told = house.server.read { $0.requests.filter { !$0.hasPrefix("GET") } }
            #expect(told == [])
            #expect(house.server.read { $0.requests.allSatisfy { !$0.contains("\(first.conversation)") } })
            let answer = Answer(
                id: first.answer, turn: first.turn, state: .streaming, seq: 1, content: [],
                model: Event.Model("pocket", placement: .device))
            #expect(
                answer.placementWords(.onDevice(staysHere: true))
                    == "Answered on this device by pocket, and kept here alone")
        }
    }

    @Test("R23 with nothing allowed to leave and no model, a prompt is refused with that reason")
    func onDeviceOnlyWithout() async throws {
        try await Household.open(configure: { $0.mode = .onDeviceOnly }) { house in
            let refusal = await #expect(throws: ClientRefusal.self) {
                _ = try await house.phone.chat.send("one", in: nil)
            }
            #expect(refusal == ClientRefusal(.notOnDevice, why: .localNotBuiltIn))
            #expect(house.phone.link.operations == 0)
        }
    }

    @Test("R18 in the automatic mode the device answers what it can while the server is there")
    func automatic() async throws {
        let model = ScriptedDevice()
        try await open(model, mode: .automatic) { house in
            try await house.settle()
            let here = try await house.phone.chat.send("one", in: nil)
            try await house.end(of: here.answer)
            #expect(model.prompts.count == 1)
            let long = String(repeating: "long ", count: 400)
            let there = try await house.ask(long)
            try await house.server.sayAll()
            try await house.end(of: there.answer)
            #expect(house.server.read { $0.runs } == [there.answer])
        }
    }

    @Test("A46 offline, another answer is a branch beside the one that is there")
    func again() async throws {
        try await open(ScriptedDevice()) { house in
            let first = try await house.ask("one")
            try await house.server.sayAll()
            try await house.end(of: first.answer)
            try await house.settle()
            try await goOffline(house)
            let second = try await house.phone.chat.regenerate(first.turn)
            try await house.end(of: second)
            #expect(try await house.phone.shown(first.conversation) == ["one", "one! "])
            try await house.phone.chat.select(first.answer)
            #expect(try await house.phone.shown(first.conversation) == ["one", "one "])
            goOnline(house)
            try await house.settle()
            #expect(house.server.read { $0.runs } == [first.answer])
        }
    }

    @Test("A39 deleting a conversation that the device answers stops its model and leaves nothing")
    func delete() async throws {
        let model = ScriptedDevice(words: 1)
        try await open(model) { house in
            try await goOffline(house)
            let sent = try await house.phone.chat.send("one two", in: nil)
            try await house.see("one! ", sent.answer)
            try await house.phone.chat.delete(sent.conversation)
            #expect(try await house.phone.chat.list().isEmpty)
            #expect(model.read { $0.cancelled } == 1)
            goOnline(house)
            try await house.settle()
            #expect(try await house.server.isDeleted(sent.conversation))
        }
    }

    @Test("A20 a server that wants no such turn leaves it where it is, and the words stay")
    func declined() async throws {
        try await open(ScriptedDevice()) { house in
            try await goOffline(house)
            let sent = try await house.phone.chat.send("one", in: nil)
            try await house.end(of: sent.answer)
            house.server.change { state in
                state.refusal = { request in
                    request.url.hasSuffix("/finished") ? .problem(Problem(.notFound, "an older server")) : nil
                }
            }
            goOnline(house)
            try await eventually("kept here") {
                try await house.phone.store.turn(sent.turn)?.delivery == .onDevice(staysHere: true)
            }
            #expect(try await house.phone.shown(sent.conversation) == ["one", "one! "])
            #expect(house.server.read { $0.runs }.isEmpty)
        }
    }
}
