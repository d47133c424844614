/// What is to become of one item of a batch.
public enum Decision<Value: Sendable & Hashable>: Sendable, Hashable {
    /// It changes.
    case change(Value)
    /// It stays as it is.
    case keep(KeepReason)
    /// Nothing is known yet: its chunk did not come back, and may be asked again.
    case pending

    /// What it changes to, if it does.
    public var value: Value? { if case .change(let value) = self { value } else { nil } }
}

/// Why an item of a batch stays as it is.
@nonexhaustive public enum KeepReason: String, Sendable, Hashable, CaseIterable {
    /// It is already so.
    case alreadySo
    /// The model said that nothing fits.
    case nothingFits
    /// The model did not mention it.
    case missing
    /// What the model said of it cannot be read.
    case malformed
    /// The model said two different things of it.
    case conflicting
    /// The model named a group that does not exist.
    case unknownGroup
}

/// One decision for every submitted item, in the order of submission, and for nothing else.
///
/// A model's word cannot break that: the items come from the input, and what the model said is only looked up.
public struct Batch<Value: Sendable & Hashable>: Sendable, Hashable {
    /// A submitted item with what is to become of it.
    public struct Entry: Sendable, Hashable, Identifiable {
        /// The item's identifier, as it was submitted.
        public let id: String
        /// What is to become of it.
        public let decision: Decision<Value>
    }

    /// One for every submitted item, in the order of submission.
    public let entries: [Entry]

    init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// The items that a failed chunk left without an answer.
    public var pending: [String] { entries.filter { $0.decision == .pending }.map(\.id) }
    /// Whether anything would change.
    public var hasChanges: Bool { entries.contains { $0.decision.value != nil } }
    /// Whether everything was answered and nothing is to change; never so while something is pending.
    public var isSettledWithoutChange: Bool { !hasChanges && pending.isEmpty }
}
