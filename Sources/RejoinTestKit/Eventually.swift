/// What a test waited for did not come.
public struct NeverHappened: Error, CustomStringConvertible {
    public let description: String
}

/// Waits until something holds.
///
/// - Parameter limit: how long to wait before giving up; only a broken program needs it.
/// - Throws: ``NeverHappened``, and whatever the condition throws.
public func eventually(
    _ what: String, within limit: Duration = .seconds(20), _ condition: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while try await !condition() {
        guard clock.now < deadline else { throw NeverHappened(description: "it never happened that \(what)") }
        try await clock.sleep(for: .milliseconds(1))
    }
}
