public import RejoinCore

/// The one error of this module.
///
/// `description` is safe to show to a person; `detail` and `cause` are for a log.
public struct ClientError: Error, Sendable {
    /// What happened, as an open list: a newer server may name a code that this version has no constant for.
    public struct Code: Hashable, Sendable {
        /// The stable name; for a server's refusal it is the last part of the problem type.
        public let name: String

        /// Names a code.
        public init(_ name: String) { self.name = name }

        /// Names the code of a problem type.
        public init(_ kind: Problem.Kind) { name = kind.rawValue }

        /// No connection to the server could be made.
        public static let unreachable = Code("unreachable")
        /// The connection broke before the reply was whole.
        public static let dropped = Code("dropped")
        /// Nothing came for longer than a live server stays silent.
        public static let silent = Code("silent")
        /// The server's certificate is not trusted.
        public static let untrusted = Code("untrusted")
        /// The reply is not what the protocol says.
        public static let malformedReply = Code("malformed-reply")
        /// The server refused with a status and no problem document that this version can read.
        public static let rejected = Code("rejected")
    }

    public let code: Code
    /// Words for a log.
    public let detail: String
    /// The refusal, where the server gave one of a known kind.
    public let problem: Problem?
    /// The HTTP status, where a reply came.
    public let status: Int?
    /// Seconds after which the server asked to be tried again.
    public let retryAfter: Int?
    /// What is limited, where a limit refused.
    public private(set) var capability: String?
    /// When the limit lifts, where the server says.
    public private(set) var resetsAt: Timestamp?
    public let cause: (any Error)?

    /// Notes an error.
    public init(
        _ code: Code, _ detail: String, problem: Problem? = nil, status: Int? = nil, retryAfter: Int? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.detail = detail
        self.problem = problem
        self.status = status
        self.retryAfter = retryAfter ?? problem?.retryAfter
        self.cause = cause
    }

    init(_ failure: TransportFailure) {
        let code: Code =
            switch failure.kind {
            case .unreachable: .unreachable
            case .dropped: .dropped
            case .untrusted: .untrusted
            case .unsendable: Code(.invalidRequest)
            }
        self.init(code, failure.detail, cause: failure)
    }

    /// Reads a reply that is not a success.
    init(status: Int, body: [UInt8], retryAfter: Int?) {
        let document = (try? JSONReader.parse(body))?.object
        if let problem = Problem(json: body) {
            self.init(
                Code(problem.kind), problem.detail, problem: problem, status: status,
                retryAfter: problem.retryAfter ?? retryAfter)
        } else {
            // A newer server's type still names itself; anything else is a proxy's page.
            let type = document?["type"]?.string
            let name = type.flatMap { $0.hasPrefix("/problems/") ? String($0.dropFirst(10)) : nil }
            self.init(name.map(Code.init) ?? .rejected, "status \(status)", status: status, retryAfter: retryAfter)
        }
        capability = document?["capability"]?.string
        resetsAt = document?["resets_at"]?.string.flatMap { Timestamp($0) }
    }

    /// Whether the same request, sent again later, may well succeed.
    var isTransient: Bool {
        switch code {
        case .unreachable, .dropped, .silent, Code(.temporarilyUnavailable): true
        case .rejected: status.map { [408, 502, 503, 504].contains($0) } ?? false
        default: false
        }
    }

    /// Whether the other side misbehaved in a way that one or two more tries may get past, but not many.
    var isFault: Bool { code == .malformedReply || code == Code(.internalError) || status == 500 }
}

extension ClientError: CustomStringConvertible {
    public var description: String {
        if let problem {
            return problem.detail.isEmpty ? problem.kind.title : problem.kind.title + ": " + problem.detail
        }
        return switch code {
        case .unreachable: "The server cannot be reached"
        case .dropped: "The connection broke"
        case .silent: "The server fell silent"
        case .untrusted: "The server's certificate is not trusted"
        case Code(.invalidRequest): "The address or the request cannot be used"
        case .malformedReply: "The reply is not what this version understands"
        default: "The server refused (\(code.name)" + (status.map { ", status \($0))" } ?? ")")
        }
    }
}

extension ClientError: CustomDebugStringConvertible {
    public var debugDescription: String {
        "ClientError(\(code.name), \(detail)" + (cause.map { ", cause: \($0)" } ?? "") + ")"
    }
}
