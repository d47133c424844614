#if canImport(Darwin)
public import Foundation
import Synchronization

/// The network through the system's own loader, for Apple platforms.
///
/// Make one and share it: it keeps connections.
public final class SystemTransport: Transport {
    private let session: URLSession

    /// Makes a session without cache, cookies or stored credentials: the client keeps what is to be kept.
    ///
    /// - Parameter configuration: where an app wants a proxy, or a protocol of its own, it goes in here.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // An answer may take as long as it likes; silence is watched by the client.
        configuration.timeoutIntervalForRequest = 3600
        configuration.timeoutIntervalForResource = 86_400
        configuration.waitsForConnectivity = false
        session = URLSession(configuration: configuration)
    }

    deinit { session.finishTasksAndInvalidate() }

    public func send(_ request: TransportRequest) async throws -> TransportReply {
        guard let url = URL(string: request.url), url.scheme == "https" || url.scheme == "http" else {
            throw TransportFailure(.unsendable, "not an address of the web")
        }
        var outgoing = URLRequest(url: url)
        outgoing.httpMethod = request.method
        for field in request.fields { outgoing.addValue(field.value, forHTTPHeaderField: field.name) }
        if let body = request.body { outgoing.httpBody = Data(body) }
        let exchange = Exchange()
        let task = session.dataTask(with: outgoing)
        task.delegate = exchange
        return try await withTaskCancellationHandler {
            let head = try await exchange.start(task)
            let body = Body(exchange: exchange, task: task)
            return TransportReply(status: head.statusCode, body: body) { head.value(forHTTPHeaderField: $0) }
        } onCancel: {
            task.cancel()
        }
    }

    private struct Body: TransportBody {
        let exchange: Exchange
        let task: URLSessionDataTask

        func next() async throws -> ArraySlice<UInt8>? {
            let (piece, isLow) = try await exchange.next()
            // What was held back may come again once its reader has caught up.
            if isLow { task.resume() }
            return piece
        }

        func cancel() { task.cancel() }
    }

    /// What the loader's queue says, kept until its reader asks.
    private final class Exchange: NSObject, URLSessionDataDelegate, Sendable {
        private struct State {
            var head: CheckedContinuation<HTTPURLResponse, any Error>?
            var reader: CheckedContinuation<ArraySlice<UInt8>?, any Error>?
            var pieces: [ArraySlice<UInt8>] = []
            var bytes = 0
            var isHeldBack = false
            var ending: Result<Void, any Error>?
        }

        private let state = Mutex(State())
        /// How many bytes are held for a slow reader before the loader has to wait.
        private static let limit = 1 << 20

        func start(_ task: URLSessionDataTask) async throws -> HTTPURLResponse {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.head = continuation }
                task.resume()
            }
        }

        func next() async throws -> (piece: ArraySlice<UInt8>?, isLow: Bool) {
            let piece = try await withCheckedThrowingContinuation { continuation in
                let ready = state.withLock { state -> Result<ArraySlice<UInt8>?, any Error>? in
                    if !state.pieces.isEmpty {
                        let piece = state.pieces.removeFirst()
                        state.bytes -= piece.count
                        return .success(piece)
                    }
                    if let ending = state.ending { return ending.map { nil } }
                    state.reader = continuation
                    return nil
                }
                if let ready { continuation.resume(with: ready) }
            }
            let isLow = state.withLock { state in
                guard state.isHeldBack, state.bytes < Self.limit / 2 else { return false }
                state.isHeldBack = false
                return true
            }
            return (piece, isLow)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
        ) async -> URLSession.ResponseDisposition {
            let head = state.withLock { state in
                defer { state.head = nil }
                return state.head
            }
            guard let response = response as? HTTPURLResponse else {
                head?.resume(throwing: TransportFailure(.dropped, "not a reply of HTTP"))
                return .cancel
            }
            head?.resume(returning: response)
            return .allow
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            let piece = Array(data)[...]
            let (reader, isFull) = state.withLock { state in
                let reader = state.reader
                state.reader = nil
                if reader == nil {
                    state.pieces.append(piece)
                    state.bytes += piece.count
                }
                let isFull = state.bytes > Self.limit && !state.isHeldBack
                if isFull { state.isHeldBack = true }
                return (reader, isFull)
            }
            reader?.resume(returning: piece)
            if isFull { dataTask.suspend() }
        }

        /// A redirect is refused: the token goes to the server that it was given for, and nowhere else.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest
        ) async -> URLRequest? { nil }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let ending = error.map { Result<Void, any Error>.failure(Self.failure($0)) } ?? .success(())
            let (head, reader) = state.withLock { state in
                state.ending = ending
                defer { (state.head, state.reader) = (nil, nil) }
                return (state.head, state.reader)
            }
            head?.resume(throwing: error.map(Self.failure) ?? TransportFailure(.dropped, "no reply"))
            reader?.resume(with: ending.map { nil })
        }

        private static func failure(_ error: any Error) -> any Error {
            guard let error = error as? URLError else { return TransportFailure(.dropped, "another error") }
            let kind: TransportFailure.Kind =
                switch error.code {
                case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
                    .dataNotAllowed, .internationalRoamingOff:
                    .unreachable
                case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
                    .serverCertificateHasUnknownRoot, .clientCertificateRejected, .clientCertificateRequired,
                    .secureConnectionFailed, .appTransportSecurityRequiresSecureConnection:
                    .untrusted
                case .badURL, .unsupportedURL: .unsendable
                default: .dropped
                }
            return TransportFailure(kind, "the system's error \(error.errorCode)")
        }
    }
}
#endif
