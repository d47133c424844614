import RejoinTestKit

/// Waits for a state, with a bound that only a broken program reaches, on a machine however busy.
func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
    try await RejoinTestKit.eventually(what, within: .seconds(60), condition)
}
