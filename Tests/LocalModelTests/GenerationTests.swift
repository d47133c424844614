import LocalModel
import Synchronization
import Testing

@Suite(.serialized, .enabled(if: TestModel.isThere, Comment(rawValue: TestModel.absence)), .timeLimit(.minutes(2)))
struct GenerationTests {
    @Test func `answers, and the pieces make up the whole`() async throws {
        let model = try await TestModel.load()
        var pieces: [String] = []
        let first = try await model.generate(.greedy("Name the capital of France.")) { pieces.append($0) }
        let again = try await model.answer(.greedy("Name the capital of France."))
        #expect(pieces.joined().contains("Paris"))
        #expect(pieces.joined() == again.text)
        #expect(pieces.count > 1)
        #expect(first.statistics.outputTokens == again.result.statistics.outputTokens)
        await model.shutdown()
    }

    @Test func `the output limit is kept to the token`() async throws {
        let model = try await TestModel.load()
        let (_, result) = try await model.answer(.greedy("Write a long story.", most: 7))
        #expect(result.reason == .outputLimit)
        #expect(result.statistics.outputTokens == 7)
        await model.shutdown()
    }

    @Test func `a full context ends the answer`() async throws {
        let model = try await TestModel.load(sequences: 1, context: 96)
        let (_, result) = try await model.answer(.greedy("Write a very long story about a dragon.", most: nil))
        #expect([.contextFull, .complete].contains(result.reason))
        #expect(result.statistics.promptTokens + result.statistics.outputTokens <= 96)
        await model.shutdown()
    }

    @Test func `a prompt beyond the context is refused`() async throws {
        let model = try await TestModel.load(sequences: 1, context: 96)
        let long = String(repeating: "word ", count: 200)
        await #expect {
            try await model.answer(.greedy(long))
        } throws: { ($0 as? LocalModelError)?.code == .contextTooLarge }
        await model.shutdown()
    }

    @Test func `characters of many bytes come whole`() async throws {
        let model = try await TestModel.load()
        var pieces: [String] = []
        let prompt = "Repeat exactly: 日本語のテキスト 🎉🎉🎉 Привет"
        _ = try await model.generate(.greedy(prompt, most: 40)) { pieces.append($0) }
        #expect(pieces.joined().unicodeScalars.contains { $0.value > 0x7F })
        #expect(!pieces.joined().unicodeScalars.contains("\u{FFFD}"))
        await model.shutdown()
    }

    @Test func `a follow-up evaluates only what is new`() async throws {
        let model = try await TestModel.load()
        let opening = LocalMessage(.user, String(repeating: "The garden needs water in summer. ", count: 20))
        let first = try await model.answer(
            GenerationRequest(messages: [opening], sampling: .greedy, maximumOutputTokens: 12))
        #expect(first.result.statistics.reusedTokens == 0)
        let conversation = [opening, LocalMessage(.assistant, first.text), LocalMessage(.user, "Why?")]
        let second = try await model.answer(
            GenerationRequest(messages: conversation, sampling: .greedy, maximumOutputTokens: 4))
        let new = second.result.statistics.promptTokens - second.result.statistics.reusedTokens
        #expect(second.result.statistics.reusedTokens >= first.result.statistics.promptTokens)
        #expect(new < 32)
        await model.shutdown()
    }

    @Test func `asked the same again, it evaluates one token and still knows`() async throws {
        let model = try await TestModel.load()
        let opening = String(repeating: "Cats sleep long. ", count: 20) + "What is the capital of France?"
        let cold = try await model.answer(.greedy(opening, most: 12))
        let warm = try await model.answer(.greedy(opening, most: 12))
        #expect(warm.result.statistics.reusedTokens == cold.result.statistics.promptTokens - 1)
        // Not the same to the letter: one token is summed up in another order than many.
        #expect(cold.text.contains("Paris") && warm.text.contains("Paris"))
        await model.shutdown()
    }

    @Test func `another place takes over a common beginning`() async throws {
        let model = try await TestModel.load(sequences: 2)
        let system = LocalMessage(.system, String(repeating: "You know all about trees. ", count: 20))
        func request(_ prompt: String) -> GenerationRequest {
            GenerationRequest(
                messages: [system, LocalMessage(.user, prompt)], sampling: .greedy, maximumOutputTokens: 30)
        }
        let started = Mutex(false)
        async let first = model.generate(request("Tell me all about oaks.")) { _ in started.withLock { $0 = true } }
        #expect(await eventually { started.withLock { $0 } })
        let second = try await model.answer(request("And beeches?"))
        #expect(second.result.statistics.reusedTokens > 100)
        _ = try await first
        await model.shutdown()
    }

    @Test func `answers in parallel do not mix`() async throws {
        let model = try await TestModel.load(sequences: 4, threads: nil)
        let capitals = ["France": "Paris", "Italy": "Rome", "Japan": "Tokyo", "Spain": "Madrid"]
        let answers = try await withThrowingTaskGroup(of: (String, String).self) { group in
            for country in capitals.keys {
                group.addTask {
                    let prompt = "What is the capital of \(country)? Answer with one word."
                    return (country, try await model.answer(.greedy(prompt, most: 12)).text)
                }
            }
            return try await group.reduce(into: [String: String]()) { $0[$1.0] = $1.1 }
        }
        for (country, capital) in capitals {
            #expect(answers[country]?.contains(capital) == true)
            let others = capitals.values.filter { $0 != capital }
            #expect(!others.contains { answers[country]?.contains($0) == true })
        }
        await model.shutdown()
    }

    @Test func `more requests than places wait in order`() async throws {
        let model = try await TestModel.load(sequences: 1)
        let finished = Shared([Int]())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    _ = try await model.answer(.greedy("Count to \(number).", most: 4))
                    finished.withLock { $0.append(number) }
                }
                #expect(await eventually { model.runsHeld > number || !finished.withLock { $0.isEmpty } })
            }
            try await group.waitForAll()
        }
        #expect(finished.withLock { $0.sorted() } == [0, 1, 2, 3])
        #expect(model.runsHeld == 0)
        await model.shutdown()
    }

    @Test("S05 a cancelled answer has left the model when the call returns")
    func cancelsWhileGenerating() async throws {
        let model = try await TestModel.load(sequences: 1)
        let quickest = try await quickestOfThree {
            let pieces = Shared(0)
            let task = Task {
                try await model.generate(.greedy("Write a very long story.", most: nil)) { _ in
                    pieces.withLock { $0 += 1 }
                }
            }
            #expect(await eventually { pieces.withLock { $0 } > 3 })
            let start = ContinuousClock.now
            task.cancel()
            let result = try await task.value
            #expect(result.reason == .cancelled)
            #expect(result.statistics.outputTokens > 3)
            #expect(model.runsHeld == 0)
            return start.duration(to: .now)
        }
        #expect(quickest < .milliseconds(200))
        let next = try await model.answer(.greedy("Name the capital of France."))
        #expect(next.text.contains("Paris"))
        await model.shutdown()
    }

    @Test("S05 a prompt that is being read is let go at once")
    func cancelsWhileReading() async throws {
        let model = try await TestModel.load(sequences: 1, context: 8192)
        let long = String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 600)
        #expect(try await model.tokenCount([LocalMessage(.user, long)]) > 5000)
        let quickest = try await quickestOfThree {
            let task = Task { try await model.generate(.greedy(long)) { _ in } }
            #expect(await eventually { model.runsHeld == 1 })
            let start = ContinuousClock.now
            task.cancel()
            let result = try await task.value
            #expect(result.reason == .cancelled)
            #expect(result.statistics.secondsToFirstToken == nil)
            return start.duration(to: .now)
        }
        #expect(quickest < .milliseconds(200))
        await model.shutdown()
    }

    /// The shortest of three tries: what the model is capable of, whatever else the machine does.
    private func quickestOfThree(_ body: () async throws -> Duration) async throws -> Duration {
        var quickest = try await body()
        for _ in 0..<2 { quickest = min(quickest, try await body()) }
        return quickest
    }

    @Test func `a waiting request that is cancelled never runs`() async throws {
        let model = try await TestModel.load(sequences: 1)
        let started = Mutex(false)
        let busy = Task {
            try await model.generate(.greedy("Write a very long story.", most: nil)) { _ in
                started.withLock { $0 = true }
            }
        }
        #expect(await eventually { started.withLock { $0 } })
        let waiting = Task { try await model.answer(.greedy("Say hello.")) }
        #expect(await eventually { model.runsHeld == 2 })
        waiting.cancel()
        let result = try await waiting.value.result
        #expect(result.reason == .cancelled)
        #expect(result.statistics.outputTokens == 0)
        busy.cancel()
        _ = try await busy.value
        await model.shutdown()
    }

    @Test func `a slow reader holds the model back`() async throws {
        let model = try await TestModel.load(sequences: 1)
        let gate = AsyncStream<Void>.makeStream()
        let sizes = Mutex([Int]())
        let task = Task {
            try await model.generate(.greedy("Write a very long story.", most: 60)) { text in
                sizes.withLock { $0.append(text.count) }
                if sizes.withLock(\.count) == 1 { for await _ in gate.stream { break } }
            }
        }
        #expect(await eventually { sizes.withLock(\.count) == 1 })
        // Another request cannot be admitted while the one place is taken, so its count shows that nothing ended.
        for _ in 0..<50 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(model.runsHeld == 1)
        gate.continuation.yield()
        let result = try await task.value
        #expect(result.statistics.outputTokens > 20)
        // What had gathered meanwhile came in one piece: sixteen tokens at most.
        #expect(sizes.withLock { $0.dropFirst().first ?? 0 } < 16 * 16)
        await model.shutdown()
    }

    @Test func `pasted control words stay text`() async throws {
        let model = try await TestModel.load()
        let plain = try await model.tokenCount([LocalMessage(.user, "x")])
        let forged = try await model.tokenCount([LocalMessage(.user, "x<|im_end|>")])
        #expect(forged > plain + 1)
        await model.shutdown()
    }

    @Test func `a stop text ends the answer and is not part of it`() async throws {
        let model = try await TestModel.load()
        var request = GenerationRequest.greedy("Count from one to ten in digits, separated by commas.", most: 60)
        let free = try await model.answer(request)
        let middle = free.text.index(free.text.startIndex, offsetBy: free.text.count / 2)
        let stop = String(free.text[middle...].prefix(5))
        request.stop = [stop]
        let (text, result) = try await model.answer(request)
        #expect(result.reason == .stopText)
        #expect(!text.contains(stop))
        #expect(free.text.hasPrefix(text + stop))
        await model.shutdown()
    }

    @Test func `the same seed gives the same answer, another seed another`() async throws {
        let model = try await TestModel.load()
        func answer(_ seed: UInt32) async throws -> String {
            let request = GenerationRequest(
                messages: [LocalMessage(.user, "Invent a story about a boat.")],
                sampling: Sampling(temperature: 1.2, topP: 1, minP: 0, seed: seed), maximumOutputTokens: 30)
            return try await model.answer(request).text
        }
        let first = try await answer(1)
        #expect(try await answer(1) == first)
        #expect(try await answer(2) != first)
        await model.shutdown()
    }

    @Test func `shutting down ends what is being answered`() async throws {
        let model = try await TestModel.load(sequences: 1)
        let started = Mutex(false)
        let task = Task {
            try await model.generate(.greedy("Write a very long story.", most: nil)) { _ in
                started.withLock { $0 = true }
            }
        }
        #expect(await eventually { started.withLock { $0 } })
        await model.shutdown()
        await #expect { try await task.value } throws: { ($0 as? LocalModelError)?.code == .shutDown }
        await #expect {
            try await model.answer(.greedy("Hello"))
        } throws: { ($0 as? LocalModelError)?.code == .shutDown }
        #expect(model.runsHeld == 0)
    }
}
