/// Why a call to another server failed.
///
/// The words are the library's own; they never hold an address, a field or a byte of a body.
package struct HTTPClientError: Error, Equatable, Sendable {
    /// What went wrong, as a closed list.
    package enum Code: String, Sendable {
        /// The request is not one that can be sent: its URL, method or a field.
        case invalidRequest
        /// The client does not reach for such an address; nothing was sent.
        case forbidden
        /// No connection came about; nothing of the request was sent.
        case unreachable
        /// The other side's certificate or the TLS handshake did not hold; nothing of the request was sent.
        case tls
        /// A limit of the request's timeouts passed after the connection stood.
        case timedOut
        /// The connection broke before the reply was whole.
        case connectionClosed
        /// What came is not HTTP.
        case malformedReply
        /// More came than the caller allowed.
        case tooLarge
        /// The call was cancelled, or its client was shut down.
        case cancelled
        /// The library failed in some other way.
        case internalFailure
    }

    package let code: Code
    /// What exactly, in words for the operator.
    package let detail: String

    /// Notes a failure.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension HTTPClientError: CustomStringConvertible {
    package var description: String { "\(code.rawValue): \(detail)" }
}
