import RejoinCore

/// Listens to the account's change feed, over as many connections as that takes.
///
/// It is pulled, as ``AnswerFollower`` is. A change says that something is different, not what it is now: its reader
/// fetches. One task at a time may pull.
public final class ChangeFollower {
    /// What one pull gives.
    public enum Update: Sendable {
        /// The line is open: for the first time, or again.
        case connected
        /// Changes, oldest first; never empty, none twice.
        case changes([Change])
        /// The line is down; the next pull waits for `delay` and tries again.
        case waiting(delay: Duration, attempt: Int, error: ClientError)
    }

    /// The number of the newest change that came.
    public private(set) var cursor: Int

    private let client: RejoinClient
    private let policy: RetryPolicy
    private var line: Line?
    private var parser = EventStreamParser()
    private var delay: Duration?
    private var retries: Retries

    init(after cursor: Int, client: RejoinClient, policy: RetryPolicy) {
        self.cursor = cursor
        self.client = client
        self.policy = policy
        retries = Retries(policy)
    }

    deinit { line?.close() }

    /// Lets go of the connection.
    public func close() {
        line?.close()
        line = nil
    }

    /// Waits for what comes next.
    ///
    /// - Throws: ``ClientError`` when the server refuses: `cursor-expired` when the feed no longer reaches back that
    ///   far, `unauthenticated` when this device was signed out; `CancellationError`.
    public func next() async throws -> Update {
        while true {
            try Task.checkCancellation()
            do {
                guard let line else {
                    try await connect()
                    return .connected
                }
                guard let bytes = try await line.next() else {
                    throw ClientError(.dropped, "the feed ended")
                }
                if line.age > .seconds(5) { retries.noteProgress() }
                let changes = try take(bytes)
                if !changes.isEmpty {
                    retries.noteProgress()
                    return .changes(changes)
                }
            } catch let error as ClientError {
                close()
                return try wait(after: error)
            }
        }
    }

    private func connect() async throws {
        if let delay {
            self.delay = nil
            try await client.clock.sleep(for: delay)
        }
        let request = client.request("GET", "/v1/changes?after=\(cursor)", accept: "text/event-stream")
        line = try await client.openEvents(request, silenceLimit: policy.silenceLimit)
        parser = EventStreamParser()
    }

    private func take(_ bytes: ArraySlice<UInt8>) throws -> [Change] {
        var changes: [Change] = []
        parser.feed(bytes) { event in
            // A change of no known shape still has its number, and is passed over.
            guard let change = (try? JSONReader.parse(event.data)).flatMap(Change.init), change.cursor > cursor else {
                return
            }
            cursor = change.cursor
            changes.append(change)
        }
        if parser.isOverflowing { throw ClientError(.malformedReply, "a change without an end") }
        return changes
    }

    private func wait(after error: ClientError) throws -> Update {
        let delay = try retries.delay(after: error, client: client)
        self.delay = delay
        return .waiting(delay: delay, attempt: retries.attempts, error: error)
    }
}
