import Synchronization

/// Calls other servers over HTTP/1.1, a thousand streams at a time on one thread.
///
/// No redirect is followed, no reply is asked for compressed, no cookie is kept, and the environment's proxies are
/// ignored unless the configuration says otherwise. A request that has a body, or whose method is not safe, is never
/// sent twice: if a kept connection turns out to be dead after a part of it was sent, the call fails instead.
package final class HTTPClient: Sendable {
    /// What all requests of a client share.
    package struct Configuration: Sendable {
        /// Whether `http_proxy` and its like count.
        package var usesProxyEnvironment = false
        /// How many connections are kept for further requests.
        package var keptConnections = 64
        /// How long bytes may gather under load before readers are woken for them.
        package var stroke = Duration.milliseconds(4)
        /// A PEM file of certificates to trust instead of the system's.
        package var certificateFile: String?
        /// Which addresses connections are opened to, nil for all; with a reach no proxy is used.
        package var reach: Reach?
        /// Gives the addresses of a host in place of the system, for tests; nil leaves a host to the system.
        package var resolve: (@Sendable (String) -> [String]?)?

        /// Starts from the defaults.
        package init() {}
    }

    /// How many calls there have been; the difference is what is open now.
    package struct Activity: Equatable, Sendable {
        package var started: Int
        package var ended: Int

        /// Notes two counts.
        package init(started: Int, ended: Int) {
            self.started = started
            self.ended = ended
        }
    }

    private let loop: TransferLoop

    /// Starts the client's thread; it ends with ``shutdown()`` or the client itself.
    package init(_ configuration: Configuration = Configuration()) {
        loop = TransferLoop(configuration)
    }

    deinit { loop.stop() }

    /// The thread that replies arrive on: a task that prefers it reads them without waking another thread.
    ///
    /// For the work of a moment only: whoever blocks it blocks every call.
    package var executor: any TaskExecutor { loop }

    /// Sends a request and waits for the head of its reply.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, which closes the connection at once; otherwise
    ///   ``HTTPClientError``. A status of 400 and more is a reply like any other.
    package func send(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        try request.validate()
        let channel = ReplyChannel()
        return try await withTaskCancellationHandler {
            loop.post(.start(channel, request))
            let head = try await channel.head()
            return HTTPClientResponse(head, channel: channel, loop: loop)
        } onCancel: {
            loop.cancel(channel)
        }
    }

    /// Ends every call as cancelled, closes all connections and ends the thread; further calls fail.
    package func shutdown() { loop.stop() }

    /// The calls so far.
    package var activity: Activity { loop.activity }
}
