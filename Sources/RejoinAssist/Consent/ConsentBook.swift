/// The consents themselves, and who wants to hear of changes: what every ledger has in common.
struct ConsentBook {
    private(set) var grants: [ConsentGrant] = []
    private var generation = 0
    private var listeners: [Int: AsyncStream<ConsentChange>.Continuation] = [:]
    private var nextListener = 0

    func status(for request: ConsentRequest) -> ConsentStatus {
        var otherVersion: Int?
        for grant in grants where grant.request.recipient == request.recipient && grant.request.data == request.data {
            if grant.request.disclosureVersion == request.disclosureVersion { return .granted(at: grant.time) }
            otherVersion = grant.request.disclosureVersion
        }
        if let otherVersion { return .outdated(version: otherVersion) }
        return .missing
    }

    /// The consents with one more, which takes the place of one to another version of the same text.
    static func adding(_ grant: ConsentGrant, to grants: [ConsentGrant]) -> [ConsentGrant] {
        grants.filter { $0.request.recipient != grant.request.recipient || $0.request.data != grant.request.data }
            + [grant]
    }

    mutating func replace(with new: [ConsentGrant]) {
        guard new != grants else { return }
        grants = new
        generation += 1
        for listener in listeners.values { listener.yield(ConsentChange(generation: generation)) }
    }

    /// Takes a listener in; `remove` is called with its number when it has gone.
    mutating func listen(remove: @escaping @Sendable (Int) -> Void) -> AsyncStream<ConsentChange> {
        // Only the newest change counts: whoever hears of it asks the ledger.
        let (stream, continuation) = AsyncStream.makeStream(
            of: ConsentChange.self, bufferingPolicy: .bufferingNewest(1))
        let number = nextListener
        nextListener += 1
        listeners[number] = continuation
        continuation.onTermination = { _ in remove(number) }
        return stream
    }

    mutating func forget(_ listener: Int) { listeners[listener] = nil }

    var listenerCount: Int { listeners.count }
}
