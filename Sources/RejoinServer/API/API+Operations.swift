import HTTPServer
import RejoinCore

extension API {
    /// Says whether the server can take work, model by model.
    func ready(_ call: Call) async throws {
        let isReady = runs.takesWork
        try await call.respond(isReady ? 200 : 503) { json in
            json.beginObject()
            json.member("status", isReady ? "ready" : "not ready")
            json.name("models")
            models(&json)
            json.endObject()
        }
    }

    func listModels(_ call: Call) async throws {
        try await call.respond(200) { json in
            json.beginObject()
            json.name("items")
            models(&json)
            json.member("default", runs.models.defaultName)
            json.endObject()
        }
    }

    private func models(_ json: inout JSONWriter) {
        json.beginArray()
        for provider in runs.models.providers {
            json.beginObject()
            json.member("name", provider.name)
            json.member("placement", provider.placement.rawValue)
            switch provider.availability {
            case _ where runs.switches.isOff(model: provider.name): json.member("state", "unavailable")
            case .ready: json.member("state", "ready")
            case .loading(let progress):
                json.member("state", "loading")
                if let progress {
                    json.name("progress")
                    json.value(.number(progress))
                }
            case .unavailable: json.member("state", "unavailable")
            }
            json.endObject()
        }
        json.endArray()
    }

    /// Shows the metrics: to the same machine without more, to others with a token.
    func showMetrics(_ call: Call) async throws {
        let request = call.exchange.request
        let address = request.remoteAddress
        // Behind a proxy on this machine everybody seems to be on it.
        let isForwarded = request.fields["x-forwarded-for"] != nil || request.fields["forwarded"] != nil
        if isForwarded || !(address.hasPrefix("127.") || address == "::1") { _ = try await authenticate(call) }
        let text = metrics.text(with: gauges(call.exchange.serverStatistics))
        let fields: HTTPFields = [
            "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store",
        ]
        try await call.respond(200, fields: fields, body: Array(text.utf8))
    }

    private func gauges(_ http: HTTPServer.Statistics) -> [Metrics.Gauge] {
        let log = eventLog.statistics
        let loads = runs.models.providers.map { runs.load(of: $0.name) }
        func count(_ name: String, _ help: String, _ value: Int) -> Metrics.Gauge {
            Metrics.Gauge(name, help, isCounter: true, Double(value))
        }
        return [
            Metrics.Gauge("rejoin_connections", "Open connections.", Double(http.openConnections)),
            Metrics.Gauge("rejoin_streams", "Event streams being followed.", Double(http.openStreams)),
            Metrics.Gauge("rejoin_answers_running", "Answers under way.", Double(loads.reduce(0) { $0 + $1.running })),
            Metrics.Gauge("rejoin_answers_waiting", "Answers in line.", Double(loads.reduce(0) { $0 + $1.waiting })),
            count("rejoin_http_written_bytes_total", "Bytes sent to clients.", http.bytesWritten),
            count("rejoin_http_refused_total", "Requests whose head was refused.", http.refusals.values.reduce(0, +)),
            count("rejoin_http_stalled_total", "Clients cut because they took nothing.", http.stalledClients),
            count("rejoin_log_commits_total", "Transactions of the event log.", log.commits),
            count("rejoin_log_events_total", "Events made durable.", log.events),
            count("rejoin_log_bytes_total", "Bytes of events made durable.", log.bytes),
            count("rejoin_log_failures_total", "Transactions of the event log that failed.", log.failures),
        ]
    }
}
