/// A value that must not be shown: a provider's key.
///
/// Whatever prints, logs or reflects it gets `<redacted>`; only ``revealed`` gives it out, to the request that needs it.
package struct Secret: Sendable, Equatable {
    /// The value itself.
    package let revealed: String

    package init(_ value: String) {
        self.revealed = value
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
