/// What a ``RequestID`` names.
public enum RequestKind {}
/// One request of a feature: a tap, and everything that follows from it.
public typealias RequestID = ID<RequestKind>

/// The life of one response: an event in, a move and a note of it out.
///
/// ``moves`` is all that it knows; code, documentation and test are read from it. It does no I/O and knows no clock.
/// A response that has reached a final phase never moves again: another request has a machine of its own.
public struct ResponseMachine: Sendable, Equatable {
    /// The request that this response answers.
    public let request: RequestID
    /// What becomes of a preview when the response breaks.
    public let kind: ResponseKind
    /// Where it is.
    public private(set) var phase: ResponsePhase = .idle

    /// Starts before the request went out.
    public init(request: RequestID, kind: ResponseKind) {
        self.request = request
        self.kind = kind
    }

    /// Moves on.
    ///
    /// - Returns: the one note of this move.
    /// - Throws: ``IllegalMove`` where the event has no meaning in this phase; nothing has changed then.
    public mutating func apply(_ event: ResponseEvent) throws(IllegalMove) -> ResponseNote {
        for move in Self.moves where move.from == phase && move.event == event && move.isFor(kind) {
            phase = move.to
            return ResponseNote(request: request, from: move.from, to: move.to)
        }
        throw IllegalMove(phase: phase, event: event)
    }

    /// Whether what was shown stays on screen in this phase.
    ///
    /// Prose stays wherever it broke, marked; a plan that broke is taken away, for half a plan looks like a plan. What
    /// was overtaken or dismissed goes in either case.
    public var keepsPreview: Bool {
        switch phase {
        case .idle, .preparing, .discarded: false
        case .stopped, .refused, .failed, .interrupted: kind == .prose
        case .streaming, .validating, .ready, .committing, .committed: true
        }
    }

    /// Whether what is on screen must say that it is not the whole.
    public var marksPreview: Bool {
        switch phase {
        case .stopped, .refused, .failed, .interrupted: keepsPreview
        case .idle, .preparing, .streaming, .validating, .ready, .committing, .committed, .discarded: false
        }
    }

    /// Whether a control with consequences may be enabled: nothing else is a reason to.
    public var allowsCommit: Bool { phase == .ready }
}

/// An event that has no meaning where the response is.
public struct IllegalMove: Error, Sendable, Equatable {
    /// Where the response was and still is.
    public let phase: ResponsePhase
    /// What was said to have happened.
    public let event: ResponseEvent

    /// Notes an event in a phase.
    public init(phase: ResponsePhase, event: ResponseEvent) {
        self.phase = phase
        self.event = event
    }
}
