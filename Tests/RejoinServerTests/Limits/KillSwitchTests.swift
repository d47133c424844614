import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

@Suite(.timeLimit(.minutes(1))) struct KillSwitchTests {
    private let large = ScriptedModel("large", saying: ["large"])
    private let small = ScriptedModel("small", saying: ["small"])

    @Test("S40 a model that is switched off is not asked, others are, and it comes back when it is allowed again")
    func models() async throws {
        try await APIHarness.run(large, small) { server in
            let ann = try await server.device("ann")
            func ask(_ model: String) async throws -> TestClient.Reply {
                var draft = server.web.draft("Hello")
                draft.model = model
                return try await server.web.put(draft, ann)
            }
            #expect(try await ask("auto").status == 201)
            server.house.switches.replace(.init(models: ["large"]))
            for model in ["auto", "large"] { #expect(try await ask(model).problem?.kind == .modelUnavailable) }
            #expect(try await ask("small").status == 201)
            let list = try await server.web.send("GET", "/v1/models", ann).json["items"]?.array ?? []
            #expect(list.map { $0.object?["state"]?.string } == ["unavailable", "ready"])
            // A name that the start did not have adds nothing.
            server.house.switches.replace(.init(models: ["other"]))
            #expect(try await ask("large").status == 201)
            #expect(try await ask("other").status == 400)
        }
    }

    @Test("S40 an answer that waits in line when its model is switched off never reaches it")
    func waiting() async throws {
        let gate = Gate()
        let slow = ScriptedModel("slow", capacity: 1) { _ in [.wait(gate), .end(.finished(.complete))] }
        try await APIHarness.run(slow) { server in
            let ann = try await server.device("ann")
            let (first, second) = (server.web.draft("One"), server.web.draft("Two"))
            _ = try await server.web.put(first, ann)
            _ = try await server.web.put(second, ann)
            while slow.requests.isEmpty { await Task.yield() }
            server.house.switches.replace(.init(models: ["slow"]))
            gate.open()
            let end = try await server.web.fold(second.answer, ann).state.end
            #expect(end?.state == .failed && end?.reason == "model-unavailable")
            #expect(slow.requests.count == 1)
        }
    }

    @Test("S40 whole parts can be switched off, and reading goes on")
    func parts() async throws {
        try await APIHarness.run(large) { server in
            let ann = try await server.device("ann")
            let draft = server.web.draft("Hello")
            _ = try await server.web.put(draft, ann)
            _ = try await server.web.fold(draft.answer, ann)
            server.house.switches.replace(.init(parts: [.answers, .openai]))
            #expect(try await server.web.put(server.web.draft("More"), ann).problem?.kind == .modelUnavailable)
            // What was admitted is answered as ever.
            #expect(try await server.web.put(draft, ann).status == 200)
            #expect(try await server.web.send("GET", "/v1/conversations/\(draft.conversation)", ann).status == 200)
            #expect(try await server.web.send("GET", "/openai/v1/models", ann).status == 503)
            server.house.switches.replace(.init())
            #expect(try await server.web.send("GET", "/openai/v1/models", ann).status == 200)
        }
    }

    @Test("S40 no switch permits what a plan forbids")
    func onlyForbids() async throws {
        try await APIHarness.run(large) {
            $0.plans = PlanBook([Plan("none", quotas: [Quota(.turns, amount: 0, hours: 8784)])], standard: "none")
        } _: { server in
            let ann = try await server.device("ann")
            for off in [KillSwitches.Off(), .init(parts: [.titles]), .init(models: ["small"])] {
                server.house.switches.replace(off)
                #expect(try await server.web.put(server.web.draft("Hello"), ann).problem?.kind == .limitReached)
            }
            #expect(large.requests.isEmpty)
        }
    }
}
