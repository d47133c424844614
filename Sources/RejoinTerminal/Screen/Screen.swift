/// A screen that is drawn on, and the keys that belong to it.
///
/// The program speaks to this alone, so that a test can be the person and the screen.
package protocol Screen: Sendable {
    /// How large it is now.
    var size: Size { get }
    /// What happens at it, until it is gone; read by one task.
    var events: AsyncStream<ScreenEvent> { get }
    /// Writes bytes in order.
    ///
    /// - Throws: ``OutputClosed`` when the terminal has gone; `CancellationError`.
    func write(_ text: String) async throws
    /// Gives the terminal back to the shell until the person returns; then ``ScreenEvent/resumed`` comes.
    func suspend()
    /// Gives the terminal back for good.
    func close()
}

/// What a screen reports.
package enum ScreenEvent: Equatable, Sendable {
    case bytes([UInt8])
    case resized
    /// The process was stopped and goes on: nothing of what was shown is there any more.
    case resumed
    /// The system asks the program to end.
    case ended
}
