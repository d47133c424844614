import Synchronization

@testable import RejoinTerminal

/// A screen whose person is a test.
final class ScriptedScreen: Screen {
    let size = Size(columns: 80, rows: 24)
    let events: AsyncStream<ScreenEvent>
    private let continuation: AsyncStream<ScreenEvent>.Continuation
    private let written = Mutex<[String]>([])

    init() { (events, continuation) = AsyncStream<ScreenEvent>.makeStream() }

    /// Everything that was written, frame by frame.
    var frames: [String] { written.withLock { $0 } }

    func write(_ text: String) async throws { written.withLock { $0.append(text) } }
    func suspend() {}
    func close() {}

    func type(_ text: String) { continuation.yield(.bytes(Array(text.utf8))) }
    /// The system asks the program to end.
    func end() { continuation.yield(.ended) }
}
