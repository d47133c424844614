internal import CSodium

/// The library, made ready once.
enum Sodium {
    /// Whether the library is ready; it chooses its implementations and opens the random source the first time.
    private static let isReady: Bool = sodium_init() >= 0

    /// Makes the library ready, or stops: without a random source nothing that follows would be safe.
    static func prepare() { precondition(isReady, "libsodium found no random source") }
}
