package import HTTPClient

/// Fetches what somebody other than the operator named: a person, a model, or another server's document.
///
/// It is the one way out for such names. What a URL says is held to ``OutgoingRules`` before anything happens, and the
/// address that it resolves to at the moment a connection is opened, so that neither a redirect nor a name that
/// resolves anew leads into the network that the server stands in. No cookie and no key of the server goes along.
package final class OutgoingClient: Sendable {
    /// A reply, whole.
    package struct Reply: Sendable {
        package let status: Int
        /// In the order received.
        package let fields: [(name: String, value: String)]
        package let body: [UInt8]
        /// Where it came from, after redirects.
        package let url: String
    }

    private let rules: OutgoingRules
    /// They share no connections: one that was opened to a trusted server's address is nobody else's.
    private let guarded: HTTPClient
    private let trusted: HTTPClient
    private let now: @Sendable () -> Duration

    /// Starts two clients; they end with this one.
    ///
    /// - Parameters:
    ///   - now: a clock that only goes on.
    ///   - certificateFile: a PEM file of certificates to trust instead of the system's, for tests.
    ///   - resolve: gives the addresses of a host in place of the system, for tests.
    package init(
        _ rules: OutgoingRules, now: @escaping @Sendable () -> Duration, certificateFile: String? = nil,
        resolve: (@Sendable (String) -> [String]?)? = nil
    ) {
        self.rules = rules
        self.now = now
        var configuration = HTTPClient.Configuration()
        configuration.certificateFile = certificateFile
        configuration.resolve = resolve
        trusted = HTTPClient(configuration)
        configuration.reach = rules.reach
        // A kept connection was allowed when it was opened; kept long, it would outlive the rule's answer.
        configuration.keptConnections = 4
        guarded = HTTPClient(configuration)
    }

    deinit {
        guarded.shutdown()
        trusted.shutdown()
    }

    /// Sends a request, follows redirects of one that only reads, and reads the body.
    ///
    /// - Throws: ``OutgoingError``, or `CancellationError`. A status of 400 and more is a reply like any other.
    package func fetch(_ request: HTTPClientRequest) async throws -> Reply {
        var request = request
        guard var url = URLParts(request.url) else { throw OutgoingError(.malformed) }
        let end = now() + rules.total
        for _ in 0...max(0, rules.redirects) {
            try rules.check(url)
            request.url = url.text
            let left = end - now()
            guard left > .zero else { throw OutgoingError(.timedOut) }
            request.timeouts = HTTPClientRequest.Timeouts(connect: left, firstByte: left, idle: left, total: left)
            let response: HTTPClientResponse
            let body: [UInt8]
            do {
                response = try await (rules.isTrusted(url) ? trusted : guarded).send(request)
                body = try await response.collect(limit: rules.bytes)
            } catch let error as HTTPClientError {
                throw OutgoingError(error)
            }
            guard (300..<400).contains(response.status), response.status != 304,
                let location = response.field("Location")
            else { return Reply(status: response.status, fields: response.fields, body: body, url: url.text) }
            guard request.method == "GET" || request.method == "HEAD" else { throw OutgoingError(.redirect) }
            guard let next = URLParts(location, relativeTo: url) else { throw OutgoingError(.malformed) }
            // What was meant for one server is not handed to another.
            if !next.isSameOrigin(as: url) {
                request.fields.removeAll { ["authorization", "cookie"].contains($0.name.lowercased()) }
            }
            url = next
        }
        throw OutgoingError(.redirect)
    }
}
