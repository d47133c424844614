/// The last door before data leaves the device: it opens on a consent that stands at that moment.
///
/// Everything that sends passes here, queued work too; so a consent that is taken back stops what has not been sent,
/// and cancels what is being sent.
public struct ConsentGate: Sendable {
    private let ledger: any ConsentLedger

    /// Stands before a ledger.
    public init(_ ledger: any ConsentLedger) {
        self.ledger = ledger
    }

    /// Sends, if the person's consent stands now, and for as long as it does.
    ///
    /// - Throws: ``ConsentWithdrawn`` if there is no consent, or it is taken back before `send` returns; else what
    ///   `send` throws.
    public func pass<Reply: Sendable>(
        _ request: ConsentRequest, sending send: @escaping @Sendable () async throws -> Reply
    ) async throws -> Reply {
        // Listening comes before looking, so that no change falls between the two.
        let changes = await ledger.changes()
        guard await ledger.status(for: request).isGranted else { throw ConsentWithdrawn(request: request) }
        return try await withThrowingTaskGroup(of: Reply?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await send() }
            group.addTask { [ledger] in
                for await _ in changes where await !ledger.status(for: request).isGranted {
                    throw ConsentWithdrawn(request: request)
                }
                return nil
            }
            while let result = try await group.next() {
                if let reply = result { return reply }
            }
            throw CancellationError()
        }
    }
}

/// That data was not sent, or not to the end, because there is no consent to it.
public struct ConsentWithdrawn: Error, Sendable, Hashable {
    /// What would have to be consented to.
    public let request: ConsentRequest
}
