public import RejoinCore

/// What a ``ProposalID`` names.
public enum ProposalKind {}
/// One proposal; the key of its commit is made of it.
public typealias ProposalID = ID<ProposalKind>

/// What a route came back with: validated, and not yet accepted by anyone.
///
/// Nothing can be saved from here: only ``Review`` gives a permit.
public struct Proposal<O: AssistantOperation>: Sendable {
    /// Names this proposal for ever; a second attempt at committing it has the same key.
    public let id: ProposalID
    /// Where it was made.
    public let route: Route
    /// What it answers.
    public let input: O.Input
    /// What may be shown.
    public let output: Validated<O.Output>

    /// Takes down what a route came back with.
    public init(id: ProposalID, route: Route, input: O.Input, output: Validated<O.Output>) {
        self.id = id
        self.route = route
        self.input = input
        self.output = output
    }
}
