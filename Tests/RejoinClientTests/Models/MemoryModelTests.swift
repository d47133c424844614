import RejoinCore
import RejoinTestKit
import Synchronization
import Testing

@testable import RejoinClient

@Suite(.timeLimit(.minutes(1))) @MainActor struct MemoryModelTests {
    /// The server's half of the memory.
    private final class Kept: Sendable {
        let state = Mutex(
            (isOn: true, facts: [("00000000-0000-7000-8000-000000000001", "likes tea", "proposed")], fails: false))

        func answer(_ request: TransportRequest) -> TransportReply? {
            guard
                let path = request.url.split(separator: "/v1/memory", maxSplits: 1).dropFirst().last
                    ?? (request.url.hasSuffix("/v1/memory") ? "" : nil)
            else { return nil }
            let body = (try? JSONReader.parse(request.body ?? []).object) ?? JSONObject()
            return state.withLock { state in
                if request.method != "GET", state.fails { return .problem(Problem(.forbidden, "not today")) }
                let place = state.facts.firstIndex { path.hasSuffix($0.0) }
                switch request.method {
                case "GET": break
                case "POST":
                    guard state.isOn else { return .problem(Problem(.conflict, "off")) }
                    state.facts.append((body["id"]?.string ?? "", body["text"]?.string ?? "", "accepted"))
                    return .json(Array(Self.json(state.facts[state.facts.count - 1]).utf8))
                case "PATCH":
                    guard let place else { return .problem(Problem(.notFound, "")) }
                    if let text = body["text"]?.string { state.facts[place].1 = text }
                    state.facts[place].2 = "accepted"
                    return .json(Array(Self.json(state.facts[place]).utf8))
                default:
                    if path.isEmpty { state.facts = [] }
                    if let place {
                        state.facts.remove(at: place)
                    } else if !path.isEmpty {
                        return .problem(Problem(.notFound, ""))
                    }
                    return .json(Array("null".utf8))
                }
                let items = state.facts.map(Self.json).joined(separator: ",")
                return .json(Array("{\"on\":\(state.isOn),\"items\":[\(items)]}".utf8))
            }
        }

        private static func json(_ fact: (String, String, String)) -> String {
            #"{"id":"\#(fact.0)","text":"\#(fact.1)","state":"\#(fact.2)","source":"model"}"#
        }
    }

    private func open(_ body: @MainActor (ModelScreen, Kept, MemoryModel) async throws -> Void) async throws {
        let kept = Kept()
        try await ModelScreen.open { screen in
            screen.server.answerRequests { kept.answer($0) }
            try await body(screen, kept, MemoryModel(client: screen.chat, options: screen.options))
        }
    }

    @Test("A73 until the server has told, nothing is remembered as far as one sees, and nothing can be changed")
    func unknown() async throws {
        try await open { screen, kept, model in
            #expect(!model.isOn && model.facts.isEmpty && model.proposals.isEmpty && model.state == .unknown)
            await model.remember("lives in Lyon")
            #expect(kept.state.withLock { $0.facts.count } == 1)
            await model.refresh()
            #expect(model.isOn && model.facts.isEmpty && model.proposals.map(\.text) == ["likes tea"])
        }
    }

    @Test("A75 A74 facts are accepted, added, reworded and deleted, and show so once the server has done it")
    func changes() async throws {
        try await open { screen, kept, model in
            await model.refresh()
            let proposal = try #require(model.proposals.first)
            #expect(proposal.isByModel)
            await model.accept(proposal.id)
            #expect(model.facts.map(\.text) == ["likes tea"] && model.proposals.isEmpty)
            await model.remember("lives in Lyon")
            await model.reword(proposal.id, "likes coffee")
            #expect(model.facts.map(\.text) == ["likes coffee", "lives in Lyon"])
            #expect(model.facts([proposal.id, FactID(high: 9, low: 9)]).map(\.text) == ["likes coffee"])
            kept.state.withLock { $0.fails = true }
            await model.forget(proposal.id)
            #expect(model.facts.count == 2 && model.notice?.refusal.code.name == "forbidden" && !model.isChanging)
            kept.state.withLock { $0.fails = false }
            await model.forget(proposal.id)
            #expect(model.facts.map(\.text) == ["lives in Lyon"] && model.notice == nil)
            // What is gone already is gone: the second press is no failure.
            await model.forget(proposal.id)
            #expect(model.notice == nil)
            await model.forgetEverything()
            #expect(model.facts.isEmpty)
            kept.state.withLock { $0.isOn = false }
            await model.remember("lives in Lyon")
            #expect(model.facts.isEmpty && !model.isOn)
            #expect(model.notice?.refusal.code == ClientRefusal.Code(Problem.Kind.conflict))
        }
    }

    @Test("A76 a server that remembers nothing leaves nothing to show")
    func notOffered() async throws {
        try await ModelScreen.open { screen in
            let model = MemoryModel(client: screen.chat, options: screen.options)
            await model.refresh()
            #expect(model.state == .notOffered && model.notice == nil && !model.isOn)
        }
    }
}
