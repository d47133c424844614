/// A refusal as a value: what the wire calls a problem document (RFC 9457).
///
/// The types are a closed list. `detail` is words for a developer and never holds a provider's text or a person's.
public struct Problem: Error, Equatable, Sendable {
    /// The problem types of the protocol; each has one status.
    public enum Kind: String, CaseIterable, Sendable {
        case invalidRequest = "invalid-request"
        case unauthenticated, forbidden
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        case conflict
        case turnConflict = "turn-conflict"
        case deleted
        case cursorExpired = "cursor-expired"
        case limitReached = "limit-reached"
        case queueFull = "queue-full"
        case contextTooLarge = "context-too-large"
        case modelUnavailable = "model-unavailable"
        case payloadTooLarge = "payload-too-large"
        case unsupportedMedia = "unsupported-media"
        case temporarilyUnavailable = "temporarily-unavailable"
        case internalError = "internal-error"

        /// The HTTP status.
        public var status: Int {
            switch self {
            case .invalidRequest: 400
            case .unauthenticated: 401
            case .forbidden: 403
            case .notFound: 404
            case .methodNotAllowed: 405
            case .conflict, .turnConflict: 409
            case .deleted, .cursorExpired: 410
            case .contextTooLarge, .payloadTooLarge: 413
            case .unsupportedMedia: 415
            case .limitReached, .queueFull: 429
            case .internalError: 500
            case .modelUnavailable, .temporarilyUnavailable: 503
            }
        }

        /// The title: the same words for every problem of the kind.
        public var title: String {
            switch self {
            case .invalidRequest: "The request is not valid"
            case .unauthenticated: "Sign in first"
            case .forbidden: "Not allowed"
            case .notFound: "There is no such thing"
            case .methodNotAllowed: "The method is not allowed here"
            case .conflict: "The request conflicts with what is stored"
            case .turnConflict: "The turn exists with other content"
            case .deleted: "It was deleted"
            case .cursorExpired: "The cursor is too old"
            case .limitReached: "A limit is reached"
            case .queueFull: "The queue is full"
            case .contextTooLarge: "The conversation does not fit the model"
            case .modelUnavailable: "The model is not available"
            case .payloadTooLarge: "The body is too large"
            case .unsupportedMedia: "The media type is not supported"
            case .temporarilyUnavailable: "Not possible just now"
            case .internalError: "Something went wrong inside"
            }
        }
    }

    public var kind: Kind
    /// What exactly, and what would change it.
    public var detail: String
    /// Seconds after which another try makes sense.
    public var retryAfter: Int?
    /// The field of the request that is meant, as a path: `content[0].text`.
    public var field: String?
    /// The limit that refused, where one did.
    public var limit: LimitReached?

    /// Refuses for a reason.
    public init(
        _ kind: Kind, _ detail: String, field: String? = nil, retryAfter: Int? = nil, limit: LimitReached? = nil
    ) {
        self.kind = kind
        self.detail = detail
        self.field = field
        self.retryAfter = retryAfter
        self.limit = limit
    }

    /// The problem document.
    public var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("type", "/problems/" + kind.rawValue)
        json.member("title", kind.title)
        json.name("status")
        json.integer(kind.status)
        json.member("detail", detail)
        json.member("field", field)
        if let retryAfter {
            json.name("retry_after")
            json.integer(retryAfter)
        }
        limit?.writeMembers(to: &json)
        json.endObject()
        return json.bytes
    }

    /// Reads a problem document; nil if it is none, or of a kind that this version does not know.
    public init?(json bytes: [UInt8]) {
        guard let object = try? JSONReader.parse(bytes).object, let type = object["type"]?.string,
            type.hasPrefix("/problems/"), let kind = Kind(rawValue: String(type.dropFirst(10)))
        else { return nil }
        self.init(
            kind, object["detail"]?.string ?? "", field: object["field"]?.string,
            retryAfter: object["retry_after"]?.integer, limit: LimitReached(object))
    }
}
