/// Carries one HTTP exchange for cloud execution; the app chooses by what.
///
/// Nothing in RejoinAssist opens a connection itself, so a test that counts calls of this counts all there are.
public protocol CloudTransport: Sendable {
    /// Sends a request and returns the whole reply.
    ///
    /// - Throws: ``CloudTransportFailure``; `cancelled` when the task was cancelled.
    func send(_ request: CloudRequest) async throws(CloudTransportFailure) -> CloudReply
}

/// A request as the transport sends it.
public struct CloudRequest: Sendable, Hashable {
    /// One header field.
    public struct Field: Sendable, Hashable {
        /// The name as it is written.
        public let name: String
        /// The value.
        public let value: String

        /// Pairs a name with a value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The method.
    public let method: String
    /// The whole address, scheme included.
    public let url: String
    /// The header fields, in order.
    public let fields: [Field]
    /// The body: JSON.
    public let body: [UInt8]

    /// Puts a request together.
    public init(method: String, url: String, fields: [Field], body: [UInt8]) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// The value of a field, by its name in any case.
    public func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// A whole reply.
public struct CloudReply: Sendable, Hashable {
    /// The HTTP status.
    public let status: Int
    /// The value of `Retry-After`, as it was written.
    public let retryAfter: String?
    /// The body.
    public let body: [UInt8]

    /// Puts a reply together.
    public init(status: Int, retryAfter: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// Why an exchange came to nothing.
public enum CloudTransportFailure: Error, Sendable, Hashable, CaseIterable {
    /// The device has no network.
    case offline
    /// No connection was made, so the request has not been seen.
    case unreachable
    /// The connection broke; the request may have been carried out.
    case dropped
    /// No reply in time; the request may have been carried out.
    case timedOut
    /// The other side could not prove who it is.
    case untrusted
    /// The task was cancelled.
    case cancelled
}
