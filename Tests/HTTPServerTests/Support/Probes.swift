import Testing

/// Requests that a careless server would take, or take in two ways.
enum Probes {
    struct Probe: Sendable, CustomTestStringConvertible {
        let name: String
        let request: String
        /// The status of the refusal; nil where the request is fine.
        let status: Int?

        var testDescription: String { name }
    }

    private static func post(_ framing: String, _ body: String = "{\"a\":1}") -> String {
        "POST /echo HTTP/1.1\r\nHost: x\r\n\(framing)\r\n\r\n\(body)"
    }

    private static func get(_ fields: String) -> String { "GET /health HTTP/1.1\r\n\(fields)\r\n\r\n" }

    private static func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked", body) }

    static let all: [Probe] = [
        // Fine.
        .init(name: "plain POST", request: post("Content-Length: 7"), status: nil),
        .init(name: "chunked POST", request: chunked("7\r\n{\"a\":1}\r\n0\r\n\r\n"), status: nil),
        .init(name: "three pipelined", request: String(repeating: get("Host: x"), count: 3), status: nil),
        .init(
            name: "upper-case chunked", request: post("Transfer-Encoding: CHUNKED", "1\r\na\r\n0\r\n\r\n"), status: nil),
        .init(name: "chunk size with zeros", request: chunked("0001\r\na\r\n000\r\n\r\n"), status: nil),
        .init(name: "trailer", request: chunked("1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n"), status: nil),
        .init(name: "length zero", request: post("Content-Length: 0", ""), status: nil),
        .init(name: "no blank after the colon", request: get("Host:x"), status: nil),
        .init(name: "blanks around the value", request: get("Host: \t x \t "), status: nil),
        .init(name: "empty value", request: get("Host: x\r\nX-A:"), status: nil),
        .init(name: "opaque bytes in a value", request: get("Host: x\r\nX-A: \u{E4}"), status: nil),
        .init(name: "absolute target", request: "GET http://x/health HTTP/1.1\r\nHost: x\r\n\r\n", status: nil),
        .init(name: "OPTIONS *", request: "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", status: nil),
        .init(name: "HTTP/1.0 without Host", request: "GET / HTTP/1.0\r\n\r\n", status: nil),

        // Two readings of where the body ends.
        .init(
            name: "length and chunked",
            request: post("Content-Length: 7\r\nTransfer-Encoding: chunked", "7\r\n{\"a\":1}\r\n0\r\n\r\n"), status: 400
        ),
        .init(
            name: "chunked and length",
            request: post("Transfer-Encoding: chunked\r\nContent-Length: 7", "7\r\n{\"a\":1}\r\n0\r\n\r\n"), status: 400
        ),
        .init(name: "two lengths", request: post("Content-Length: 7\r\nContent-Length: 3"), status: 400),
        .init(name: "one length twice", request: post("Content-Length: 7\r\nContent-Length: 7"), status: 400),
        .init(name: "length with a sign", request: post("Content-Length: +7"), status: 400),
        .init(name: "list of lengths", request: post("Content-Length: 7, 9"), status: 400),
        .init(name: "negative length", request: post("Content-Length: -1"), status: 400),
        .init(name: "empty length", request: post("Content-Length:"), status: 400),
        .init(name: "hexadecimal length", request: post("Content-Length: 0x7"), status: 400),
        .init(name: "length beyond 64 bits", request: post("Content-Length: 18446744073709551623"), status: 413),
        .init(
            name: "unknown coding", request: post("Transfer-Encoding: xchunked", "7\r\n{\"a\":1}\r\n0\r\n\r\n"),
            status: 501),
        .init(
            name: "two codings", request: post("Transfer-Encoding: gzip, chunked", "7\r\n{\"a\":1}\r\n0\r\n\r\n"),
            status: 501),
        .init(name: "identity coding", request: post("Transfer-Encoding: identity"), status: 501),
        .init(
            name: "chunked twice", request: post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
            status: 400),
        .init(
            name: "chunked in HTTP/1.0", request: "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            status: 400),

        // Lines.
        .init(name: "blank before the colon", request: post("Content-Length : 7"), status: 400),
        .init(name: "bare line feeds", request: "GET /health HTTP/1.1\nHost: x\n\n", status: 400),
        .init(name: "one bare line feed", request: "GET /health HTTP/1.1\r\nHost: x\n\r\n", status: 400),
        .init(name: "bare carriage return", request: get("Host: x\r\nX-A: b\rTransfer-Encoding: chunked"), status: 400),
        .init(name: "folded line", request: get("Host: x\r\nX-A: b\r\n c"), status: 400),
        .init(name: "first line folded", request: get(" Host: x\r\nHost: x"), status: 400),
        .init(name: "NUL in a value", request: get("Host: x\r\nX-A: b\0c"), status: 400),
        .init(name: "control byte in a value", request: get("Host: x\r\nX-A: b\u{1}c"), status: 400),
        .init(name: "line without a colon", request: get("Host: x\r\nX-A"), status: 400),
        .init(name: "empty name", request: get("Host: x\r\n: a"), status: 400),
        .init(name: "name that is no token", request: get("Host: x\r\nX(A): a"), status: 400),
        .init(name: "empty line first", request: "\r\n" + get("Host: x"), status: 400),

        // The host.
        .init(name: "no Host", request: "GET /health HTTP/1.1\r\n\r\n", status: 400),
        .init(name: "two Hosts", request: get("Host: x\r\nHost: y"), status: 400),
        .init(name: "two Hosts in HTTP/1.0", request: "GET / HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n", status: 400),
        .init(name: "Host with a path", request: get("Host: x/y"), status: 400),
        .init(name: "Host with user info", request: get("Host: a@x"), status: 400),
        .init(
            name: "absolute target of another host", request: "GET http://y/ HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),

        // Chunks. The head is fine, so it is the body that fails.
        .init(name: "chunk size 0x7", request: chunked("0x7\r\n{\"a\":1}\r\n0\r\n\r\n"), status: 400),
        .init(
            name: "chunk extension with a line feed", request: chunked("7;a\nb\r\n{\"a\":1}\r\n0\r\n\r\n"), status: 400),
        .init(name: "chunk extension", request: chunked("7;a=b\r\n{\"a\":1}\r\n0\r\n\r\n"), status: 400),
        .init(name: "chunk size ended by a line feed", request: chunked("7\n{\"a\":1}\r\n0\r\n\r\n"), status: 400),
        .init(name: "chunk without its end", request: chunked("7\r\n{\"a\":1}XX0\r\n\r\n"), status: 400),
        .init(name: "chunk ended by a line feed", request: chunked("7\r\n{\"a\":1}\n0\r\n\r\n"), status: 400),
        .init(
            name: "chunk size beyond 64 bits", request: chunked("FFFFFFFFFFFFFFFF7\r\n{\"a\":1}\r\n0\r\n\r\n"),
            status: 400),
        .init(name: "empty chunk size", request: chunked("\r\n{\"a\":1}\r\n0\r\n\r\n"), status: 400),
        .init(name: "blank in a chunk size", request: chunked("7 \r\n{\"a\":1}\r\n0\r\n\r\n"), status: 400),
        .init(name: "negative chunk size", request: chunked("-7\r\n{\"a\":1}\r\n0\r\n\r\n"), status: 400),
        .init(name: "length as a trailer", request: chunked("1\r\na\r\n0\r\nContent-Length: 5\r\n\r\n"), status: 400),
        .init(name: "folded trailer", request: chunked("1\r\na\r\n0\r\nX-A: b\r\n c\r\n\r\n"), status: 400),

        // The request line.
        .init(name: "lower-case version", request: "GET /health http/1.1\r\nHost: x\r\n\r\n", status: 400),
        .init(name: "HTTP/2.0", request: "GET /health HTTP/2.0\r\nHost: x\r\n\r\n", status: 505),
        .init(name: "HTTP/1.2", request: "GET /health HTTP/1.2\r\nHost: x\r\n\r\n", status: 505),
        .init(name: "HTTP/0.9", request: "GET /health\r\n\r\n", status: 400),
        .init(name: "HTTP/1.10", request: "GET /health HTTP/1.10\r\nHost: x\r\n\r\n", status: 400),
        .init(name: "two blanks", request: "GET  /health HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        .init(name: "blank in the target", request: "GET /he alth HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        .init(name: "tab for a blank", request: "GET\t/health\tHTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        .init(name: "method that is no token", request: "G(T /health HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        .init(
            name: "endless method", request: String(repeating: "A", count: 33) + " / HTTP/1.1\r\nHost: x\r\n\r\n",
            status: 501),
        .init(name: "target that is no path", request: "GET health HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        .init(name: "authority as target", request: "CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n", status: 400),
        .init(name: "fragment", request: "GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        .init(name: "star for GET", request: "GET * HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        .init(name: "byte over 127 in the target", request: "GET /\u{E4} HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        .init(name: "unknown expectation", request: post("Content-Length: 7\r\nExpect: rain"), status: 417),

        // Sizes.
        .init(
            name: "field of 100 KB", request: get("Host: x\r\nX-A: " + String(repeating: "a", count: 100_000)),
            status: 431),
        .init(
            name: "5,000 fields",
            request: get("Host: x\r\n" + (0..<5000).map { "X\($0): y" }.joined(separator: "\r\n")), status: 431),
        .init(
            name: "101 fields",
            request: get("Host: x\r\n" + (0..<100).map { "X\($0): y" }.joined(separator: "\r\n")), status: 431),
        .init(
            name: "target of 9 KB",
            request: "GET /" + String(repeating: "a", count: 9000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
            status: 414),
        .init(
            name: "target of 100 KB",
            request: "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\nHost: x\r\n\r\n", status: 414),
    ]
}
