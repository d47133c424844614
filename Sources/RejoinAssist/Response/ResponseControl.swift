public import RejoinCore

/// A control that a view may show beside a response.
public enum ResponseControl: Sendable, Hashable, CaseIterable {
    /// Accepts what is proposed: the only one with consequences.
    case accept
    /// Stops the model.
    case stop
    /// Puts the response away.
    case dismiss
    /// Asks anew.
    case ask

    /// The controls that are enabled in a phase.
    public static func enabled(in phase: ResponsePhase) -> Set<ResponseControl> {
        switch phase {
        case .idle: [.ask]
        case .preparing, .streaming, .validating: [.stop, .ask]
        case .interrupted: [.stop, .dismiss, .ask]
        case .ready: [.accept, .dismiss, .ask]
        case .committing: []
        case .committed, .stopped, .refused, .failed, .discarded: [.ask]
        }
    }
}
