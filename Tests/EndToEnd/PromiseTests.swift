import Foundation
import HTTPClient
import RejoinCore
import Synchronization
import TestSupport
import SeededRandom
import Testing

@Suite(.timeLimit(.minutes(3))) struct PromiseTests {
    private func script(_ count: Int) -> String { (0..<count).map { "tok\($0) " }.joined() }

    @Test("S01 a prompt whose reply is lost three times in a row is answered once")
    func lostReplies() async throws {
        try await Household.open("paced-20-200") { house in
            let draft = house.web.draft("Hello")
            house.proxy.killReplies(3)
            let reply = try await house.put(draft)
            #expect(reply.status == 200)
            #expect(try await house.follow(draft.answer).text == script(20))
            #expect(house.upstream.started == 1)
            #expect(house.proxy.counters.killed == 3)
        }
    }

    @Test("S01 a request that the network delivers twice is answered once")
    func duplicatedRequest() async throws {
        try await Household.open("paced-20-200") { house in
            house.proxy.duplicateRequests()
            let draft = house.web.draft("Hello")
            _ = try await house.put(draft)
            house.proxy.heal()
            #expect(try await house.follow(draft.answer).text == script(20))
            #expect(house.upstream.started == 1)
        }
    }

    @Test("S02 an answer that nobody follows is stored whole, in another process's restart too")
    func nobodyFollows() async throws {
        try await Household.open("paced-50-500") { house in
            let draft = house.direct.draft("Hello")
            #expect(try await house.direct.put(draft, house.ann).status == 201)
            #expect(await house.upstream.wait { $0.finished == 1 })
            let path = "/v1/answers/\(draft.answer)"
            while try await house.direct.send("GET", path, house.ann).json["state"]?.string == "streaming" {
                try await Task.sleep(for: .milliseconds(2))
            }
            try await house.crash()
            let stored = try await house.direct.send("GET", path, house.ann)
            #expect(stored.json["state"]?.string == "done")
            let parts = ContentPart.parts(stored.json["content"]?.array ?? []) ?? []
            #expect(ContentPart.text(of: parts) == script(50))
        }
    }

    @Test("S03 over cuts at random places the reader ends with exactly the text, each event once and in order")
    func cuts() async throws {
        try await Household.open("paced-300-1000") { house in
            var generator = SeededGenerator(seed: 11)
            for _ in 1...5 {
                house.proxy.cut(afterBytes: Int.random(in: 300...1500, using: &generator))
                let draft = house.web.draft("Hello")
                house.proxy.heal()
                _ = try await house.put(draft)
                house.proxy.cut(afterBytes: Int.random(in: 200...3000, using: &generator))
                let answer = try await house.follow(draft.answer)
                house.proxy.heal()
                #expect(answer.text == script(300))
            }
            #expect(house.proxy.counters.cut > 5)
        }
    }

    @Test("S04 what a client has seen survives kill -9, and the answer is interrupted and never silently streaming")
    func killed() async throws {
        try await Household.open("hold-30") { house in
            for _ in 1...5 {
                let draft = house.web.draft("Hello")
                _ = try await house.put(draft)
                let seen = Mutex((text: "", isKilled: false))
                let answer = try await house.follow(draft.answer) { event in
                    guard case .text(let text) = event.event else { return }
                    let isDue = seen.withLock { seen in
                        seen.text += text
                        return seen.text.contains("tok20")
                    }
                    if isDue, !seen.withLock({ $0.isKilled }) {
                        seen.withLock { $0.isKilled = true }
                        try await house.crash()
                    }
                }
                #expect(answer.state.end == Event.End(.interrupted, .serverCrashed))
                #expect(answer.text == seen.withLock { $0.text })
            }
            #expect(house.upstream.started == 5)
        }
    }

    @Test("S05 stop closes the upstream within 200 ms, keeps the text, and lets the next turn start at once")
    func stop() async throws {
        try await Household.open("hold-10", "paced-3-1000", concurrent: 1) { house in
            let draft = house.web.draft("Hello")
            _ = try await house.put(draft)
            let upstream = house.upstream
            let answer = try await house.follow(draft.answer) { event in
                guard case .text(let text) = event.event, text.contains("tok9") else { return }
                let asked = ContinuousClock.now
                let reply = try await house.direct.send("POST", "/v1/answers/\(draft.answer)/stop", house.ann)
                #expect(reply.json["state"]?.string == "stopped")
                #expect(await upstream.wait { $0.aborted == 1 })
                let aborted = try #require(upstream.requests.first?.abortedAt)
                #expect(aborted - asked < .milliseconds(200))
            }
            #expect(answer.text == script(10))
            #expect(answer.state.end?.state == .stopped)
            #expect(answer.usage?.isEstimated == true)
            var next = house.web.draft("And now?")
            next.model = "paced-3-1000"
            _ = try await house.put(next)
            #expect(try await house.follow(next.answer).state.end?.state == .done)
        }
    }

    @Test("S06 a client that leaves does not stop the model")
    func leaving() async throws {
        try await Household.open("paced-40-400") { house in
            let draft = house.web.draft("Hello")
            _ = try await house.put(draft)
            for _ in 1...10 {
                let request = house.web.request("GET", "/v1/answers/\(draft.answer)/events", house.ann)
                try await house.web.client.send(request).cancel()
            }
            #expect(try await house.follow(draft.answer).text == script(40))
            #expect(house.upstream.aborted == 0)
        }
    }

    @Test(
        "S07 every way that an upstream can end is told apart, the text so far stays, and its words never leave",
        arguments: [
            ("cut-5", "interrupted", 5), ("close-5", "interrupted", 5), ("error-after-5", "failed", 5),
            ("length-5", "done", 5), ("filter-5", "refused", 5), ("empty", "failed", 0), ("error-500", "failed", 0),
            ("error-429-3600", "refused", 0), ("error-401", "failed", 0), ("error-400", "failed", 0),
        ])
    func ends(model: String, state: String, pieces: Int) async throws {
        try await Household.open(model) { house in
            let draft = house.web.draft("Hello")
            _ = try await house.put(draft)
            let answer = try await house.follow(draft.answer)
            #expect(answer.state.name == state)
            #expect(answer.text == script(pieces))
            let shown = try await house.direct.send("GET", "/v1/answers/\(draft.answer)", house.ann)
            #expect(!String(decoding: shown.body, as: UTF8.self).contains("canary"))
            #expect(!house.server.errors.contains("canary"))
        }
    }

    @Test("S09 while a model thinks the line is kept alive, and the thought arrives")
    func thinking() async throws {
        try await Household.open("think-12") { house in
            let draft = house.direct.draft("Hello")
            _ = try await house.direct.put(draft, house.ann)
            let request = house.direct.request("GET", "/v1/answers/\(draft.answer)/events", house.ann)
            let response = try await house.direct.client.send(request)
            var last = ContinuousClock.now
            var longest = Duration.zero
            var bytes: [UInt8] = []
            while let piece = try await response.nextPiece() {
                longest = max(longest, ContinuousClock.now - last)
                last = ContinuousClock.now
                bytes += piece
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(longest < .seconds(10.5))
            #expect(text.contains(":\n\n") && text.contains("Thought ") && text.contains("event:end"))
        }
    }

    @Test("S13 a turn that has to wait says so, and runs when its time comes")
    func waiting() async throws {
        try await Household.open("hold-1", concurrent: 1) { house in
            let first = house.web.draft("first")
            let second = house.web.draft("second")
            _ = try await house.put(first)
            #expect(await house.upstream.wait { $0.started == 1 })
            _ = try await house.put(second)
            let places = Mutex<[Int]>([])
            let answer = try await house.follow(second.answer) { event in
                guard case .status(let status) = event.event, status.phase == .queued else { return }
                places.withLock { $0.append(status.position ?? 0) }
                house.upstream.release()
                house.upstream.release()
            }
            #expect(places.withLock { $0 } == [1])
            #expect(answer.state.end?.state == .done)
        }
    }

    @Test("S31 a server that is told to stop lets answers finish, and says in their end what it could not finish")
    func shutdown() async throws {
        try await Household.open("paced-60-25", "hold-5", settings: "limits: { drain_seconds: 5 }") { house in
            let finishing = house.web.draft("finishing")
            var held = house.web.draft("held")
            held.model = "hold-5"
            _ = try await house.put(finishing)
            _ = try await house.put(held)
            #expect(await house.upstream.wait { $0.started == 2 })
            async let first = house.follow(finishing.answer)
            async let second = house.follow(held.answer)
            // A reader that comes later finds the door closed, so both are at the table before it closes.
            while try await !house.metric("rejoin_streams 2") { try await Task.sleep(for: .milliseconds(2)) }
            house.server.signal(SIGTERM)
            #expect(try await first.text == script(60))
            let interrupted = try await second
            #expect(interrupted.state.end == Event.End(.interrupted, .serverStopped))
            #expect(interrupted.text == script(5))
            #expect(await house.server.waitForExit() == 0)
        }
    }

    @Test("S36 no prompt, answer, token or key is in any log line or metric")
    func canaries() async throws {
        try await Household.open("echo-path", "error-500", environment: ["CANARY_KEY": "canary-key"]) { house in
            for model in ["echo-path", "error-500"] {
                var draft = house.web.draft("canary-prompt")
                draft.model = model
                _ = try await house.put(draft)
                _ = try await house.follow(draft.answer)
            }
            _ = try await house.direct.send("PUT", "/v1/conversations/canary-path", house.ann, json: "{canary-body")
            let metrics = String(decoding: try await house.direct.send("GET", "/metrics", nil).body, as: UTF8.self)
            await house.server.stop()
            for text in [metrics, house.server.errors] {
                #expect(!text.contains("canary") && !text.contains(house.ann.token))
            }
        }
    }

    @Test("S27 over kills under load no accepted turn is lost and no answer is doubled")
    func killLoop() async throws {
        try await Household.open("paced-40-300") { house in
            let history = History()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...4 {
                    group.addTask {
                        for _ in 1...8 {
                            let draft = house.web.draft("load")
                            let reply = try await house.put(draft)
                            #expect([200, 201].contains(reply.status))
                            history.accepted.withLock { $0.append(draft) }
                            let answer = try await house.follow(draft.answer)
                            history.seen.withLock { $0[draft.answer] = answer }
                        }
                    }
                }
                group.addTask {
                    for _ in 1...8 {
                        try await Task.sleep(for: .milliseconds(120))
                        try await house.crash()
                    }
                }
                try await group.waitForAll()
            }
            for draft in history.accepted.withLock({ $0 }) {
                let stored = try await house.direct.fold(draft.answer, house.ann)
                #expect(stored == history.seen.withLock { $0[draft.answer] })
                #expect(script(40).hasPrefix(stored.text))
                #expect(
                    stored.state.end?.state == .done
                        ? stored.text == script(40) : stored.state.end?.state == .interrupted)
            }
            // A run that a crash ended is not run again: at most one request to the model for each turn.
            #expect(house.upstream.started <= history.accepted.withLock { $0.count })
        }
    }

    /// What clients were told, to be held against what is stored.
    private final class History: Sendable {
        let accepted = Mutex<[TestClient.Draft]>([])
        let seen = Mutex<[AnswerID: Answer]>([:])
    }
}
