internal import Synchronization

extension HTTPServer {
    /// What the server has done so far.
    package struct Statistics: Sendable, Equatable {
        package internal(set) var openConnections = 0
        package internal(set) var acceptedConnections = 0
        package internal(set) var requests = 0
        /// Requests whose handlers are at work.
        package internal(set) var activeRequests = 0
        package internal(set) var openStreams = 0
        package internal(set) var heartbeats = 0
        package internal(set) var bytesRead = 0
        package internal(set) var bytesWritten = 0
        /// Clients that left while their request was at work.
        package internal(set) var abandonedRequests = 0
        /// Clients cut off because they took nothing of what was queued for them.
        package internal(set) var stalledClients = 0
        /// Bodies given up because they were too slow.
        package internal(set) var bodyTimeouts = 0
        /// How often there was no descriptor left for another connection.
        package internal(set) var acceptFailures = 0
        /// Requests refused before any handler saw them, by reason.
        package internal(set) var refusals: [Refusal: Int] = [:]
    }
}

/// The counters behind the statistics, touched from every thread.
final class Counters: Sendable {
    let openConnections = Atomic(0)
    let acceptedConnections = Atomic(0)
    let requests = Atomic(0)
    let activeRequests = Atomic(0)
    let openStreams = Atomic(0)
    let heartbeats = Atomic(0)
    let bytesRead = Atomic(0)
    let bytesWritten = Atomic(0)
    let abandonedRequests = Atomic(0)
    let stalledClients = Atomic(0)
    let bodyTimeouts = Atomic(0)
    let acceptFailures = Atomic(0)
    private let refusals = Mutex<[Refusal: Int]>([:])

    func count(_ refusal: Refusal) { refusals.withLock { $0[refusal, default: 0] += 1 } }

    var snapshot: HTTPServer.Statistics {
        var statistics = HTTPServer.Statistics()
        statistics.openConnections = openConnections.load(ordering: .relaxed)
        statistics.acceptedConnections = acceptedConnections.load(ordering: .relaxed)
        statistics.requests = requests.load(ordering: .relaxed)
        statistics.activeRequests = activeRequests.load(ordering: .relaxed)
        statistics.openStreams = openStreams.load(ordering: .relaxed)
        statistics.heartbeats = heartbeats.load(ordering: .relaxed)
        statistics.bytesRead = bytesRead.load(ordering: .relaxed)
        statistics.bytesWritten = bytesWritten.load(ordering: .relaxed)
        statistics.abandonedRequests = abandonedRequests.load(ordering: .relaxed)
        statistics.stalledClients = stalledClients.load(ordering: .relaxed)
        statistics.bodyTimeouts = bodyTimeouts.load(ordering: .relaxed)
        statistics.acceptFailures = acceptFailures.load(ordering: .relaxed)
        statistics.refusals = refusals.withLock { $0 }
        return statistics
    }
}
