/// Where a person sits: text out, notices aside, lines in, and Ctrl-C.
///
/// The commands speak to this alone, so that a test can be the person.
package protocol Terminal: Sendable {
    /// Whether lines are typed by a person.
    var isInputInteractive: Bool { get }
    /// Whether input was handed in from a file or another program.
    var isInputPiped: Bool { get }
    /// Whether the answer appears on a screen.
    var isOutputInteractive: Bool { get }
    /// Whether notices appear on a screen that can be drawn over.
    var isErrorInteractive: Bool { get }
    /// Columns of the screen.
    var width: Int { get }
    /// The screen of standard output, if what was written there can be drawn over.
    var screenSize: Size? { get }

    /// Writes to standard output.
    ///
    /// - Throws: ``OutputClosed`` when the reader has gone; `CancellationError` when the task was cancelled meanwhile.
    func write(_ text: String) async throws

    /// Writes to standard error; a failure is ignored, for there is nowhere left to tell of it.
    func writeError(_ text: String) async

    /// The next line without its end; nil at the end of input, or when the task was cancelled.
    ///
    /// A line that comes after the cancellation is kept for the next reader.
    func readLine() async -> String?

    /// Each Ctrl-C from now on. While nobody listens, Ctrl-C ends the program.
    func interrupts() -> AsyncStream<Void>
}

extension Terminal {
    /// A terminal that does not say so has no screen.
    package var screenSize: Size? { nil }

    /// All lines of the input without their ends; nil where they are more than so many bytes.
    func lines(upTo limit: Int) async -> [String]? {
        var lines: [String] = []
        var size = 0
        while let line = await readLine() {
            size += line.utf8.count + 1
            guard size <= limit else { return nil }
            lines.append(line)
        }
        return lines
    }
}

/// The reader of standard output has gone.
package struct OutputClosed: Error, Sendable {
    /// Notes that it has gone.
    package init() {}
}
