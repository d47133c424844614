internal import Synchronization

/// Where events go.
public protocol TelemetrySink: Sendable {
    /// Takes an event; it neither waits nor fails, whatever becomes of the event.
    func record(_ event: TelemetryEvent)
}

/// A sink that keeps nothing.
public struct NoTelemetry: TelemetrySink {
    /// Makes one.
    public init() {}

    public func record(_ event: TelemetryEvent) {}
}

/// A sink that keeps the newest events in memory.
public final class MemoryTelemetrySink: TelemetrySink {
    private let kept = Mutex<[TelemetryEvent]>([])
    private let limit: Int

    /// Keeps at most so many events.
    public init(limit: Int = 10_000) {
        self.limit = max(1, limit)
    }

    /// The events, oldest first.
    public var events: [TelemetryEvent] { kept.withLock { $0.suffix(limit) } }

    public func record(_ event: TelemetryEvent) {
        kept.withLock { events in
            events.append(event)
            if events.count >= 2 * limit { events.removeFirst(events.count - limit) }
        }
    }
}
