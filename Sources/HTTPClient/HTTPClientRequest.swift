/// A request to another server.
package struct HTTPClientRequest: Sendable {
    /// How long each part of a call may take.
    package struct Timeouts: Sendable {
        /// From the start until the connection stands, names and TLS included.
        package var connect: Duration
        /// From the start until the first byte of the reply's body; nil waits for ever.
        package var firstByte: Duration?
        /// The longest silence from then on, not counted while the reader is behind; nil waits for ever.
        package var idle: Duration?
        /// From the start to the end of the reply; nil sets no limit.
        package var total: Duration?

        /// Sets the limits; unless told, only connecting has one.
        package init(
            connect: Duration = .seconds(10), firstByte: Duration? = nil, idle: Duration? = nil, total: Duration? = nil
        ) {
            self.connect = connect
            self.firstByte = firstByte
            self.idle = idle
            self.total = total
        }
    }

    package var method: String
    /// An absolute `http` or `https` URL, already escaped.
    package var url: String
    /// In the order sent; `Host` and `Content-Length` come by themselves.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]?
    package var timeouts: Timeouts

    /// Puts a request together.
    package init(
        _ method: String = "GET", url: String, fields: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        timeouts: Timeouts = Timeouts()
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeouts = timeouts
    }

    /// Refuses what could not be sent, or would say something else on the wire than it says here.
    func validate() throws(HTTPClientError) {
        let scheme = url.utf8.prefix(8).map { $0 | 0x20 }
        guard scheme.starts(with: "http://".utf8) || scheme.starts(with: "https://".utf8) else {
            throw HTTPClientError(.invalidRequest, "the URL is not an absolute http or https URL")
        }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw HTTPClientError(.invalidRequest, "the URL holds a space or a control character")
        }
        guard !method.isEmpty, method.utf8.allSatisfy(Self.isToken) else {
            throw HTTPClientError(.invalidRequest, "the method is not a token")
        }
        for field in fields {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(Self.isToken) else {
                throw HTTPClientError(.invalidRequest, "a field's name is not a token")
            }
            guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw HTTPClientError(.invalidRequest, "a field's value holds a control character")
            }
        }
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
