internal import RejoinCore

/// Events as a row of the table of pieces holds them: as on the wire.
enum StoredEvents {
    /// The events one after the other.
    static func encode(_ events: [NumberedEvent]) -> [UInt8] {
        var bytes: [UInt8] = []
        for event in events { event.append(to: &bytes) }
        return bytes
    }

    /// Reads what ``encode(_:)`` wrote.
    static func decode(_ bytes: [UInt8]) -> [NumberedEvent] {
        var parser = EventStreamParser(maximumEventSize: .max)
        var events: [NumberedEvent] = []
        parser.feed(bytes) { if let event = NumberedEvent($0) { events.append(event) } }
        return events
    }
}

extension Event {
    /// Whether the event stands for text that is held already.
    var replacesText: Bool {
        switch self {
        case .snapshot, .withdrawn: true
        default: false
        }
    }
}
