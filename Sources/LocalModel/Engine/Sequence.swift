/// One of the engine's places to work at: a memory of tokens, and an answer in the making or none.
struct Sequence {
    let id: Int32
    /// What the context remembers of this sequence; kept after an answer for the turn that follows it.
    var remembered: [Token] = []
    /// The answer in the making; nil while free.
    var work: Work?
    /// Counts admissions: the smallest was used the longest ago.
    var lastUse = 0

    init(id: Int32) { self.id = id }

    /// How many of the first tokens are the same.
    func commonPrefix(with prompt: [Token]) -> Int {
        var count = 0
        while count < remembered.count, count < prompt.count, remembered[count] == prompt[count] { count += 1 }
        return count
    }
}

/// An answer in the making.
struct Work {
    let run: Run
    let sampler: Sampler
    /// Tokens to evaluate next: the rest of the prompt, later the token chosen last.
    var pending: ArraySlice<Token>
    var statistics = GenerationStatistics()
    private var characters = UTF8Assembler()
    private var stops: StopScanner

    init(_ run: Run, sampler: Sampler, reusedTokens: Int) {
        self.run = run
        self.sampler = sampler
        pending = run.order.prompt[reusedTokens...]
        stops = StopScanner(run.order.stop)
        statistics.promptTokens = run.order.prompt.count
        statistics.reusedTokens = reusedTokens
    }

    /// Whether the prompt is evaluated and tokens come one by one.
    var isGenerating: Bool { statistics.outputTokens > 0 }

    /// Takes the bytes of a chosen token, delivers what is ripe, and says whether a stop text ended the answer.
    mutating func write(_ bytes: [UInt8]) -> Bool {
        let (text, isStopped) = stops.append(characters.append(bytes))
        run.deliver(text)
        return isStopped
    }

    /// Delivers what was held back in case a stop text followed.
    mutating func flush() { run.deliver(stops.finish()) }
}
