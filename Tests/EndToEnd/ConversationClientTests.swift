import Foundation
import RejoinClient
import RejoinCore
import Testing
import TestSupport

/// The client against the real server process, through a network that can go wrong.
@Suite(.timeLimit(.minutes(3))) struct ConversationClientTests {
    /// A device that is signed in, on the network or before the proxy.
    private final class Device: Sendable {
        let folder: String
        let chat: ConversationClient
        let transport = CurlTransport()
        private let task: Task<Void, Never>

        init(_ house: Household, port: Int, folder: String? = nil) async throws {
            self.folder = folder ?? NSTemporaryDirectory() + "rejoin-device-\(UInt64.random(in: 0 ... .max))"
            let client = RejoinClient(
                address: "http://127.0.0.1:\(port)", token: house.ann.token, transport: transport)
            chat = try await ConversationClient.open(
                .init(folder: self.folder, account: ID(high: 1, low: 1)), client: client)
            task = Task { [chat] in await chat.run() }
        }

        func close() async {
            task.cancel()
            await task.value
            await chat.store.close()
        }

        func erase() { try? FileManager.default.removeItem(atPath: folder) }
    }

    private func until(_ what: String, within limit: Duration = .seconds(30), _ condition: () async throws -> Bool)
        async throws
    {
        let deadline = ContinuousClock.now + limit
        while try await !condition() {
            try #require(ContinuousClock.now < deadline, "\(what) did not happen")
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func shown(_ device: Device, _ conversation: ConversationID) async throws -> [String] {
        guard let tree = try await device.chat.tree(conversation) else { return [] }
        return tree.path.compactMap { step in step.answer.flatMap { tree.answers[$0]?.answer.text } }
    }

    private func script(_ count: Int) -> String { (0..<count).map { "tok\($0) " }.joined() }

    @Test("A34 with the list open on one device, a conversation made on another is listed within two seconds")
    func secondDevice() async throws {
        try await Household.open("paced-20-500") { house in
            let phone = try await Device(house, port: house.server.port)
            let laptop = try await Device(house, port: house.proxy.port)
            try await until("online") { laptop.chat.connection == .online && phone.chat.connection == .online }
            let sent = try await phone.chat.send("Hello", in: nil)
            let start = ContinuousClock.now
            try await until("listed", within: .seconds(2)) {
                try await laptop.chat.list().map(\.id) == [sent.conversation]
            }
            let latency = ContinuousClock.now - start
            #expect(latency < .seconds(2))
            try await laptop.chat.open(sent.conversation)
            try await until("whole") { try await shown(laptop, sent.conversation) == [script(20)] }
            // And the title, the pin and the deletion, with no gesture either.
            try await phone.chat.rename(sent.conversation, to: "Mine")
            try await until("renamed", within: .seconds(2)) {
                try await laptop.chat.list().first?.title.text == "Mine"
            }
            try await phone.chat.delete(sent.conversation)
            try await until("gone", within: .seconds(2)) { try await laptop.chat.list().isEmpty }
            for device in [phone, laptop] {
                await device.close()
                device.erase()
            }
        }
    }

    @Test("A05 A18 A25 over cuts, a refusing network and a killed server the text stays, and the rest comes once")
    func drops() async throws {
        try await Household.open("paced-200-100") { house in
            let phone = try await Device(house, port: house.proxy.port)
            let sent = try await phone.chat.send("Hello", in: nil)
            var longest = ""
            func watch(_ count: Int) async throws {
                try await until("\(count) words") {
                    let text = try await shown(phone, sent.conversation).last ?? ""
                    // What is shown only ever grows.
                    #expect(text.hasPrefix(longest))
                    longest = text
                    return text.split(separator: " ").count >= count
                }
            }
            try await watch(20)
            house.proxy.cutNow()
            try await watch(50)
            house.proxy.refuseConnections()
            house.proxy.cutNow()
            try await until("it is noticed") { phone.chat.connection != .online }
            house.proxy.heal()
            try await watch(200)
            try await until("whole") {
                try await phone.chat.tree(sent.conversation)?.answers[sent.answer]?.answer.state.end?.state == .done
            }
            #expect(try await shown(phone, sent.conversation) == [script(200)])
            #expect(house.upstream.started == 1)
            await phone.close()
            phone.erase()
        }
    }

    @Test("A12 stop reaches the model, and the words that were shown stay over restarts of both sides")
    func stop() async throws {
        try await Household.open("hold-5") { house in
            let phone = try await Device(house, port: house.server.port)
            let sent = try await phone.chat.send("Hello", in: nil)
            try await until("words") { try await shown(phone, sent.conversation) == [script(5)] }
            try await phone.chat.stop(sent.answer)
            try await until("stopped") {
                try await phone.chat.tree(sent.conversation)?.answers[sent.answer]?.answer.state.end?.state == .stopped
            }
            await phone.close()
            try await house.crash()
            let again = try await Device(house, port: house.server.port, folder: phone.folder)
            #expect(try await shown(again, sent.conversation) == [script(5)])
            let fresh = try await Device(house, port: house.server.port)
            try await until("listed") { try await fresh.chat.list().map(\.id) == [sent.conversation] }
            try await fresh.chat.open(sent.conversation)
            #expect(try await shown(fresh, sent.conversation) == [script(5)])
            for device in [again, fresh] {
                await device.close()
                device.erase()
            }
        }
    }

    @Test("A28 A29 a server that is away and comes back gets what waited, in order and once")
    func away() async throws {
        try await Household.open("paced-5-500") { house in
            let phone = try await Device(house, port: house.proxy.port)
            try await until("online") { phone.chat.connection == .online }
            let first = try await phone.chat.send("Hello", in: nil)
            try await until("whole") {
                try await phone.chat.tree(first.conversation)?.answers[first.answer]?.answer.state.end != nil
            }
            house.proxy.killReplies(2)
            house.proxy.cutNow()
            let second = try await phone.chat.send("Again", in: first.conversation)
            try await until("whole") { try await shown(phone, first.conversation) == [script(5), script(5)] }
            try await until("told") { try await phone.chat.store.outbox().isEmpty }
            #expect(house.upstream.started == 2)
            #expect(second.conversation == first.conversation)
            await phone.close()
            phone.erase()
        }
    }
}
