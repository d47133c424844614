import Foundation
import RejoinCore
import RejoinTestKit
import Synchronization
import Testing

@testable import RejoinClient

@Suite(.timeLimit(.minutes(1))) @MainActor struct ConsentModelTests {
    /// The server's half of the decisions.
    private final class Decisions: Sendable {
        let state = Mutex((version: 3, on: ["history": true], fails: false, replies: 0))

        func answer(_ request: TransportRequest) -> TransportReply? {
            guard request.url.hasSuffix("/v1/consent") else { return nil }
            let tag = request.fields.first { $0.name == "if-match" }?.value
            return state.withLock { state in
                state.replies += 1
                if request.method == "PUT" {
                    if state.fails { return .problem(Problem(.forbidden, "not today")) }
                    guard tag == "\"\(state.version)\"" else { return .problem(Problem(.conflict, "")) }
                    let body = (try? JSONReader.parse(request.body ?? []).object) ?? JSONObject()
                    state.version += 1
                    for topic in Consent.Topic.allCases {
                        if let isOn = body[topic.rawValue]?.bool { state.on[topic.rawValue] = isOn }
                    }
                }
                let switches = Consent.Topic.allCases.map { topic in
                    #""\#(topic.rawValue)":{"on":\#(state.on[topic.rawValue] ?? false),"version":1,"at":null}"#
                }
                let text = "{\"version\":\(state.version),\(switches.joined(separator: ","))}"
                return .json(Array(text.utf8))
            }
        }
    }

    private func open(_ body: @MainActor (ModelScreen, Decisions, ConsentModel) async throws -> Void) async throws {
        let decisions = Decisions()
        try await ModelScreen.open { screen in
            screen.server.answerRequests { decisions.answer($0) }
            try await body(screen, decisions, ConsentModel(client: screen.chat, options: screen.options))
        }
    }

    @Test("A73 until the server has told, every switch shows its most private value and none can be changed")
    func unknown() async throws {
        try await open { screen, decisions, model in
            for topic in Consent.Topic.allCases { #expect(!model.isOn(topic)) }
            #expect(!model.canChange)
            await model.set(.improvement, isOn: true)
            #expect(decisions.state.withLock { $0.version } == 3)
            await model.refresh()
            #expect(model.isOn(.history) && !model.isOn(.improvement) && !model.isOn(.memory))
            #expect(model.canChange && model.notice == nil)
        }
    }

    @Test("A74 a change shows as set when the server has confirmed it, and goes back with a reason when it has not")
    func confirmed() async throws {
        try await open { screen, decisions, model in
            await model.refresh()
            await model.set(.improvement, isOn: true)
            #expect(model.isOn(.improvement) && model.notice == nil)
            decisions.state.withLock { $0.fails = true }
            await model.set(.memory, isOn: true)
            #expect(!model.isOn(.memory))
            #expect(model.notice?.refusal.code.name == "forbidden")
            #expect(model.pending == nil && model.canChange)
        }
    }

    @Test("A74 a change on decisions that another device changed is not made, and shows what holds now")
    func conflict() async throws {
        try await open { screen, decisions, model in
            await model.refresh()
            decisions.state.withLock { state in
                state.version = 8
                state.on["improvement"] = false
                state.on["memory"] = true
            }
            await model.set(.improvement, isOn: true)
            #expect(!model.isOn(.improvement) && model.isOn(.memory))
            #expect(model.notice?.refusal.code == ClientRefusal.Code(Problem.Kind.conflict))
            // One whose reply was lost has happened: that is no conflict to speak of.
            decisions.state.withLock { state in
                state.version = 9
                state.on["improvement"] = true
            }
            await model.set(.improvement, isOn: true)
            #expect(model.isOn(.improvement) && model.notice == nil)
        }
    }

    @Test("A76 a server that keeps no such decisions leaves nothing to show")
    func notOffered() async throws {
        try await ModelScreen.open { screen in
            let model = ConsentModel(client: screen.chat, options: screen.options)
            #expect(!model.topics.isEmpty)
            await model.refresh()
            #expect(model.state == .notOffered)
            #expect(model.topics.isEmpty && !model.canChange && model.notice == nil)
        }
    }

    @Test("A43 A73 this device keeps history as the server says, also after a start without a connection")
    func keepsToIt() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rejoin-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let account: AccountID = ID(high: 1, low: 2)
        let store = try await LocalStore.open(folder: folder, account: account)
        #expect(store.keepsHistory)
        try await store.saveHistoryConsent(false)
        #expect(!store.keepsHistory)
        await store.close()
        let again = try await LocalStore.open(folder: folder, account: account)
        #expect(!again.keepsHistory)
        try await again.saveHistoryConsent(true)
        await again.close()
        let last = try await LocalStore.open(folder: folder, account: account)
        #expect(last.keepsHistory)
        await last.close()
    }

    @Test("A73 a decision made on another device reaches this one by the change feed")
    func elsewhere() async throws {
        try await open { screen, decisions, model in
            screen.run { await model.run() }
            try await screen.shows("what the server says") { model.isOn(.history) }
            try await screen.shows("this device keeps to it") { screen.chat.store.keepsHistory }
            decisions.state.withLock { state in
                state.version = 4
                state.on["history"] = false
            }
            screen.server.noteConsent()
            try await screen.shows("the new value", by: .milliseconds(50)) { !model.isOn(.history) }
            try await screen.shows("and keeps to it") { !screen.chat.store.keepsHistory }
        }
    }
}
