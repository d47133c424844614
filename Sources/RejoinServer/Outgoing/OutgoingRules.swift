package import HTTPClient

/// What may be fetched that somebody other than the operator named.
package struct OutgoingRules: Sendable {
    /// Schemes, in lower case.
    package var schemes: Set<String> = ["https"]
    package var ports: Set<Int> = [443]
    /// How many redirects are followed; each is held to the same rules.
    package var redirects = 3
    /// The largest body, in bytes.
    package var bytes = 1 << 20
    /// From the start to the last byte, of all redirects together.
    package var total = Duration.seconds(10)
    /// Which addresses may be reached.
    package var reach = Reach.publicInternet
    /// Servers that the operator named: of these every scheme, port and address will do.
    ///
    /// A redirect away from one does not take that along.
    package var trusted: [URLParts] = []

    package init() {}

    /// Whether a URL may be asked for, before its host is resolved.
    func check(_ url: URLParts) throws(OutgoingError) {
        if url.hasUser { throw OutgoingError(.user) }
        if isTrusted(url) { return }
        guard schemes.contains(url.scheme) else { throw OutgoingError(.scheme) }
        guard ports.contains(url.port) else { throw OutgoingError(.port) }
        // A name with a dot at its end is the same name to a resolver and another one to a certificate or a list.
        if url.host.hasSuffix(".") { throw OutgoingError(.host) }
    }

    func isTrusted(_ url: URLParts) -> Bool { trusted.contains { $0.isSameOrigin(as: url) } }
}

/// Why something was not fetched.
package struct OutgoingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was in the way.
    package enum Code: String, Sendable {
        /// Not a URL, or one that holds more than ASCII.
        case malformed
        case scheme, port, host
        /// A name or a password in the URL.
        case user
        /// No address of the host may be reached from here.
        case address
        /// More redirects than are followed, or one of a call that changes something.
        case redirect
        case tooLarge
        case timedOut
        /// The other server did not answer, or not as it should.
        case failed
    }

    package let code: Code

    package init(_ code: Code) { self.code = code }

    init(_ error: HTTPClientError) {
        switch error.code {
        case .forbidden: self.init(.address)
        case .tooLarge: self.init(.tooLarge)
        case .timedOut: self.init(.timedOut)
        case .invalidRequest: self.init(.malformed)
        default: self.init(.failed)
        }
    }

    package var description: String { "what was named could not be fetched: \(code.rawValue)" }
}
