/// Carries one HTTP exchange for the client: libcurl on Linux, the system's own loader on Apple, a script in tests.
///
/// The client speaks to the network through this alone, so that it can be run without one.
public protocol Transport: Sendable {
    /// Sends a request and returns once the head of the reply is there; the body is then pulled.
    ///
    /// - Throws: ``TransportFailure``, or `CancellationError` when the task was cancelled, which ends the exchange.
    func send(_ request: TransportRequest) async throws -> TransportReply
}

/// The body of a reply as it arrives.
///
/// One reader pulls; `cancel()` may come from anywhere, at any time, more than once.
public protocol TransportBody: Sendable {
    /// The next bytes, as many as one read gave; nil at the orderly end of the reply.
    ///
    /// - Throws: ``TransportFailure`` when the reply broke off, also after ``cancel()``.
    func next() async throws -> ArraySlice<UInt8>?

    /// Lets go of the exchange. A reader that waits is woken with a failure.
    func cancel()

    /// Reads no further a reply that is over, or nearly, so that its connection may serve again.
    func leave()
}

extension TransportBody {
    public func leave() { cancel() }
}

/// A request as the transport sends it.
public struct TransportRequest: Sendable {
    public var method: String
    /// The whole address, scheme included.
    public var url: String
    /// The header fields, in order.
    public var fields: [(name: String, value: String)]
    public var body: [UInt8]?

    /// Puts a request together.
    public init(method: String, url: String, fields: [(name: String, value: String)] = [], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}

/// The head of a reply, and its body to pull.
public struct TransportReply: Sendable {
    public let status: Int
    public let body: any TransportBody
    private let read: @Sendable (String) -> String?

    /// Puts a reply together.
    ///
    /// - Parameter field: reads a header field by its lower-case name.
    public init(status: Int, body: any TransportBody, field: @escaping @Sendable (String) -> String?) {
        self.status = status
        self.body = body
        read = field
    }

    /// The value of a header field, by its lower-case name.
    public func field(_ name: String) -> String? { read(name) }
}

/// Why an exchange came to nothing.
public struct TransportFailure: Error, Equatable, Sendable {
    /// What kind of failure: it decides whether trying again can help.
    public enum Kind: Sendable {
        /// No connection was made, so the request has not been seen.
        case unreachable
        /// The connection broke; the request may have been carried out.
        case dropped
        /// The other side could not prove who it is. Trying again will not mend that.
        case untrusted
        /// The request is not one that can be sent at all, such as one to a malformed address.
        case unsendable
    }

    public let kind: Kind
    /// Words for a log.
    public let detail: String

    /// Notes a failure.
    public init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }
}
