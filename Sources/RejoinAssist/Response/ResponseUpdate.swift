/// What is new of a response.
public enum ResponseUpdate<O: AssistantOperation>: Sendable {
    /// The data is about to cross this boundary; said only where it leaves the device.
    case crossing(DataBoundary)
    /// What may be shown so far; nobody has checked it.
    case preview(String)
    /// The model has said everything, and it is being checked.
    case ended
    /// It holds up.
    case proposal(Proposal<O>)
    /// It does not.
    case rejected(ValidationFailure)
    /// It did not come to an end.
    case failed(AssistantFailure)
    /// It was not run, or not to the end: the person is to be asked, has to wait, or cannot have it now.
    case notRun(NoProposal)

    /// Whether nothing follows.
    public var isFinal: Bool {
        switch self {
        case .crossing, .preview, .ended: false
        case .proposal, .rejected, .failed, .notRun: true
        }
    }

    /// Whether it only says that it was cancelled, as it was told to be: no result came too late then.
    var isCancellation: Bool { if case .failed(.cancelled) = self { true } else { false } }
}
