import RejoinClient
import RejoinCore
import RejoinTestKit
import Testing

@testable import RejoinTerminal

@Suite(.timeLimit(.minutes(1))) struct ChatProgramTests {
    /// Runs a chat over a device for the length of a body, and then ends it.
    private static func sit(
        at device: Device, _ body: @Sendable (ScriptedScreen) async throws -> Void
    ) async throws {
        let screen = ScriptedScreen()
        let chat = device.chat
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let program = await ChatProgram(
                    client: chat, screen: screen, folder: nil, conversation: nil, model: "auto",
                    ability: TerminalAbility(environment: [:]))
                await program.run(interrupts: AsyncStream { _ in })
            }
            defer { screen.end() }
            try await eventually("the first frame") { screen.frames.count > 0 }
            try await body(screen)
            screen.end()
            try await group.waitForAll()
        }
    }

    @Test("A64 a thousand pieces between two ticks are one frame")
    func coalescing() async throws {
        let script: @Sendable (String) -> [Event] = { _ in
            (0..<1000).map { .text("piece\($0) ") } + [.end(.init(.done, .complete))]
        }
        try await Household.open(timePasses: false, starts: false, script: script) { house in
            try await Self.sit(at: house.phone) { screen in
                screen.type("hello\r")
                try await house.runs(1)
                let answer = try #require(house.server.read { $0.runs.first })
                // Whatever was to be drawn until now is drawn.
                for _ in 0..<5 {
                    house.clock.advance(by: ChatProgram.frameInterval)
                    let count = screen.frames.count
                    try await eventually("the words are there") { screen.frames.count >= count }
                }
                try await house.server.say(answer, 1)
                try await eventually("the first piece is drawn") {
                    house.clock.advance(by: ChatProgram.frameInterval)
                    return screen.frames.contains { $0.contains("piece0") }
                }
                let before = screen.frames.count
                try await house.server.say(answer, 999)
                try await eventually("all pieces are here") {
                    if let live = house.phone.chat.live(answer) { return live.text.hasSuffix("piece999 ") }
                    let text = try await house.phone.answer(answer)?.answer.text ?? ""
                    return text.hasSuffix("piece999 ")
                }
                // One may have been due before; the clock stands, so no other is.
                #expect(screen.frames.count <= before + 1)
                try await eventually("all pieces are drawn") {
                    house.clock.advance(by: ChatProgram.frameInterval)
                    return screen.frames.contains { $0.contains("piece999") }
                }
                #expect(screen.frames.count <= before + 4)
            }
        }
    }

    @Test func `Enter twice sends once`() async throws {
        try await Household.open(starts: false) { house in
            try await Self.sit(at: house.phone) { screen in
                screen.type("hello\r\r\r")
                try await house.runs(1)
                try await house.server.sayAll()
                try await house.settle()
            }
            #expect(house.server.read { $0.prompts } == ["hello"])
        }
    }

    @Test func `what was sent before leaving is sent, and leaves no draft`() async throws {
        try await Household.open(starts: false) { house in
            try await Self.sit(at: house.phone) { screen in screen.type("hello\r") }
            let list = try await house.phone.chat.list()
            #expect(list.map(\.title.text) == ["hello"])
            for conversation in [nil, list.first?.id] {
                let draft = try await house.phone.chat.draft(for: conversation)
                #expect(draft?.text ?? "" == "")
            }
        }
    }

    @Test func `what was typed before leaving is there again`() async throws {
        try await Household.open(starts: false) { house in
            try await Self.sit(at: house.phone) { screen in screen.type("half a prom") }
            #expect(try await house.phone.chat.draft(for: nil)?.text == "half a prom")
            try await Self.sit(at: house.phone) { screen in
                try await eventually("the draft is drawn") { screen.frames.contains { $0.contains("half a prom") } }
            }
        }
    }

    @Test func `what cannot be done is said, and the words stay`() async throws {
        try await Household.open(starts: false) { house in
            house.phone.link.setDown(true)
            try await Self.sit(at: house.phone) { screen in
                try await eventually("the banner is drawn") { screen.frames.contains { $0.contains("Offline for") } }
                screen.type("hello\r")
                try await eventually("the refusal is drawn") {
                    screen.frames.contains { $0.contains("not sent: there is no connection") }
                }
            }
            #expect(try await house.phone.chat.draft(for: nil)?.text == "hello")
        }
    }
}
