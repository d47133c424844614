import RejoinCore

/// One call as the description tells it: what it takes, and everything that it may answer.
struct DescribedCall: Sendable {
    /// Who may call.
    enum Access: Sendable {
        /// Anybody.
        case open
        /// Whoever signed in, by token or cookie.
        case signedIn
        /// Anybody on the same machine; others sign in.
        case local
    }

    /// A value in the path, the query or a header field.
    struct Parameter: Sendable {
        enum Place: String, Sendable { case path, query, header }

        let place: Place
        let name: String
        let shape: Shape
        let isRequired: Bool
        let summary: String

        static func path(_ name: String, _ summary: String, _ shape: Shape = .id) -> Parameter {
            Parameter(place: .path, name: name, shape: shape, isRequired: true, summary: summary)
        }

        static func query(_ name: String, _ shape: Shape, _ summary: String, isRequired: Bool = false) -> Parameter {
            Parameter(place: .query, name: name, shape: shape, isRequired: isRequired, summary: summary)
        }

        static func header(_ name: String, _ shape: Shape, _ summary: String, isRequired: Bool = false) -> Parameter {
            Parameter(place: .header, name: name, shape: shape, isRequired: isRequired, summary: summary)
        }
    }

    /// What a call takes as its body.
    struct Body: Sendable {
        let mediaTypes: [String]
        let shape: Shape?
        /// False where an empty body stands for an empty object.
        let isRequired: Bool
        let maximumBytes: Int

        static func json(_ shape: Shape, isRequired: Bool = true, upTo maximumBytes: Int) -> Body {
            Body(
                mediaTypes: ["application/json"], shape: shape, isRequired: isRequired, maximumBytes: maximumBytes)
        }
    }

    /// One way in which a call succeeds.
    struct Reply: Sendable {
        /// What its body is.
        enum Content: Sendable {
            case json(Shape)
            /// An event stream: the types of its events, each with the shape of its data.
            case events(KeyValuePairs<String, Shape>)
            case other(mediaType: String)
        }

        let status: Int
        let summary: String
        var contents: [Content] = []
        var fields: [Field] = []
    }

    /// A header field of a reply.
    struct Field: Sendable {
        let name: String
        let shape: Shape
        let summary: String
        var isAlways = false
    }

    let route: Route
    let access: Access
    let summary: String
    /// More about it, where one sentence is not enough.
    var details: String?
    var parameters: [Parameter] = []
    var body: Body?
    /// Whether a limit may count it, so that replies carry the `RateLimit` fields.
    var isCounted = false
    var replies: [Reply]
    /// The refusals of its own; those that any call may meet are added.
    var problems: [Problem.Kind] = []

    /// The name by which tools know it.
    var name: String { String(describing: route) }

    /// Whether refusals come in the envelope of the compatible endpoints.
    var isOpenAI: Bool { route.pattern.hasPrefix("/openai/") }

    /// Every kind of refusal that its own handler or those before it may give.
    var allProblems: [Problem.Kind] {
        var kinds: Set<Problem.Kind> = [.invalidRequest, .internalError, .temporarilyUnavailable]
        kinds.formUnion(problems)
        if access != .open { kinds.insert(.unauthenticated) }
        // Of a cookie without the client's header field.
        if access == .signedIn, route.method != "GET" { kinds.insert(.forbidden) }
        if let body {
            kinds.insert(.payloadTooLarge)
            if body.mediaTypes == ["application/json"], !isOpenAI { kinds.insert(.unsupportedMedia) }
        }
        return Problem.Kind.allCases.filter(kinds.contains)
    }
}
