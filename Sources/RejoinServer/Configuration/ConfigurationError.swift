/// Why a configuration is refused, in the words that the person sees.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The status to leave with: `EX_CONFIG` of sysexits.h.
    package static let exitCode: Int32 = 78

    /// Where it was written: `rejoin.json5:7:3`, `REJOIN_LISTEN`, `--listen`.
    package let place: String
    /// What is wrong, what was expected and, where one is near, the right name.
    package let message: String

    package init(at place: String, _ message: String) {
        self.place = place
        self.message = message
    }

    package var description: String { "\(place): \(message)" }
}
