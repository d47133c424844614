public import Observation

/// Why a review gave no permit.
public enum ReviewError: Error, Sendable, Hashable {
    /// Nothing is selected that would change anything.
    case nothingSelected
    /// A permit was given, and what came of it is not known yet.
    case beingCommitted
    /// It has been committed, or can never be.
    case closed
}

/// What a person decides about one proposal: which changes, and with which words.
///
/// Nothing that costs much when it is wrong is selected beforehand. Nothing is saved here, and nothing can be saved
/// without the permit that only ``accept()`` makes.
@MainActor @Observable public final class Review<O: ReviewableOperation> {
    private enum State { case open, locked, beingCommitted, closed }

    /// What is reviewed, as it came.
    public let proposal: Proposal<O>
    /// What would be applied if everything were selected; differs from the proposal's after an edit.
    public private(set) var output: Validated<O.Output>
    /// What would change.
    public private(set) var changes: [Change]
    /// The changes that a person rewrote.
    public private(set) var edited: Set<ChangeID> = []
    /// What of it is to be applied; names that no change has count for nothing.
    public var selection: Set<ChangeID> {
        get { selected }
        set { if state == .open { selected = newValue.intersection(changes.lazy.filter(\.isReal).map(\.id)) } }
    }

    private var selected: Set<ChangeID>
    private var state = State.open

    /// Opens a review: everything is selected, or nothing where the operation's risk is high.
    public init(_ proposal: Proposal<O>) {
        self.proposal = proposal
        output = proposal.output
        let changes = O.changes(in: proposal.output.value, for: proposal.input)
        self.changes = changes
        selected = O.profile.risk == .high ? [] : Set(changes.lazy.filter(\.isReal).map(\.id))
    }

    /// Whether the selection and the words can still be changed.
    ///
    /// After a first attempt at committing they cannot: the effect may have happened, under the same key.
    public var isOpen: Bool { state == .open }

    /// Puts other words in place of a change; they are validated like a model's, and selected.
    ///
    /// - Throws: why the words cannot stand; nothing has changed then.
    public func replace(_ id: ChangeID, with text: String) throws(ValidationFailure) {
        guard state == .open, changes.contains(where: { $0.id == id }) else { throw .impossibleValue }
        let revised = try O.revised(output.value, replacing: id, with: text, for: proposal.input)
        let revisedChanges = O.changes(in: revised.value, for: proposal.input)
        guard let change = revisedChanges.first(where: { $0.id == id }) else { throw .impossibleValue }
        output = revised
        changes = revisedChanges
        edited.insert(id)
        selected.formIntersection(revisedChanges.lazy.filter(\.isReal).map(\.id))
        if change.isReal { selected.insert(id) }
    }

    /// Accepts what is selected.
    ///
    /// Until it is known what came of the permit no other is given; after an attempt that may be tried again the next
    /// permit has the same key and the same changes.
    ///
    /// - Throws: why there is nothing to apply.
    public func accept() throws(ReviewError) -> CommitPermit<O> {
        switch state {
        case .open, .locked: break
        case .beingCommitted: throw .beingCommitted
        case .closed: throw .closed
        }
        let accepted = changes.filter { selected.contains($0.id) && $0.isReal }
        guard !accepted.isEmpty else { throw .nothingSelected }
        state = .beingCommitted
        return CommitPermit(
            key: IdempotencyKey(proposal.id),
            accepted: Accepted(input: proposal.input, output: output, changes: accepted))
    }

    /// The permit was spent, and the effect recorded.
    public func committed() { if state == .beingCommitted { state = .closed } }

    /// The permit was spent, and the effect was not recorded; the same may be accepted again where that can help.
    public func failed(with failure: CommitFailure) {
        if state == .beingCommitted { state = failure.mayRetry ? .locked : .closed }
    }
}
