#if canImport(HTTPClient)
import HTTPClient

/// The network through libcurl, for Linux: its `URLSession` ends the process when a request is cancelled.
///
/// Make one and share it: it keeps connections, and a thread of its own.
public final class CurlTransport: Transport {
    private let client = HTTPClient()
    private let connectTimeout: Duration

    /// Starts the thread; it ends with the last reference.
    ///
    /// - Parameter connectTimeout: how long a connection may take to come about.
    public init(connectTimeout: Duration = .seconds(10)) { self.connectTimeout = connectTimeout }

    public func send(_ request: TransportRequest) async throws -> TransportReply {
        // Silence is watched by the client, over every transport alike.
        let outgoing = HTTPClientRequest(
            request.method, url: request.url, fields: request.fields, body: request.body,
            timeouts: .init(connect: connectTimeout))
        do {
            let response = try await client.send(outgoing)
            return TransportReply(status: response.status, body: Body(response: response)) { response.field($0) }
        } catch let error as HTTPClientError {
            throw TransportFailure(error)
        }
    }

    private struct Body: TransportBody {
        let response: HTTPClientResponse

        func next() async throws -> ArraySlice<UInt8>? {
            do { return try await response.nextPiece() } catch let error as HTTPClientError {
                throw TransportFailure(error)
            }
        }

        func cancel() { response.cancel() }

        func leave() { response.leave() }
    }
}

extension TransportFailure {
    fileprivate init(_ error: HTTPClientError) {
        let kind: Kind =
            switch error.code {
            case .unreachable: .unreachable
            case .tls: .untrusted
            case .invalidRequest: .unsendable
            default: .dropped
            }
        self.init(kind, error.description)
    }
}
#endif
