import Synchronization

/// Lines typed while an answer streams: `/stop` acts at once, the others wait for their turn.
final class TypedAhead: Sendable {
    private let lines = Mutex<[String]>([])

    /// The first line that waits.
    func next() -> String? { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    /// Gathers lines until its task is cancelled or input ends.
    func collect(from terminal: any Terminal, onStop: () -> Void) async {
        while let line = await terminal.readLine() {
            if line.drop(while: \.isWhitespace).hasPrefix("/stop") {
                onStop()
            } else {
                lines.withLock { $0.append(line) }
            }
        }
    }
}
