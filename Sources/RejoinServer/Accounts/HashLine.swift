import Crypto
import RejoinCore
import Synchronization

/// The line in front of the one thread that hashes passwords.
///
/// A crowd at the door is turned away with a time to come back, and costs neither memory nor the answers of those who
/// are in.
final class HashLine: Sendable {
    private let waiting = Mutex(0)

    /// At a fifth of a second each, whoever is let in waits three seconds at most.
    static let length = 16

    /// Takes a place in the line for as long as a body runs: before anything else is done for who asks.
    ///
    /// - Throws: a ``Problem`` where the line is full, and what the body throws.
    func inLine<Result>(_ body: () async throws -> Result) async throws -> Result {
        let isIn = waiting.withLock { waiting in
            guard waiting < Self.length else { return false }
            waiting += 1
            return true
        }
        guard isIn else {
            throw Problem(.temporarilyUnavailable, "Too many are signing in at the moment.", retryAfter: 4)
        }
        defer { waiting.withLock { $0 -= 1 } }
        return try await body()
    }

    /// Hashes a password with a new salt.
    ///
    /// - Throws: a ``Problem`` where there is no memory for it.
    static func hash(_ password: String) async throws(Problem) -> String {
        guard let hash = await PasswordHash.make(password) else {
            throw Problem(.temporarilyUnavailable, "There is not enough memory to hash a password.", retryAfter: 5)
        }
        return hash
    }
}
