import RejoinCore
import Synchronization

/// Where people reach the server: what passkeys are bound to, and where a provider sends people back to.
///
/// The operator says it as `public_url`. Without that it is `localhost` at the port that is listened on: a request's own
/// `Host` field is not believed, since whoever stands in between could choose it.
package final class PublicAddress: Sendable {
    private let configured: PublicURL?
    private let port = Mutex<Int?>(nil)

    package init(_ configured: PublicURL?) { self.configured = configured }

    /// Notes the port that is listened on, once it is known.
    package func listens(on port: Int) { self.port.withLock { $0 = port } }

    /// Scheme, host and port; nil before the server listens.
    package var origin: String? { url?.origin }

    /// What the operator said, if anything.
    var configuredOrigin: String? { configured?.origin }

    /// Whether people come over TLS, so that cookies may be asked for over it alone.
    var isSecure: Bool { url?.scheme == "https" }

    private var url: PublicURL? {
        if let configured { return configured }
        return port.withLock { $0 }.map { PublicURL(scheme: "http", host: "localhost", port: $0) }
    }

    /// Who passkeys are made for.
    ///
    /// - Throws: a ``Problem`` that says why there can be none here.
    func relyingParty() throws(Problem) -> RelyingParty {
        guard let url else { throw Problem(.temporarilyUnavailable, "The server is starting.", retryAfter: 1) }
        guard !url.isBareAddress else {
            throw Problem(
                .forbidden, "Passkeys need a name: public_url is a bare address, which browsers refuse for them.")
        }
        guard url.scheme == "https" || url.host == "localhost" || url.host.hasSuffix(".localhost") else {
            throw Problem(.forbidden, "Passkeys need https: browsers refuse them at \(url.origin).")
        }
        return RelyingParty(id: url.host, origin: url.origin)
    }
}
