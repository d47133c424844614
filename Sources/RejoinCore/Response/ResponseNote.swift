/// What there is to know of a move, for whoever counts: no word of the response, only which one and what became of it.
public enum ResponseNote: Sendable, Equatable {
    /// It moved on.
    case moved(RequestID, from: ResponsePhase, to: ResponsePhase)
    /// It was thrown away, where it was.
    case discarded(RequestID, from: ResponsePhase)
    /// It was whole, and did not hold up to the checks.
    case failedValidation(RequestID)
    /// A result came for a request that another had overtaken; it changed nothing.
    case stale(RequestID)

    init(request: RequestID, from: ResponsePhase, to: ResponsePhase) {
        switch (from, to) {
        case (_, .discarded): self = .discarded(request, from: from)
        case (.validating, .failed): self = .failedValidation(request)
        default: self = .moved(request, from: from, to: to)
        }
    }

    /// The request that it is about.
    public var request: RequestID {
        switch self {
        case .moved(let request, _, _), .discarded(let request, _), .failedValidation(let request),
            .stale(let request):
            request
        }
    }
}

/// Counts notes, the ones apart that say how well a feature does.
public struct ResponseTally: Sendable, Equatable {
    /// Moves of every kind.
    public private(set) var moves = 0
    /// Responses that were thrown away.
    public private(set) var discarded = 0
    /// Responses that were whole and did not hold up to the checks.
    public private(set) var failedValidations = 0
    /// Results that came too late.
    public private(set) var stale = 0

    /// Starts at nothing.
    public init() {}

    /// Counts one note.
    public mutating func count(_ note: ResponseNote) {
        switch note {
        case .moved: moves += 1
        case .discarded:
            moves += 1
            discarded += 1
        case .failedValidation:
            moves += 1
            failedValidations += 1
        case .stale: stale += 1
        }
    }
}
