/// How the next token is chosen among the likely ones.
package struct Sampling: Equatable, Sendable {
    /// 0 takes the likeliest always.
    package var temperature: Double
    /// Only the so many likeliest; 0 is all.
    package var topK: Int
    /// Only the likeliest that together reach this probability; 1 is all.
    package var topP: Double
    /// Only those at least so likely in proportion to the likeliest; 0 is all.
    package var minP: Double
    /// Above 1 makes the latest tokens less likely.
    package var repeatPenalty: Double
    /// The same seed, prompt and machine give the same answer.
    package var seed: UInt32

    /// Sets what suits a conversation unless told otherwise.
    package init(
        temperature: Double = 0.7, topK: Int = 40, topP: Double = 0.9, minP: Double = 0.05,
        repeatPenalty: Double = 1.05, seed: UInt32 = 0
    ) {
        self.temperature = temperature
        self.topK = topK
        self.topP = topP
        self.minP = minP
        self.repeatPenalty = repeatPenalty
        self.seed = seed
    }

    /// The likeliest token always: for what has one right answer.
    package static let greedy = Sampling(temperature: 0, repeatPenalty: 1)
}
