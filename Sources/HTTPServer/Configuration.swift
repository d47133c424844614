extension HTTPServer {
    /// Where to listen, and every bound that is kept against clients.
    package struct Configuration: Sendable {
        /// An IPv4 or IPv6 address, or `localhost` for both loopback addresses.
        package var host = "127.0.0.1"
        /// The port; 0 lets the system pick one.
        package var port = 0

        /// How long a head may take from its first byte, or from the connection's start for the first one.
        package var headTimeout = Duration.seconds(10)
        /// How long a connection may wait for its next request.
        package var idleTimeout = Duration.seconds(60)
        /// How long a body may pause while it is being waited for.
        package var bodyIdleTimeout = Duration.seconds(30)
        /// How long a body may take in all.
        package var bodyTimeout = Duration.seconds(300)
        /// How long a client may take nothing of what is queued for it.
        package var stalledWriteTimeout = Duration.seconds(30)
        /// How long sent bytes may stay unacknowledged before the peer counts as gone (where the system can tell).
        package var unacknowledgedTimeout = Duration.seconds(15)
        /// How long a refused client is given to read the refusal before the connection is reset.
        package var lingerTimeout = Duration.seconds(2)
        /// How long handlers may take to end after they were cancelled by a drain.
        package var cancelledTimeout = Duration.seconds(1)

        /// How many connections may be open in all.
        package var maximumConnections = 20_000
        /// How many connections may be open from one IPv4 address or one IPv6 /64.
        ///
        /// High by default, because the server is meant to stand on loopback behind a proxy.
        package var maximumConnectionsPerAddress = 10_000

        /// The bounds of a request's head.
        package var limits = RequestParser.Limits()
        /// How much of a body is held for its handler before the client is held back, in bytes.
        package var bodyBuffer = 256 << 10
        /// How much unread body is thrown away to keep a connection, in bytes.
        package var discardedBody = 64 << 10
        /// From how many queued bytes a writer waits.
        package var writeHighMark = 64 << 10
        /// At how many queued bytes waiting writers go on.
        package var writeLowMark = 16 << 10

        /// The seconds since 1970, for the Date field.
        package var now: @Sendable () -> Int

        /// The defaults, on a port that the system picks.
        package init(host: String = "127.0.0.1", port: Int = 0) {
            self.host = host
            self.port = port
            now = wallClockSeconds
        }

        /// How often deadlines are looked at: often enough that none is missed by more than a quarter.
        var sweepInterval: Duration {
            let shortest =
                [
                    headTimeout, idleTimeout, bodyIdleTimeout, bodyTimeout, stalledWriteTimeout, lingerTimeout,
                    cancelledTimeout,
                ].min() ?? .seconds(1)
            return max(.milliseconds(10), min(.milliseconds(500), shortest / 4))
        }
    }
}
