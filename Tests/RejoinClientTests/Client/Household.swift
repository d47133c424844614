import RejoinCore
import RejoinTestKit
import Testing

@testable import RejoinClient

/// A server and the devices of one person, in time that passes by itself or does not.
struct Household {
    let server: AccountServer
    let clock: ManualClock
    let devices: [Device]
    var phone: Device { devices[0] }
    var laptop: Device { devices[1] }

    /// Opens a household for the length of a body, and sees to it that nothing is left behind (A90).
    static func open(
        devices count: Int = 1, timePasses: Bool = true, starts: Bool = true,
        script: @escaping @Sendable (String) -> [Event] = AccountServer.echo,
        configure: (inout ConversationClient.Configuration) -> Void = { _ in },
        _ body: @Sendable (Household) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let server = try await AccountServer(now: { clock.wall }, script: script)
        var devices: [Device] = []
        for number in 0..<count {
            devices.append(try await Device(server, clock: clock, seed: UInt64(number + 1), configure: configure))
        }
        let household = Household(server: server, clock: clock, devices: devices)
        if starts { for device in devices { device.start() } }
        do {
            if timePasses { try await clock.running { try await body(household) } } else { try await body(household) }
        } catch {
            for device in devices { await device.close() }
            throw error
        }
        for device in devices {
            await device.close()
            #expect(device.chat.diagnostics == ConversationClient.Diagnostics())
        }
    }

    /// Waits until an answer on a device is as far as its words say.
    func see(_ text: String, _ answer: AnswerID, on device: Device? = nil) async throws {
        let device = device ?? phone
        try await eventually("\(text) is shown") {
            if let live = device.chat.live(answer), live.text == text { return true }
            return try await device.answer(answer)?.answer.text == text
        }
    }

    /// Waits until an answer has ended in the store of a device.
    @discardableResult
    func end(of answer: AnswerID, on device: Device? = nil) async throws -> StoredAnswer {
        let device = device ?? phone
        try await eventually("the answer ends") { try await device.answer(answer)?.answer.state.end != nil }
        return try #require(try await device.answer(answer))
    }

    /// Waits until the server was asked for so many answers.
    func runs(_ count: Int) async throws {
        try await eventually("\(count) runs") { server.read { $0.runs.count } == count }
    }

    /// Waits until a device has told everything and has taken everything in.
    func settle(_ device: Device? = nil) async throws {
        let device = device ?? phone
        try await eventually("the device is at rest") {
            let newest = try await server.newestCursor
            let sync = try await device.store.syncState()
            let isQuiet = device.chat.diagnostics.followed == 0 || !server.unfinished.isEmpty
            return try await device.store.outbox().isEmpty && sync.listedAt != nil && sync.cursor == newest && isQuiet
        }
    }

    /// Sends words and waits until the server works on them.
    func ask(_ text: String, in conversation: ConversationID? = nil) async throws -> ConversationClient.Sent {
        let count = server.read { $0.runs.count }
        let sent = try await phone.chat.send(text, in: conversation)
        try await runs(count + 1)
        return sent
    }
}
