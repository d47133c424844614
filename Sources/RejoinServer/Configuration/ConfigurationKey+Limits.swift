extension ConfigurationKey where Target == Configuration.Limits {
    /// The unit that a length of time is written in.
    private enum Unit: String {
        case seconds, hours, days

        var milliseconds: Double {
            switch self {
            case .seconds: 1000
            case .hours: 3_600_000
            case .days: 86_400_000
            }
        }
    }

    /// Every limit, in the order of the reference page.
    static let limits: [ConfigurationKey] = [
        count("body_bytes", \.bodyBytes, of: "bytes", 1024...67_108_864, "The body of a request."),
        count("prompt_bytes", \.promptBytes, of: "bytes", 1...16_777_216, "The text of one prompt, as UTF-8."),
        count(
            "answer_bytes", \.answerBytes, of: "bytes", 1024...67_108_864,
            "The text of one answer, as UTF-8; a longer one ends there and says so."),
        count(
            "queue_length", \.queueLength, of: "answers", 0...100_000,
            "Answers that wait for a model. One more is refused with the reason."),
        count(
            "queue_per_account", \.queuePerAccount, of: "answers", 1...100_000,
            "Waiting answers of one account, so that none can fill the queue."),
        count(
            "running_answers", \.runningAnswers, of: "answers", 1...100_000,
            "Answers under way with one model, of all accounts."),
        count("connections", \.connections, of: "connections", 8...100_000, "Open connections."),
        count(
            "connections_per_address", \.connectionsPerAddress, of: "connections", 1...100_000,
            "Open connections from one address. Behind a proxy every connection has the proxy's."),
        time(
            "head_timeout_seconds", \.headTimeout, .seconds, 0.1...600,
            "From the first byte of a request to the end of its head."),
        time("idle_timeout_seconds", \.idleTimeout, .seconds, 0.1...3600, "An open connection without a request."),
        time(
            "body_idle_timeout_seconds", \.bodyIdleTimeout, .seconds, 0.1...3600,
            "A body under way without another byte."),
        time("body_timeout_seconds", \.bodyTimeout, .seconds, 0.1...86_400, "A body in all."),
        time(
            "stalled_write_timeout_seconds", \.stalledWriteTimeout, .seconds, 0.1...3600,
            "A client that takes nothing of what is queued for it; it joins again where it was."),
        time(
            "first_piece_timeout_seconds", \.firstPieceTimeout, .seconds, 0.1...3600,
            "From asking a model to its first sign of life."),
        time(
            "silence_timeout_seconds", \.silenceTimeout, .seconds, 0.1...3600,
            "A model that has begun, without another sign of life."),
        time(
            "drain_seconds", \.drain, .seconds, 0...3600,
            "For running answers to finish once the server is told to stop; the rest are marked interrupted."),
        time(
            "log_retention_hours", \.logRetention, .hours, 0...87_600,
            "How long an ended answer can be replayed event by event; afterwards it is one snapshot."),
        time(
            "feed_retention_days", \.feedRetention, .days, 1...3650,
            "How far the change feed reaches back; a device that was away longer lists afresh."),
        time(
            "temporary_hours", \.temporaryRetention, .hours, 0.01...8784,
            "A temporary conversation that nobody closed, without a word; then it is deleted."),
        time(
            "history_days", \.historyRetention, .days, 1...36_500,
            "Any conversation without a word; then it is deleted. A person can choose less. A century keeps them all."),
    ]

    private static func count(
        _ name: String, _ path: any WritableKeyPath<Configuration.Limits, Int> & Sendable, of unit: String,
        _ bounds: ClosedRange<Int>, _ summary: String
    ) -> ConfigurationKey {
        let expected = "a whole number of \(unit) from \(bounds.lowerBound) to \(bounds.upperBound)"
        return ConfigurationKey(
            name: name, expected: expected, standard: "\(Configuration.Limits()[keyPath: path])", summary: summary
        ) { setting, limits throws(ConfigurationError) in
            limits[keyPath: path] = try setting.integer(in: bounds)
        }
    }

    private static func time(
        _ name: String, _ path: any WritableKeyPath<Configuration.Limits, Duration> & Sendable, _ unit: Unit,
        _ bounds: ClosedRange<Double>, _ summary: String
    ) -> ConfigurationKey {
        let expected = "a number of \(unit.rawValue) from \(plain(bounds.lowerBound)) to \(plain(bounds.upperBound))"
        let standard = Configuration.Limits()[keyPath: path] / .milliseconds(1) / unit.milliseconds
        return ConfigurationKey(name: name, expected: expected, standard: plain(standard), summary: summary) {
            setting, limits throws(ConfigurationError) in
            let number = try setting.number(in: bounds)
            limits[keyPath: path] = .milliseconds(Int64((number * unit.milliseconds).rounded()))
        }
    }

    private static func plain(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
}
