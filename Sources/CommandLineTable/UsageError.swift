/// A command line that was not understood, in words for the person who typed it.
package struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The status to leave with: `EX_USAGE` of sysexits.h.
    package static let exitCode: Int32 = 64

    /// The words that were understood before the mistake: `rejoin account`.
    package let path: String
    /// What is wrong and, where one is near, the right name.
    package let message: String

    package init(path: String, _ message: String) {
        self.path = path
        self.message = message
    }

    /// Two lines: the mistake, and where to read on.
    package var description: String { "\(path): \(message)\nSee \"\(path) --help\"." }
}
