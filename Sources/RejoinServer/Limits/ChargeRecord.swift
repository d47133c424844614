package import RejoinCore

/// The ledger's entry for one answer: what was reserved when it was admitted, and what it came to.
///
/// It holds figures and an id, and no word of anybody.
package struct ChargeRecord: Equatable, Sendable {
    package var answer: AnswerID
    package var account: AccountID
    package var at: Timestamp
    /// What was taken at admission, from which windows.
    package var takings: [Plan.Taking]
    /// Nil until the answer has ended.
    package var settlement: Settlement?

    package init(
        answer: AnswerID, account: AccountID, at: Timestamp, takings: [Plan.Taking], settlement: Settlement? = nil
    ) {
        self.answer = answer
        self.account = account
        self.at = at
        self.takings = takings
        self.settlement = settlement
    }

    /// What an answer came to.
    package struct Settlement: Equatable, Sendable {
        package var at: Timestamp
        package var tokens: Int
        /// True where the model did not report.
        package var isEstimated: Bool
        /// False if no model was ever asked: then nothing is counted.
        package var counts: Bool

        package init(at: Timestamp, tokens: Int, isEstimated: Bool, counts: Bool) {
            self.at = at
            self.tokens = tokens
            self.isEstimated = isEstimated
            self.counts = counts
        }
    }

    /// The tokens that are reserved.
    package var reservedTokens: Int { takings.first { $0.capability == .tokens }?.amount ?? 0 }

    /// Works out what an answer came to, from what its log ended with.
    ///
    /// An answer that never reached a model (it was stopped in line, or did not fit) leaves no usage and no text, and
    /// gives back all it had reserved. A log that was given up has no usage either: then its reservation stands.
    ///
    /// - Parameter answer: nil where the conversation was deleted while the answer was under way.
    package func settlement(_ answer: Answer?, at now: Timestamp) -> Settlement {
        guard let answer else {
            return Settlement(at: now, tokens: reservedTokens, isEstimated: true, counts: true)
        }
        if let usage = answer.usage {
            let tokens = Self.bounded(usage.inputTokens) + Self.bounded(usage.outputTokens)
            return Settlement(at: now, tokens: tokens, isEstimated: usage.isEstimated, counts: true)
        }
        if answer.content.isEmpty, answer.state.end?.reason != EndReason.storageFailed.rawValue {
            return Settlement(at: now, tokens: 0, isEstimated: false, counts: false)
        }
        return Settlement(at: now, tokens: reservedTokens, isEstimated: true, counts: true)
    }

    /// What each window has to be moved by when the settlement takes the place of the reservation.
    package func corrections(_ settlement: Settlement) -> [Plan.Taking] {
        takings.compactMap { taking in
            let amount =
                switch taking.capability {
                case .tokens: (settlement.counts ? settlement.tokens : 0) - taking.amount
                case .turns, .strongTurns: settlement.counts ? 0 : -taking.amount
                }
            return amount == 0 ? nil : Plan.Taking(capability: taking.capability, window: taking.window, amount: amount)
        }
    }

    /// A model's figure, which may be nonsense, within what can be added up.
    private static func bounded(_ tokens: Int) -> Int { min(max(0, tokens), 1 << 40) }
}
