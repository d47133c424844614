/// One row of the table of moves.
public struct ResponseMove: Sendable, Equatable {
    /// Where the response must be.
    public let from: ResponsePhase
    /// What must happen.
    public let event: ResponseEvent
    /// For which kind of response; `nil` for both.
    public let kind: ResponseKind?
    /// Where it is then.
    public let to: ResponsePhase

    init(_ from: ResponsePhase, _ event: ResponseEvent, _ to: ResponsePhase, for kind: ResponseKind? = nil) {
        self.from = from
        self.event = event
        self.kind = kind
        self.to = to
    }

    /// Whether the row holds for a kind of response.
    public func isFor(_ kind: ResponseKind) -> Bool { self.kind == nil || self.kind == kind }
}

extension ResponseMachine {
    /// Every move that there is; what is not here is refused.
    ///
    /// A line that breaks before the first piece leaves nothing to keep, so it fails for prose as well. Once all has
    /// come, a broken line means nothing any more.
    public static let moves: [ResponseMove] = [
        ResponseMove(.idle, .requested, .preparing),

        ResponseMove(.preparing, .streamed, .streaming),
        ResponseMove(.preparing, .ended, .validating),
        ResponseMove(.preparing, .refused, .refused),
        ResponseMove(.preparing, .dropped, .failed),
        ResponseMove(.preparing, .failed, .failed),
        ResponseMove(.preparing, .stopped, .stopped),
        ResponseMove(.preparing, .superseded, .discarded),
        ResponseMove(.preparing, .dismissed, .discarded),

        ResponseMove(.streaming, .ended, .validating),
        ResponseMove(.streaming, .dropped, .interrupted, for: .prose),
        ResponseMove(.streaming, .dropped, .failed, for: .actionable),
        ResponseMove(.streaming, .stopped, .stopped),
        ResponseMove(.streaming, .refused, .refused),
        ResponseMove(.streaming, .failed, .failed),
        ResponseMove(.streaming, .superseded, .discarded),
        ResponseMove(.streaming, .dismissed, .discarded),

        ResponseMove(.validating, .validated, .ready),
        ResponseMove(.validating, .rejected, .failed),
        ResponseMove(.validating, .stopped, .stopped),
        ResponseMove(.validating, .superseded, .discarded),
        ResponseMove(.validating, .dismissed, .discarded),

        ResponseMove(.ready, .commitStarted, .committing),
        ResponseMove(.ready, .superseded, .discarded),
        ResponseMove(.ready, .dismissed, .discarded),

        ResponseMove(.committing, .commitSucceeded, .committed),
        ResponseMove(.committing, .commitDelayed, .ready),
        ResponseMove(.committing, .commitFailed, .failed),

        ResponseMove(.interrupted, .streamed, .streaming),
        ResponseMove(.interrupted, .ended, .validating),
        ResponseMove(.interrupted, .stopped, .stopped),
        ResponseMove(.interrupted, .superseded, .discarded),
        ResponseMove(.interrupted, .dismissed, .discarded),
    ]
}
