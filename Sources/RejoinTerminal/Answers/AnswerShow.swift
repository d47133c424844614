import RejoinClient
import RejoinCore

/// Shows one answer to its end, minding Ctrl-C, a closed output and a server that goes away.
struct AnswerShow: Sendable {
    /// How showing it came to an end.
    enum Outcome: Sendable {
        case ended(Answer, Event.End)
        /// The server refused, or stayed away for too long.
        case failed(ClientError, isAdmitted: Bool)
        /// The person left without waiting for the end.
        case left
        /// Nobody reads the output any more; the answer was stopped.
        case outputClosed
    }

    let terminal: any Terminal
    let client: RejoinClient
    /// How an answer is drawn on a screen; nil writes its text as it comes.
    var ability: TerminalAbility?

    /// How long the end may take after a stop, before the person is let go.
    static let stopPatience = Duration.seconds(5)

    /// Shows the answer that `start` follows.
    ///
    /// - Parameters:
    ///   - answer: its id, for stopping it.
    ///   - interrupts: each Ctrl-C of the person; the first stops the answer, the second leaves.
    ///   - typedAhead: takes the lines that are typed meanwhile; among them `/stop` counts at once.
    func run(
        _ answer: AnswerID, interrupts: AsyncStream<Void>, typedAhead: TypedAhead? = nil,
        start: @escaping @Sendable () -> AnswerFollower
    ) async -> Outcome {
        let (stops, stop) = AsyncStream<Void>.makeStream()
        return await withTaskGroup(of: Outcome?.self) { group in
            group.addTask { await follow(answer, start) }
            group.addTask {
                var count = 0
                for await _ in interrupts {
                    count += 1
                    if count > 1 { return .left }
                    stop.yield()
                }
                return nil
            }
            group.addTask {
                for await _ in stops { return await stopAndWait(answer) }
                return nil
            }
            if let typedAhead {
                group.addTask {
                    await typedAhead.collect(from: terminal) { stop.yield() }
                    return nil
                }
            }
            defer { group.cancelAll() }
            for await outcome in group { if let outcome { return outcome } }
            return .left
        }
    }

    private func follow(_ id: AnswerID, _ start: @Sendable () -> AnswerFollower) async -> Outcome? {
        let follower = start()
        let printer = AnswerPrinter(terminal: terminal, ability: ability)
        do {
            do {
                try await printer.begin(with: follower.answer)
                while let update = try await follower.next() {
                    try await printer.show(update, isAdmitted: follower.isAdmitted)
                }
                try await printer.finish()
            } catch let error as ClientError {
                try await printer.finish()
                await printer.notice(Wording.error(error, from: client.address))
                return .failed(error, isAdmitted: follower.isAdmitted)
            }
            // `next()` gives nil after the end alone.
            guard let end = follower.answer.state.end else { return .left }
            if let words = Wording.end(end) { await printer.notice(words) }
            return .ended(follower.answer, end)
        } catch is OutputClosed {
            follower.close()
            await bounded(by: .seconds(2)) { try await client.stop(id) }
            return .outputClosed
        } catch {
            // Cancelled: somebody else has decided how this ends.
            return nil
        }
    }

    /// Tells the server to stop until it has heard, and gives up when no end follows.
    private func stopAndWait(_ answer: AnswerID) async -> Outcome? {
        let isTold = await bounded(by: Self.stopPatience) {
            while true {
                do {
                    try await client.stop(answer)
                    return
                } catch {
                    // Not there yet, or the line is down: the request that creates it may still be under way.
                    try await client.clock.sleep(for: .milliseconds(200))
                }
            }
        }
        if isTold { try? await client.clock.sleep(for: Self.stopPatience) }
        if Task.isCancelled { return nil }
        await terminal.writeError("\nrejoin: the server did not confirm the stop; it may still be answering\n")
        return .left
    }

    /// Works for so long and no longer.
    ///
    /// - Returns: whether the work was done.
    @discardableResult
    private func bounded(by limit: Duration, _ work: @escaping @Sendable () async throws -> Void) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do { try await work() } catch { return false }
                return true
            }
            group.addTask {
                try? await client.clock.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
