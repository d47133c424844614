import Synchronization

/// A record of consents that is gone with the process; for tests, and for apps that ask every time.
public final class MemoryConsentLedger: ConsentLedger {
    private let book = Mutex(ConsentBook())

    /// Starts with the given consents, or with none.
    public init(_ grants: [ConsentGrant] = []) {
        book.withLock { book in
            book.replace(with: grants.reduce([]) { ConsentBook.adding($1, to: $0) })
        }
    }

    public func status(for request: ConsentRequest) async -> ConsentStatus {
        book.withLock { $0.status(for: request) }
    }

    public func grants() async -> [ConsentGrant] { book.withLock { $0.grants } }

    public func record(_ grant: ConsentGrant) async {
        book.withLock { $0.replace(with: ConsentBook.adding(grant, to: $0.grants)) }
    }

    public func revoke(_ recipient: Recipient) async {
        book.withLock { book in book.replace(with: book.grants.filter { $0.request.recipient != recipient }) }
    }

    public func revokeAll() async { book.withLock { $0.replace(with: []) } }

    public func changes() async -> AsyncStream<ConsentChange> {
        book.withLock { book in
            book.listen { [weak self] number in self?.book.withLock { $0.forget(number) } }
        }
    }

    /// How many listeners there are, for tests that nobody is forgotten.
    var listenerCount: Int { book.withLock { $0.listenerCount } }
}
