package import RejoinCore
import Synchronization

/// Counters and histograms for operators.
///
/// Labels are from closed lists: no id, name or text ever gets here.
package final class Metrics: Sendable {
    private let state = Mutex(State())

    private struct State {
        var requests: [Request: Int] = [:]
        var ended: [EndState: Int] = [:]
        var firstPiece = Histogram(Self.seconds)
        var total = Histogram(Self.seconds)

        /// Bucket bounds of OpenTelemetry's GenAI conventions: hundredths of a second, doubling.
        static let seconds = (0..<14).map { 0.01 * Double(1 << $0) }
    }

    private struct Request: Hashable {
        let route: String
        let status: Int
    }

    /// A cumulative histogram of seconds.
    struct Histogram: Sendable {
        let bounds: [Double]
        private(set) var counts: [Int]
        private(set) var sum = 0.0
        private(set) var count = 0

        init(_ bounds: [Double]) {
            self.bounds = bounds
            counts = Array(repeating: 0, count: bounds.count)
        }

        mutating func observe(_ value: Double) {
            count += 1
            sum += value
            for index in bounds.indices where value <= bounds[index] { counts[index] += 1 }
        }
    }

    package init() {}

    /// Counts an answered request under its route's pattern.
    package func answered(route: String, status: Int) {
        state.withLock { $0.requests[Request(route: route, status: status), default: 0] += 1 }
    }

    /// Counts an answer's end.
    package func ended(_ end: EndState) { state.withLock { $0.ended[end, default: 0] += 1 } }

    /// Notes a run's times; `firstPiece` is nil for a run without text.
    package func ran(firstPiece: Duration?, total: Duration) {
        state.withLock { state in
            if let firstPiece { state.firstPiece.observe(firstPiece.inSeconds) }
            state.total.observe(total.inSeconds)
        }
    }

    /// A figure that is read when asked for.
    package struct Gauge: Sendable {
        package let name: String
        package let help: String
        package let isCounter: Bool
        package let value: Double

        package init(_ name: String, _ help: String, isCounter: Bool = false, _ value: Double) {
            self.name = name
            self.help = help
            self.isCounter = isCounter
            self.value = value
        }
    }

    /// The Prometheus text format, version 0.0.4.
    package func text(with gauges: [Gauge]) -> String {
        var text = ""
        func head(_ name: String, _ kind: String, _ help: String) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
        }
        let (requests, ended, histograms) = state.withLock { state in
            (state.requests, state.ended, [state.firstPiece, state.total])
        }
        head("rejoin_http_requests_total", "counter", "Requests answered, by route and status.")
        for (request, count) in requests.sorted(by: { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }) {
            text += "rejoin_http_requests_total{route=\"\(request.route)\",status=\"\(request.status)\"} \(count)\n"
        }
        head("rejoin_answers_ended_total", "counter", "Answers ended, by end state.")
        for end in EndState.allCases {
            text += "rejoin_answers_ended_total{state=\"\(end.rawValue)\"} \(ended[end] ?? 0)\n"
        }
        let names = [
            ("gen_ai_server_time_to_first_token_seconds", "Time from asking the model to its first text."),
            ("gen_ai_server_request_duration_seconds", "Time from asking the model to its end."),
        ]
        for (histogram, (name, help)) in zip(histograms, names) {
            head(name, "histogram", help)
            for (bound, count) in zip(histogram.bounds, histogram.counts) {
                text += "\(name)_bucket{le=\"\(bound)\"} \(count)\n"
            }
            text += "\(name)_bucket{le=\"+Inf\"} \(histogram.count)\n"
            text += "\(name)_sum \(histogram.sum)\n\(name)_count \(histogram.count)\n"
        }
        for gauge in gauges {
            head(gauge.name, gauge.isCounter ? "counter" : "gauge", gauge.help)
            text += "\(gauge.name) \(gauge.value)\n"
        }
        return text
    }
}

extension Duration {
    /// The duration in seconds, as a number.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
