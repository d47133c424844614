/// The head of one request, checked.
package struct RequestHead: Sendable, Equatable {
    /// How the body is delimited.
    package enum Framing: Sendable, Equatable {
        case none
        case length(Int)
        case chunked
    }

    package internal(set) var method = ""
    /// The target as sent.
    package internal(set) var target = ""
    /// The target's path, as sent.
    package internal(set) var path = ""
    /// What follows the question mark; nil without one.
    package internal(set) var query: Substring?
    /// 1 for HTTP/1.1, 0 for HTTP/1.0.
    package internal(set) var minorVersion = 1
    package internal(set) var fields = HTTPFields()
    package internal(set) var framing = Framing.none
    /// Whether the client wants the connection for another request.
    package internal(set) var keepsAlive = true
    /// Whether the client waits for `100 Continue` before it sends the body.
    package internal(set) var expectsContinue = false

    /// The authority of an absolute target, which must be the one in Host.
    var authority: Substring?
    var hosts = 0
    var contentLength: Int?
    var isChunked = false
    var closes = false
}

extension RequestHead {
    /// Reads the request line, without its line end.
    init(requestLine line: ArraySlice<UInt8>, limits: RequestParser.Limits) throws(Refusal) {
        guard let afterMethod = line.firstIndex(of: Grammar.space), afterMethod > line.startIndex,
            line[..<afterMethod].allSatisfy(Grammar.isToken)
        else { throw .malformedRequestLine }
        guard afterMethod - line.startIndex <= limits.method else { throw .unknownMethod }
        let rest = line[(afterMethod + 1)...]
        guard let afterTarget = rest.firstIndex(of: Grammar.space), afterTarget > rest.startIndex else {
            throw .malformedRequestLine
        }
        let rawTarget = rest[..<afterTarget]
        guard rawTarget.count <= limits.target else { throw .targetTooLong }
        guard rawTarget.allSatisfy(Grammar.isTarget) else { throw .malformedTarget }
        let version = rest[(afterTarget + 1)...]
        guard version.count == 8, version.starts(with: "HTTP/".utf8), Grammar.isDigit(version[version.startIndex + 5]),
            version[version.startIndex + 6] == UInt8(ascii: "."), Grammar.isDigit(version[version.startIndex + 7])
        else { throw .malformedRequestLine }
        switch (version[version.startIndex + 5], version[version.startIndex + 7]) {
        case (UInt8(ascii: "1"), UInt8(ascii: "1")): minorVersion = 1
        case (UInt8(ascii: "1"), UInt8(ascii: "0")): minorVersion = 0
        default: throw .unsupportedVersion
        }
        keepsAlive = minorVersion == 1
        method = String(decoding: line[..<afterMethod], as: UTF8.self)
        target = String(decoding: rawTarget, as: UTF8.self)
        try splitTarget()
    }

    private mutating func splitTarget() throws(Refusal) {
        var local = target[...]
        if target == "*" {
            guard method == "OPTIONS" else { throw .malformedTarget }
        } else if local.first != "/" {
            guard let scheme = ["http://", "https://"].first(where: { local.lowercased().hasPrefix($0) }) else {
                throw .malformedTarget
            }
            local = local.dropFirst(scheme.count)
            let end = local.firstIndex { $0 == "/" || $0 == "?" } ?? local.endIndex
            authority = local[..<end]
            local = local[end...]
        }
        let question = local.firstIndex(of: "?")
        path = String(local[..<(question ?? local.endIndex)])
        if path.isEmpty { path = "/" }
        query = question.map { local[local.index(after: $0)...] }
    }

    /// Reads one field line, without its line end, and takes in what it says about framing.
    mutating func take(fieldLine line: ArraySlice<UInt8>) throws(Refusal) {
        let (name, value) = try Self.field(line)
        if HTTPFields.equal(name, "content-length") {
            guard contentLength == nil else { throw .repeatedContentLength }
            guard !value.isEmpty, value.utf8.allSatisfy(Grammar.isDigit) else { throw .malformedContentLength }
            guard value.utf8.count <= 18, let length = Int(value) else { throw .contentLengthTooLarge }
            contentLength = length
        } else if HTTPFields.equal(name, "transfer-encoding") {
            guard !isChunked, minorVersion == 1 else { throw .malformedTransferEncoding }
            guard HTTPFields.equal(value, "chunked") else { throw .unsupportedTransferCoding }
            isChunked = true
        } else if HTTPFields.equal(name, "host") {
            guard hosts == 0 else { throw .repeatedHost }
            guard value.utf8.allSatisfy(Grammar.isHost) else { throw .malformedHost }
            hosts = 1
        } else if HTTPFields.equal(name, "connection") {
            if Grammar.list(value, names: "close") {
                keepsAlive = false
                closes = true
            } else if minorVersion == 0, !closes, Grammar.list(value, names: "keep-alive") {
                keepsAlive = true
            }
        } else if HTTPFields.equal(name, "expect"), minorVersion == 1 {
            guard HTTPFields.equal(value, "100-continue") else { throw .unsupportedExpectation }
            expectsContinue = true
        }
        fields.append(name, value)
    }

    /// Checks what only the whole head can tell.
    mutating func finish() throws(Refusal) {
        if minorVersion == 1, hosts == 0 { throw .missingHost }
        if let authority {
            guard !authority.isEmpty, authority.utf8.allSatisfy(Grammar.isHost),
                fields["host"].map({ HTTPFields.equal($0, String(authority)) }) ?? true
            else { throw .malformedTarget }
        }
        if isChunked, contentLength != nil { throw .conflictingLengths }
        if isChunked {
            framing = .chunked
        } else if let contentLength, contentLength > 0 {
            framing = .length(contentLength)
        }
        if framing == .none { expectsContinue = false }
    }

    /// Splits a field line at its colon; blanks around the value do not belong to it.
    static func field(_ line: ArraySlice<UInt8>) throws(Refusal) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(Grammar.isToken)
        else { throw .malformedField }
        var value = line[(colon + 1)...]
        guard value.allSatisfy(Grammar.isFieldValue) else { throw .malformedField }
        while let byte = value.first, Grammar.isBlank(byte) { value.removeFirst() }
        while let byte = value.last, Grammar.isBlank(byte) { value.removeLast() }
        return (String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
}
