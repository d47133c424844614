private import RejoinCore

/// The head of a response as it goes over the wire.
struct ResponseHead {
    enum Framing: Equatable {
        /// A body of so many bytes.
        case length(Int)
        /// Chunks, for a body whose end is not known.
        case chunked
        /// No body, and none that a length could describe; also a body that ends with the connection.
        case unstated
    }

    var status: Int
    var fields: HTTPFields
    var framing: Framing
    var closes: Bool
    /// HTTP/1.0 clients must be told that the connection stays.
    var statesKeepAlive = false
    /// The Date field's value.
    var date: String?

    /// The bytes with the empty line; framing and connection fields come from here only.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes.append(contentsOf: "HTTP/1.1 ".utf8)
        JSONWriter.append(status, to: &bytes)
        bytes.append(Grammar.space)
        bytes.append(contentsOf: Self.reasonPhrase(status).utf8)
        if let date { Self.append("\r\nDate: ", date, to: &bytes) }
        for (name, value) in fields where !Self.isOurs(name) {
            bytes.append(contentsOf: "\r\n".utf8)
            bytes.append(contentsOf: name.utf8)
            Self.append(": ", value, to: &bytes)
        }
        switch framing {
        case .length(let length):
            bytes.append(contentsOf: "\r\nContent-Length: ".utf8)
            JSONWriter.append(length, to: &bytes)
        case .chunked: bytes.append(contentsOf: "\r\nTransfer-Encoding: chunked".utf8)
        case .unstated: break
        }
        if closes {
            bytes.append(contentsOf: "\r\nConnection: close".utf8)
        } else if statesKeepAlive {
            bytes.append(contentsOf: "\r\nConnection: keep-alive".utf8)
        }
        bytes.append(contentsOf: "\r\n\r\n".utf8)
        return bytes
    }

    private static func append(_ prefix: StaticString, _ value: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: prefix.description.utf8)
        bytes.append(contentsOf: value.utf8)
    }

    private static func isOurs(_ name: String) -> Bool {
        switch name.utf8.count {
        case 4: HTTPFields.equal(name, "date")
        case 10: HTTPFields.equal(name, "connection")
        case 14: HTTPFields.equal(name, "content-length")
        case 17: HTTPFields.equal(name, "transfer-encoding")
        default: false
        }
    }

    static func reasonPhrase(_ status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 460: "Checksum Mismatch"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        default: "Status"
        }
    }
}
