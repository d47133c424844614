import RejoinCore
import Synchronization

/// Remembers which answer a request without an id of its own led to, so that a client's retry does not run twice.
///
/// Stock clients send no key but say that they retry; an `Idempotency-Key` is honoured where one is sent. Entries last
/// ten minutes, longer than any such client goes on retrying.
struct RepeatedRequests: Sendable {
    private final class Entries: Sendable {
        let byKey = Mutex<[Key: Entry]>([:])
    }

    struct Key: Hashable, Sendable {
        let account: AccountID
        /// A hash of the body, or of the key that the client sent.
        let digest: [UInt8]
    }

    private struct Entry {
        let answer: AnswerID
        /// A hash of the body, to tell a key that is used for another request.
        let body: [UInt8]
        let expires: Duration
    }

    private let entries = Entries()
    private let surroundings: Surroundings

    init(surroundings: Surroundings) { self.surroundings = surroundings }

    private static let lifetime = Duration.seconds(600)

    /// The answer that the same request led to.
    ///
    /// - Throws: a ``Problem`` when the key was used with another body.
    func answer(_ key: Key, body: [UInt8]) throws(Problem) -> AnswerID? {
        let now = surroundings.monotonic()
        let entry = entries.byKey.withLock { $0[key] }
        guard let entry, entry.expires > now else { return nil }
        guard entry.body == body else { throw Problem(.conflict, "The Idempotency-Key was used for another request.") }
        return entry.answer
    }

    func remember(_ answer: AnswerID, _ key: Key, body: [UInt8]) {
        let now = surroundings.monotonic()
        entries.byKey.withLock { entries in
            if entries.count >= 4096 { entries = entries.filter { $0.value.expires > now } }
            entries[key] = Entry(answer: answer, body: body, expires: now + Self.lifetime)
        }
    }
}
