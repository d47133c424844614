private import RejoinCore

/// Why a request is refused before any handler sees it.
///
/// A closed list, because every entry is counted on its own and none may carry bytes of the request.
package enum Refusal: String, Error, CaseIterable, Sendable {
    case malformedRequestLine, unknownMethod, malformedTarget, targetTooLong, unsupportedVersion
    case malformedField, bareLineFeed, tooManyFields, headTooLarge
    case missingHost, repeatedHost, malformedHost
    case malformedContentLength, repeatedContentLength, contentLengthTooLarge
    case malformedTransferEncoding, unsupportedTransferCoding, conflictingLengths
    case malformedChunk, malformedTrailer
    case unsupportedExpectation
    case headTimeout
    case tooManyConnections, tooManyConnectionsFromAddress

    /// The HTTP status of the answer.
    package var status: Int {
        switch self {
        case .malformedRequestLine, .malformedTarget, .malformedField, .bareLineFeed, .missingHost, .repeatedHost,
            .malformedHost, .malformedContentLength, .repeatedContentLength, .malformedTransferEncoding,
            .conflictingLengths, .malformedChunk, .malformedTrailer:
            400
        case .headTimeout: 408
        case .contentLengthTooLarge: 413
        case .targetTooLong: 414
        case .unsupportedExpectation: 417
        case .tooManyFields, .headTooLarge: 431
        case .unknownMethod, .unsupportedTransferCoding: 501
        case .tooManyConnections, .tooManyConnectionsFromAddress: 503
        case .unsupportedVersion: 505
        }
    }

    /// What is wrong, in words for a developer.
    package var detail: String {
        switch self {
        case .malformedRequestLine: "The request line is not method, target and version with one space between them."
        case .unknownMethod: "The method is longer than any that is known."
        case .malformedTarget: "The target is neither a path nor an absolute http address that fits the Host field."
        case .targetTooLong: "The target is longer than this server takes."
        case .unsupportedVersion: "Only HTTP/1.1 and HTTP/1.0 are spoken here."
        case .malformedField: "A field line is not name, colon and value, or holds a byte that it may not."
        case .bareLineFeed: "A line ends in a line feed without a carriage return."
        case .tooManyFields: "There are more field lines than this server takes."
        case .headTooLarge: "The head is larger than this server takes."
        case .missingHost: "HTTP/1.1 requires a Host field."
        case .repeatedHost: "There is more than one Host field."
        case .malformedHost: "The Host field is not a host with an optional port."
        case .malformedContentLength: "Content-Length is not a whole number in decimal digits."
        case .repeatedContentLength: "There is more than one Content-Length field."
        case .contentLengthTooLarge: "Content-Length is beyond any size that this server takes."
        case .malformedTransferEncoding: "Transfer-Encoding is repeated, or sent with HTTP/1.0."
        case .unsupportedTransferCoding: "The only transfer coding understood is chunked."
        case .conflictingLengths: "Content-Length and Transfer-Encoding are both given."
        case .malformedChunk: "A chunk is not its size in hexadecimal digits, its bytes and the line ends."
        case .malformedTrailer: "A trailer line is not a field, or one that may not come after the body."
        case .unsupportedExpectation: "The only expectation understood is 100-continue."
        case .headTimeout: "The request's head did not arrive in time."
        case .tooManyConnections: "Too many connections are open; try again later."
        case .tooManyConnectionsFromAddress: "Too many connections are open from this address; try again later."
        }
    }

    /// The whole response that is sent before the connection is closed.
    ///
    /// The document is of the one problem type that the protocol has for requests that never reached a route, under
    /// the status that HTTP gives to the fault.
    var response: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("type", status == 503 ? "/problems/temporarily-unavailable" : "/problems/invalid-request")
        json.member("title", ResponseHead.reasonPhrase(status))
        json.name("status")
        json.integer(status)
        json.member("detail", detail)
        json.endObject()
        var fields: HTTPFields = [
            "Content-Type": "application/problem+json", "Cache-Control": "no-store",
        ]
        if status == 503 { fields.append("Retry-After", "5") }
        let head = ResponseHead(status: status, fields: fields, framing: .length(json.bytes.count), closes: true)
        return head.bytes + json.bytes
    }
}
