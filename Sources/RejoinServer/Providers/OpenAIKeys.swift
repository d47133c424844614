import Synchronization

/// The key of a server, read again when the server no longer takes it: once for all calls that were refused with it.
final class OpenAIKeys: Sendable {
    /// A key and which reading of it this is.
    struct Key: Sendable {
        var value: String?
        var reading: Int
    }

    private let read: @Sendable () -> String?
    private let current = Mutex<Key?>(nil)

    init(_ read: @escaping @Sendable () -> String?) { self.read = read }

    /// The key as last read.
    func key() -> Key {
        current.withLock { current in
            if let current { return current }
            let key = Key(value: read(), reading: 0)
            current = key
            return key
        }
    }

    /// Reads the key again, unless that has been done since `refused` was read.
    func key(after refused: Key) -> Key {
        current.withLock { current in
            if let current, current.reading > refused.reading { return current }
            let key = Key(value: read(), reading: refused.reading + 1)
            current = key
            return key
        }
    }
}
