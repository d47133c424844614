/// A TCP proxy that does to connections what networks do to them, when it is told to.
///
/// It stands before a port of this machine. Faults hold for the connections that are open and for those to come,
/// until ``heal()``. A client's leaving reaches the target at once, so that stops can be measured through it.
package final class FaultProxy: Sendable {
    /// What is done to a connection.
    struct Faults: Sendable {
        /// Reset after so many bytes towards the client; nil never.
        var cutsAfter: Int?
        /// Nothing is forwarded either way, and nothing is closed.
        var stalls = false
        /// How late each read of the reply is forwarded.
        var delay = Duration.zero
        /// How many bytes of the reply are forwarded in a second; nil for as many as come.
        var bytesPerSecond: Int?
        /// The request's bytes go to the target a second time, and that reply is thrown away.
        var duplicatesRequests = false
    }

    /// What went through.
    package struct Counters: Sendable, Equatable {
        package var accepted = 0
        package var refused = 0
        /// Connections that a command or a limit reset.
        package var cut = 0
        /// Replies that the target made and the client never got.
        package var killed = 0
        /// Read from clients.
        package var bytesUp = 0
        /// Read from the target.
        package var bytesDown = 0
        /// Written to clients.
        package var bytesForwarded = 0
    }

    /// On 127.0.0.1.
    package let port: Int
    private let loop: PollLoop<FaultProxyState>

    /// Starts before a port of this machine.
    ///
    /// - Throws: ``SocketFailure`` if no port can be had.
    package init(target: Int, port: Int = 0) throws {
        let listener = try Socket.listen(port: port)
        self.port = listener.port
        loop = try PollLoop(FaultProxyState(listener, targetPort: target))
    }

    deinit { loop.stop() }

    /// Resets every open connection, on both sides.
    package func cutNow() { loop.withState { $0.cutAll() } }

    /// Resets each connection once so many bytes of it have gone to the client; nil stops that.
    package func cut(afterBytes count: Int?) { loop.withState { $0.apply { $0.cutsAfter = count } } }

    /// Stops forwarding, or starts again; connections stay open.
    package func stall(_ stalls: Bool = true) { loop.withState { $0.apply { $0.stalls = stalls } } }

    /// Forwards each read of a reply so much later.
    package func delay(_ delay: Duration) { loop.withState { $0.apply { $0.delay = delay } } }

    /// Forwards at most so many bytes of each reply in a second; nil lifts that.
    package func throttle(bytesPerSecond: Int?) {
        loop.withState { $0.apply { $0.bytesPerSecond = bytesPerSecond.map { max(1, $0) } } }
    }

    /// Sends the request of each new connection to the target twice, and throws the second reply away.
    package func duplicateRequests(_ duplicates: Bool = true) {
        loop.withState { $0.faults.duplicatesRequests = duplicates }
    }

    /// Lets the target answer the next requests, and resets their connections instead of forwarding the reply.
    package func killReplies(_ count: Int = 1) { loop.withState { $0.repliesToKill += count } }

    /// Resets new connections, or takes them again.
    package func refuseConnections(_ refuses: Bool = true) { loop.withState { $0.refusesConnections = refuses } }

    /// Behaves from now on; what was cut stays cut.
    package func heal() {
        loop.withState { state in
            state.apply { $0 = FaultProxy.Faults() }
            state.refusesConnections = false
            state.repliesToKill = 0
        }
    }

    /// Cuts everything and closes the port.
    package func stop() { loop.stop() }

    /// What went through so far.
    package var counters: Counters { loop.look { $0.counters } }

    /// How many connections are open.
    package var open: Int { loop.look { $0.open } }
}
