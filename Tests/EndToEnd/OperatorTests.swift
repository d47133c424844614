import Foundation
import RejoinCore
import TestSupport
import Testing

/// What an operator changes while the real server runs.
@Suite(.timeLimit(.minutes(2))) struct OperatorTests {
    private static let plans = #"""
        plans: [{ name: "guest", quotas: [{ counts: "turns", amount: 1, hours: 8784 }] }, { name: "family" }],
        """#

    private func ask(_ house: Household, _ model: String = "auto") async throws -> TestClient.Reply {
        var draft = house.direct.draft("Hello")
        draft.model = model
        return try await house.direct.put(draft, house.ann)
    }

    /// Waits until asking comes out as wanted.
    private func asks(_ house: Household, _ model: String, _ wanted: Int) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while try await ask(house, model).status != wanted {
            try #require(ContinuousClock.now < end, "asking \(model) did not come to \(wanted)")
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test(
        "S40 a model is switched off and on by the file and a signal, without a restart; a broken file changes nothing")
    func switches() async throws {
        try await Household.open("paced-1-1", "paced-2-1", settings: Self.plans) { house in
            let file = house.server.folder + "/rejoin.json5"
            let before = try String(contentsOfFile: file, encoding: .utf8)
            func write(_ text: String) throws { try text.write(toFile: file, atomically: true, encoding: .utf8) }
            #expect(try await ask(house).status == 201)
            try write(before.dropLast() + #"off_models: ["paced-1-1"] }"#)
            house.server.signal(SIGHUP)
            try await asks(house, "auto", 503)
            #expect(try await ask(house, "paced-2-1").status == 201)
            try write("{ off_models: [")
            house.server.signal(SIGHUP)
            let end = ContinuousClock.now + .seconds(20)
            while !house.server.errors.contains("was not read again") {
                try #require(ContinuousClock.now < end)
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(try await ask(house).status == 503)
            // What the file permits beyond the start's configuration counts from the next start on.
            try write(before.replacing("models: [", with: #"models: [{ name: "new", kind: "llama", path: "x" }, "#))
            house.server.signal(SIGHUP)
            try await asks(house, "auto", 201)
            #expect(try await ask(house, "new").status == 400)
        }
    }

    @Test("S40 a reload takes over plans and the level of the log, and names what waits for a restart")
    func reload() async throws {
        try await Household.open("paced-1-1", settings: Self.plans) { house in
            let file = house.server.folder + "/rejoin.json5"
            let before = try String(contentsOfFile: file, encoding: .utf8)
            for _ in 1...2 { #expect(try await ask(house).status == 201) }
            let text = before.dropLast() + #"default_plan: "guest", limits: { queue_length: 7 }, titles: "off" }"#
            try text.replacing(", titles: \"off\", ", with: ", ").write(toFile: file, atomically: true, encoding: .utf8)
            house.server.signal(SIGHUP)
            try await asks(house, "auto", 429)
            #expect(house.server.errors.contains(#""needs-restart":"limits""#), "\(house.server.errors)")
            try before.write(toFile: file, atomically: true, encoding: .utf8)
            house.server.signal(SIGHUP)
            try await asks(house, "auto", 201)
        }
    }

    @Test("S21 a plan given by the command holds from the next prompt on, and the list shows it")
    func plan() async throws {
        try await Household.open("paced-1-1", settings: Self.plans) { house in
            let server = house.server
            func rejoin(_ words: String...) async throws -> (status: Int32, output: String, errors: String) {
                let config = ["REJOIN_CONFIG": server.folder + "/rejoin.json5"]
                return try await server.rejoin(["account"] + words + ["--data", server.data], environment: config)
            }
            #expect(try await rejoin("plan", "ann").output == "none\n")
            for _ in 1...3 { #expect(try await ask(house).status == 201) }
            #expect(try await rejoin("plan", "ANN", "guest").status == 0)
            #expect(try await rejoin("plan", "ann").output == "guest\n")
            #expect(try await rejoin("list").output.split(separator: "\n").contains("ann\tguest\towner"))
            #expect(try await ask(house).status == 201)
            let refused = try await ask(house)
            #expect(refused.status == 429 && refused.field("Retry-After") != nil)
            let unknown = try await rejoin("plan", "ann", "gest")
            #expect(unknown.status == 65 && unknown.errors.contains("there are guest, family"))
            #expect(try await rejoin("plan", "bob", "guest").status == 67)
            #expect(try await rejoin("plan", "ann", "none").status == 0)
            #expect(try await ask(house).status == 201)
        }
    }
}
