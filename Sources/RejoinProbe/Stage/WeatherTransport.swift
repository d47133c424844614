import RejoinClient
import Synchronization

/// What befalls the requests of one device, where no proxy can stand between.
final class Weather: Sendable {
    struct Faults: Sendable {
        var isDown = false
        var isStalled = false
        var bytesPerSecond: Int?
        /// Lines that were opened under an earlier number are broken.
        var epoch = 0
    }

    private let faults = Mutex(Faults())

    var now: Faults { faults.withLock { $0 } }

    func set(_ change: (inout Faults) -> Void) { faults.withLock { change(&$0) } }

    func cut() { set { $0.epoch &+= 1 } }
}

/// Carries requests through weather.
struct WeatherTransport: Transport {
    private let base: any Transport
    private let weather: Weather

    init(_ base: any Transport, _ weather: Weather) {
        self.base = base
        self.weather = weather
    }

    func send(_ request: TransportRequest) async throws -> TransportReply {
        let faults = try await weather.passage(since: nil)
        let reply = try await base.send(request)
        let body = WeatherBody(base: reply.body, weather: weather, epoch: faults.epoch)
        return TransportReply(status: reply.status, body: body) { reply.field($0) }
    }
}

extension Weather {
    /// Waits until something may pass.
    ///
    /// - Parameter epoch: when the line was opened; nil for a new one.
    /// - Throws: ``TransportFailure`` where there is no network, or the line has broken.
    fileprivate func passage(since epoch: Int?) async throws -> Faults {
        while true {
            let faults = now
            if let epoch, faults.epoch != epoch { throw TransportFailure(.dropped, "the line broke") }
            if faults.isDown { throw TransportFailure(.unreachable, "there is no network") }
            if !faults.isStalled { return faults }
            try await ContinuousClock().sleep(for: .milliseconds(20))
        }
    }
}

private struct WeatherBody: TransportBody {
    let base: any TransportBody
    let weather: Weather
    let epoch: Int

    func next() async throws -> ArraySlice<UInt8>? {
        // A line that breaks while nothing comes wakes its reader, as a real one does.
        let piece = try await withThrowingTaskGroup(of: ArraySlice<UInt8>?.self) { group in
            group.addTask { try await base.next() }
            group.addTask {
                while true {
                    try await ContinuousClock().sleep(for: .milliseconds(20))
                    if weather.now.epoch != epoch {
                        base.cancel()
                        throw TransportFailure(.dropped, "the line broke")
                    }
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        let faults = try await weather.passage(since: epoch)
        if let piece, let rate = faults.bytesPerSecond {
            try await ContinuousClock().sleep(for: .seconds(1) * piece.count / max(1, rate))
        }
        return piece
    }

    func cancel() { base.cancel() }

    func leave() { base.leave() }
}
