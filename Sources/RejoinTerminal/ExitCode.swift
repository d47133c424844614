import RejoinClient
import RejoinCore

/// What the exit code of a command says about how an answer ended.
package enum ExitCode {
    package static let done: Int32 = 0
    /// The upstream or the server broke; the text so far is kept.
    package static let interrupted: Int32 = 3
    /// A limit, a policy or the model declined.
    package static let refused: Int32 = 4
    package static let failed: Int32 = 5
    /// The command line makes no sense.
    package static let usage: Int32 = 64
    /// The server cannot be reached, or stayed away for too long.
    package static let unavailable: Int32 = 69
    package static let notSignedIn: Int32 = 77
    /// Ctrl-C.
    package static let stopped: Int32 = 130

    static func code(for end: Event.End) -> Int32 {
        switch end.state {
        case .done: done
        case .stopped: stopped
        case .interrupted: interrupted
        case .refused: refused
        case .failed: failed
        }
    }

    static func code(for error: ClientError) -> Int32 {
        switch error.code {
        case .unreachable, .dropped, .silent, .untrusted, .init(.temporarilyUnavailable): unavailable
        case .init(.unauthenticated), .init(.forbidden): notSignedIn
        case .init(.limitReached), .init(.queueFull), .init(.contextTooLarge), .init(.payloadTooLarge),
            .init(.modelUnavailable):
            refused
        case .rejected where [502, 503, 504].contains(error.status ?? 0): unavailable
        default: failed
        }
    }
}
