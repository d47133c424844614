internal import Synchronization

/// An HTTP/1.1 server: one polling thread, strict parsing, handlers that write to the socket themselves.
///
/// TLS and HTTP/2 belong to a proxy in front. Handlers are plain async functions; whoever leaves has its handler's task
/// cancelled at once. A client that ends its sending side counts as gone, also after a complete request, since on a
/// silent stream that is the only sign of leaving there is.
package final class HTTPServer: Sendable {
    private enum Life {
        case new
        case running(EventLoop)
        case stopped
    }

    private let configuration: Configuration
    private let handler: @Sendable (Exchange) async -> Void
    private let counters = Counters()
    private let life = Mutex(Life.new)

    /// Prepares a server; nothing is opened before ``start()``.
    ///
    /// - Parameter handler: answers one request; if it returns without having responded, the client gets a bare 500.
    package init(_ configuration: Configuration, handler: @escaping @Sendable (Exchange) async -> Void) {
        self.configuration = configuration
        self.handler = handler
    }

    deinit {
        guard case .running(let loop) = life.withLock({ $0 }) else { return }
        Task { await Self.drain(loop, within: .zero) }
    }

    /// Listens and serves.
    ///
    /// Raises the process's descriptor limit to what it is allowed to have.
    /// - Returns: the port.
    /// - Throws: ``HTTPServerError`` with the code `addressInUse`, `addressUnavailable`, `permissionDenied` or
    ///   `startFailed`.
    package func start() throws -> Int {
        try life.withLock { life in
            guard case .new = life else {
                throw HTTPServerError(.startFailed, "The server was started before.")
            }
            ListeningSocket.raiseDescriptorLimit()
            let sockets = try ListeningSocket.open(
                host: configuration.host, port: configuration.port, unacknowledged: configuration.unacknowledgedTimeout)
            guard let loop = EventLoop(configuration, counters: counters, handler: handler), loop.start(sockets) else {
                for socket in sockets { socket.close() }
                throw HTTPServerError(.startFailed, "The system gave no poller or no thread.")
            }
            life = .running(loop)
            return sockets.first?.port ?? configuration.port
        }
    }

    /// Stops listening, lets running exchanges end, then cancels what is left; returns when all connections are closed.
    ///
    /// Idle connections are closed at once and every response from now on carries `Connection: close`. Handlers that
    /// are still at work after `time` are cancelled, and cut off when they do not end soon after that.
    package func drain(within time: Duration) async {
        guard case .running(let loop) = life.withLock({ $0 }) else { return }
        await Self.drain(loop, within: time)
        life.withLock { $0 = .stopped }
    }

    private static func drain(_ loop: EventLoop, within time: Duration) async {
        await withCheckedContinuation { continuation in
            if !loop.post({ $0.beginDrain(within: time, continuation) }) { continuation.resume() }
        }
    }

    /// What the server has done so far.
    package var statistics: Statistics { counters.snapshot }
}
