import Synchronization

/// A value that a reload of the configuration replaces while it is in use.
package final class Reloadable<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    /// Starts with what the start's configuration said.
    package init(_ value: Value) { state = Mutex(value) }

    /// What holds now.
    package var value: Value { state.withLock { $0 } }

    /// Puts another value in its place.
    package func replace(_ value: Value) { state.withLock { $0 = value } }
}
