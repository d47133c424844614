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
        var firstPiece: [String: Histogram] = [:]
        var total: [String: Histogram] = [:]
        /// Tokens of answers that the model itself counted, by model and by direction.
        var tokens: [Direction: Histogram] = [:]
    }

    private struct Direction: Hashable {
        let model: String
        let type: String
    }

    /// Bucket bounds that OpenTelemetry's GenAI conventions ask for.
    private enum Bounds {
        static let firstPiece = [
            0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
        ]
        static let total = (0..<14).map { 0.01 * Double(1 << $0) }
        static let tokens = (0..<14).map { Double(1 << (2 * $0)) }
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

    /// Counts an answer's end, and what it cost where the model said so.
    ///
    /// - Parameter model: the name that the configuration gave the model, so that there are few of them.
    package func ended(_ end: EndState, model: String?, usage: Event.Usage?) {
        state.withLock { state in
            state.ended[end, default: 0] += 1
            // An estimate is not to be reported as usage.
            guard let model, let usage, !usage.isEstimated else { return }
            for (type, count) in [("input", usage.inputTokens), ("output", usage.outputTokens)] {
                state.tokens[Direction(model: model, type: type), default: Histogram(Bounds.tokens)]
                    .observe(Double(count))
            }
        }
    }

    /// Notes a run's times; `firstPiece` is nil for a run without text.
    package func ran(model: String, firstPiece: Duration?, total: Duration) {
        state.withLock { state in
            if let firstPiece {
                state.firstPiece[model, default: Histogram(Bounds.firstPiece)].observe(firstPiece.inSeconds)
            }
            state.total[model, default: Histogram(Bounds.total)].observe(total.inSeconds)
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
        let state = state.withLock { $0 }
        head("rejoin_http_requests_total", "counter", "Requests answered, by route and status.")
        for (request, count) in state.requests.sorted(by: {
            ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status)
        }) {
            text += "rejoin_http_requests_total{route=\"\(request.route)\",status=\"\(request.status)\"} \(count)\n"
        }
        head("rejoin_answers_ended_total", "counter", "Answers ended, by end state.")
        for end in EndState.allCases {
            text += "rejoin_answers_ended_total{state=\"\(end.rawValue)\"} \(state.ended[end] ?? 0)\n"
        }
        func series(_ name: String, _ help: String, _ series: [(labels: String, histogram: Histogram)]) {
            head(name, "histogram", help)
            for (labels, histogram) in series.sorted(by: { $0.labels < $1.labels }) {
                for (bound, count) in zip(histogram.bounds, histogram.counts) {
                    text += "\(name)_bucket{\(labels),le=\"\(bound)\"} \(count)\n"
                }
                text += "\(name)_bucket{\(labels),le=\"+Inf\"} \(histogram.count)\n"
                text += "\(name)_sum{\(labels)} \(histogram.sum)\n\(name)_count{\(labels)} \(histogram.count)\n"
            }
        }
        func labels(_ model: String) -> String { "gen_ai_operation_name=\"chat\",gen_ai_request_model=\"\(model)\"" }
        series(
            "gen_ai_server_time_to_first_token_seconds", "Time from asking the model to its first text.",
            state.firstPiece.map { (labels($0.key), $0.value) })
        series(
            "gen_ai_server_request_duration_seconds", "Time from asking the model to its end.",
            state.total.map { (labels($0.key), $0.value) })
        series(
            "gen_ai_client_token_usage", "Tokens of answers, where the model counted them.",
            state.tokens.map { (labels($0.key.model) + ",gen_ai_token_type=\"\($0.key.type)\"", $0.value) })
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
