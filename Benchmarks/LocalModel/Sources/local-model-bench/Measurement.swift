import LocalModel

/// What a run of one request shows, in the units of the report.
struct Measurement {
    var statistics: GenerationStatistics

    /// Tokens of the prompt evaluated in a second, up to the first token of the answer.
    var promptSpeed: Double {
        let evaluated = statistics.promptTokens - statistics.reusedTokens
        return Double(evaluated) / (statistics.secondsToFirstToken ?? .infinity)
    }

    /// Tokens generated in a second, after the first.
    var generationSpeed: Double {
        Double(statistics.outputTokens - 1) / (statistics.seconds - (statistics.secondsToFirstToken ?? 0))
    }
}

/// Measures one model in one configuration.
struct Bench {
    private let model: LocalModel

    init(path: String, threads: Int, isAdaptive: Bool) async throws {
        model = try await LocalModel.load(
            path: path,
            configuration: LocalModelConfiguration(
                sequences: 2, contextPerSequence: 2048, threads: threads, adaptiveThreads: isAdaptive))
    }

    func end() async { await model.shutdown() }

    /// Evaluates a prompt of about 512 tokens that nothing is remembered of.
    ///
    /// - Parameter number: makes the prompt another one; it stands at the beginning.
    func prompt(number: Int) async throws -> Measurement {
        let text = "\(number * 7919) " + String(repeating: "The river carries sand to the sea. ", count: 60)
        return try await ask([LocalMessage(.system, text), LocalMessage(.user, "Go on.")], most: 1)
    }

    /// Generates `count` tokens.
    func generation(count: Int) async throws -> Measurement {
        try await ask(
            [LocalMessage(.user, "Write a very long and detailed story about a voyage around the world.")], most: count)
    }

    /// Seconds to the first token of a follow-up to a long conversation: cold, and with the conversation remembered.
    func followUp(number: Int) async throws -> (cold: Double, warm: Double) {
        let opening = LocalMessage(
            .user, "\(number * 7919) " + String(repeating: "The river carries sand to the sea. ", count: 100))
        var reply = ""
        let first = try await model.generate(
            GenerationRequest(messages: [opening], sampling: .greedy, maximumOutputTokens: 16)
        ) { reply += $0 }
        let conversation = [opening, LocalMessage(.assistant, reply), LocalMessage(.user, "And why is that so?")]
        let second = try await ask(conversation, most: 1)
        return (first.statistics.secondsToFirstToken ?? .nan, second.statistics.secondsToFirstToken ?? .nan)
    }

    private func ask(_ messages: [LocalMessage], most: Int) async throws -> Measurement {
        let request = GenerationRequest(messages: messages, sampling: .greedy, maximumOutputTokens: most)
        return Measurement(statistics: try await model.generate(request) { _ in }.statistics)
    }
}
