internal import Synchronization

/// A sink that keeps events on this device, one line each, in a file that only its owner may read.
///
/// When the file is full it becomes the one before it, and the one that was before it goes; so it takes at most twice
/// the limit. Nothing here sends anything anywhere.
public final class FileTelemetrySink: TelemetrySink {
    private let file: PrivateFile
    private let limit: Int
    private let lostCount = Mutex(0)

    /// Keeps events in a file of at most so many bytes, with as many more in the one before it.
    public init(path: String, limit: Int = 1 << 20) {
        file = PrivateFile(path: path)
        self.limit = max(4096, min(limit, PrivateFile.maximumSize))
    }

    /// How many events could not be written.
    public var lost: Int { lostCount.withLock { $0 } }

    public func record(_ event: TelemetryEvent) {
        lostCount.withLock { lost in
            do {
                try file.append(event.line + [0x0A], limit: limit)
            } catch {
                lost += 1
            }
        }
    }

    /// The events in the file and the one before it, oldest first, and how many lines are none that are known.
    ///
    /// - Parameters:
    ///   - operations: the operations that may occur.
    ///   - models: the models that may occur, whatever their numbers.
    /// - Throws: ``TelemetryFileError`` if a file is there and cannot be read.
    public func read(
        operations: [OperationID], models: [VersionLabel] = []
    ) throws(TelemetryFileError) -> (events: [TelemetryEvent], unreadable: Int) {
        var events: [TelemetryEvent] = []
        var unreadable = 0
        for file in [PrivateFile(path: file.path + ".before"), file] {
            let bytes: [UInt8]
            do { bytes = try file.read() ?? [] } catch { throw TelemetryFileError(errno: error.errno) }
            for line in bytes.split(separator: 0x0A) {
                if let event = TelemetryEvent(line: line, operations: operations, models: models) {
                    events.append(event)
                } else {
                    unreadable += 1
                }
            }
        }
        return (events, unreadable)
    }
}

/// That a file of events is there and cannot be read.
public struct TelemetryFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system's number for why.
    public let errno: Int32

    /// Safe to show: it names no file.
    public var description: String { "the record of events cannot be read (system error \(errno))" }
}
