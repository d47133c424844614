extension Configuration {
    /// How much of everything the server bears.
    ///
    /// The reference page takes the defaults from here.
    package struct Limits: Sendable, Equatable {
        /// Bytes in the body of a request.
        package var bodyBytes = 1_048_576
        /// Bytes of text in a prompt.
        package var promptBytes = 262_144
        /// Bytes of text in an answer.
        package var answerBytes = 4_194_304
        /// Answers that wait for a model.
        package var queueLength = 256
        /// Of those, answers of one account.
        package var queuePerAccount = 16
        /// Answers under way with one model, of all accounts.
        package var runningAnswers = 1024
        /// Open connections.
        package var connections = 20_000
        /// Open connections from one address.
        package var connectionsPerAddress = 10_000
        /// From a connection's first byte to the end of the request's head.
        package var headTimeout = Duration.seconds(10)
        /// Without a request on an open connection.
        package var idleTimeout = Duration.seconds(60)
        /// Without a byte of a body that is being waited for.
        package var bodyIdleTimeout = Duration.seconds(30)
        /// For a body in all.
        package var bodyTimeout = Duration.seconds(300)
        /// Without a client taking a byte of what is queued for it.
        package var stalledWriteTimeout = Duration.seconds(30)
        /// From asking a model to its first sign of life.
        package var firstPieceTimeout = Duration.seconds(120)
        /// Between two signs of life of a model.
        package var silenceTimeout = Duration.seconds(120)
        /// For running answers to finish when the server is told to stop.
        package var drain = Duration.seconds(20)
        /// How long an ended answer can be replayed event by event.
        package var logRetention = Duration.seconds(24 * 3600)
        /// How long the change feed and tombstones reach back.
        package var feedRetention = Duration.seconds(30 * 24 * 3600)
        /// How long a temporary conversation that nobody closed stays without a word.
        package var temporaryRetention = Duration.seconds(24 * 3600)
        /// How long any conversation stays without a word.
        package var historyRetention = Duration.seconds(36_500 * 24 * 3600)

        package init() {}
    }
}
