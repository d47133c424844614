/// Works on several answers at once in one context: every step evaluates a token of each, and a part of new prompts.
///
/// It lives on one thread, from the loading of the model to its end.
final class Engine {
    private let context: Context
    private let vocabulary: Vocabulary
    private let inbox: Inbox
    private let configuration: LocalModelConfiguration
    private let allThreads: Int
    private let batch: Batch
    private let clock = ContinuousClock()
    private var sequences: [Sequence]
    private var queue: [Run] = []
    private var tuner: ThreadTuner
    private var admissions = 0

    /// A part of the batch: which sequence, how many tokens, and the row that predicts its next.
    private struct Share {
        var place: Int
        var count: Int
        var row: Int32?
    }

    /// While others generate, a prompt is evaluated in small parts, so that their next tokens are not long in coming.
    private static let promptPartBesideOthers = 64
    /// Fewer tokens are evaluated as quickly as they are shared.
    private static let leastWorthSharing = 16

    /// - Throws: `notEnoughMemory`.
    init(
        _ weights: Weights, configuration: LocalModelConfiguration, threads: Int, inbox: Inbox
    ) throws(LocalModelError) {
        context = try Context(
            weights, configuration: configuration, threads: threads, interruption: inbox.interruption)
        vocabulary = Vocabulary(weights: weights)
        self.inbox = inbox
        self.configuration = configuration
        allThreads = threads
        batch = Batch(capacity: configuration.batch)
        sequences = (0..<configuration.sequences).map { Sequence(id: Int32(clamping: $0)) }
        tuner = ThreadTuner(most: configuration.adaptiveThreads ? threads : 1)
    }

    /// Works until it is asked to stop; blocks.
    func work() {
        while true {
            // Cleared before the runs are looked at: a cancellation that comes later interrupts the step after.
            inbox.interruption.clear()
            let (arrived, isStopping) = inbox.collect()
            queue += arrived
            dropCancelled()
            if isStopping { return endAll() }
            admitWaiting()
            if !step() { inbox.waitForBell() }
        }
    }

    // Coming and going.

    private func dropCancelled() {
        for place in sequences.indices where sequences[place].work?.run.isCancelled == true {
            end(place, .cancelled)
        }
        queue.removeAll { run in
            guard run.isCancelled else { return false }
            finish(run, .success(GenerationResult(reason: .cancelled, statistics: waited(run))))
            return true
        }
    }

    private func endAll() {
        for place in sequences.indices where sequences[place].work != nil { fail(place, .shutDown) }
        for run in queue { finish(run, .failure(LocalModelError(.shutDown))) }
        queue = []
    }

    private func admitWaiting() {
        while let run = queue.first, let place = freePlace(for: run.order.prompt) {
            queue.removeFirst()
            admit(run, to: place)
        }
    }

    /// The free place that remembers most of the prompt, or the one unused the longest.
    private func freePlace(for prompt: [Token]) -> Int? {
        let free = sequences.indices.filter { sequences[$0].work == nil }
        let best = free.max { sequences[$0].commonPrefix(with: prompt) < sequences[$1].commonPrefix(with: prompt) }
        // To continue a conversation is worth its memory; to have the same beginning as another one is not.
        if let best, 2 * sequences[best].commonPrefix(with: prompt) > sequences[best].remembered.count { return best }
        return free.min { sequences[$0].lastUse < sequences[$1].lastUse }
    }

    private func admit(_ run: Run, to place: Int) {
        let prompt = run.order.prompt
        guard !prompt.isEmpty, prompt.count < configuration.contextPerSequence else {
            return finish(run, .failure(LocalModelError(.contextTooLarge)))
        }
        let sampler: Sampler
        do throws(LocalModelError) {
            sampler = try Sampler(run.order.sampling, grammar: run.order.grammar, vocabulary: vocabulary)
        } catch {
            return finish(run, .failure(error))
        }
        admissions += 1
        sequences[place].lastUse = admissions
        run.begin()
        let kept = rememberPrefix(of: prompt, at: place)
        sequences[place].work = Work(run, sampler: sampler, reusedTokens: kept)
    }

    /// Keeps what the place remembers of the prompt, or takes more from another place; gives back how many tokens.
    private func rememberPrefix(of prompt: [Token], at place: Int) -> Int {
        // The last token is evaluated in any case: its row predicts the first of the answer.
        func prefix(_ place: Int) -> Int { min(sequences[place].commonPrefix(with: prompt), prompt.count - 1) }
        let id = sequences[place].id
        var kept = prefix(place)
        let donor = sequences.indices.max { prefix($0) < prefix($1) }
        if let donor, prefix(donor) > kept + Self.leastWorthSharing {
            kept = prefix(donor)
            context.forget(id, from: 0)
            context.share(kept, from: sequences[donor].id, to: id)
        }
        context.forget(id, from: kept)
        sequences[place].remembered = Array(prompt.prefix(kept))
        return kept
    }

    private func end(_ place: Int, _ reason: GenerationResult.Reason) {
        guard var work = sequences[place].work else { return }
        sequences[place].work = nil
        if reason != .stopText, reason != .cancelled { work.flush() }
        work.statistics.seconds = seconds(since: work.run.asked)
        finish(work.run, .success(GenerationResult(reason: reason, statistics: work.statistics)))
    }

    private func fail(_ place: Int, _ code: LocalModelError.Code) {
        guard let work = sequences[place].work else { return }
        sequences[place].work = nil
        context.forget(sequences[place].id, from: 0)
        sequences[place].remembered = []
        finish(work.run, .failure(LocalModelError(code)))
    }

    private func finish(_ run: Run, _ end: Result<GenerationResult, LocalModelError>) {
        inbox.release()
        run.finish(end)
    }

    // One step.

    /// Evaluates the next tokens of every answer that can go on; false if there is none.
    private func step() -> Bool {
        let shares = fillBatch()
        guard !shares.isEmpty else { return false }
        // A prompt's many tokens make waiting for each other cheap: it gets all threads in any case.
        let isGeneration = batch.count == shares.count
        let threads = isGeneration && configuration.adaptiveThreads ? tuner.threads : allThreads
        let start = clock.now
        let evaluation = context.evaluate(batch, threads: threads)
        switch evaluation {
        case .done:
            if isGeneration { tuner.note(seconds(since: start) / Double(shares.count)) }
            for share in shares { advance(share) }
        case .interrupted:
            // Nothing of this step counts; the cancelled answers leave before the next.
            for share in shares {
                context.forget(sequences[share.place].id, from: sequences[share.place].remembered.count)
            }
        case .failed:
            for share in shares { fail(share.place, .evaluationFailed) }
        }
        return true
    }

    private func fillBatch() -> [Share] {
        batch.clear()
        var shares: [Share] = []
        let ready = sequences.indices.filter { sequences[$0].work.map { !$0.run.isBehind } ?? false }
        let (generating, reading) = (
            ready.filter { sequences[$0].work?.isGenerating == true },
            ready.filter { sequences[$0].work?.isGenerating == false }
        )
        for place in generating { add(1, of: place, to: &shares) }
        let part = generating.isEmpty ? batch.room : Self.promptPartBesideOthers
        // In the order of admission: the first to come is the first to get its first token.
        for place in reading.sorted(by: { sequences[$0].lastUse < sequences[$1].lastUse }) {
            add(min(part, batch.room), of: place, to: &shares)
        }
        return shares
    }

    private func add(_ most: Int, of place: Int, to shares: inout [Share]) {
        guard let work = sequences[place].work else { return }
        let tokens = work.pending.prefix(min(most, batch.room))
        guard !tokens.isEmpty else { return }
        var share = Share(place: place, count: tokens.count, row: nil)
        for (index, token) in tokens.enumerated() {
            let isLast = index == work.pending.count - 1
            let row = batch.append(
                token, of: sequences[place].id, at: sequences[place].remembered.count + index, predicts: isLast)
            if isLast { share.row = row }
        }
        shares.append(share)
    }

    /// Remembers what was evaluated and, where the prompt is at its end, chooses the next token.
    private func advance(_ share: Share) {
        let place = share.place
        guard var work = sequences[place].work else { return }
        sequences[place].remembered += work.pending.prefix(share.count)
        work.pending = work.pending.dropFirst(share.count)
        guard let row = share.row else {
            sequences[place].work = work
            return
        }
        guard !work.run.isCancelled else { return }
        guard let token = work.sampler.next(after: row, in: context) else { return fail(place, .evaluationFailed) }
        if work.statistics.secondsToFirstToken == nil {
            work.statistics.secondsToFirstToken = seconds(since: work.run.asked)
        }
        let isEnd = vocabulary.endsAnswer(token)
        if !isEnd { work.statistics.outputTokens += 1 }
        let isStopped = !isEnd && work.write(vocabulary.bytes(of: token))
        work.pending = [token]
        let outputTokens = work.statistics.outputTokens
        sequences[place].work = work
        if isEnd {
            end(place, .complete)
        } else if isStopped {
            end(place, .stopText)
        } else if let most = work.run.order.maximumOutputTokens, outputTokens >= most {
            end(place, .outputLimit)
        } else if sequences[place].remembered.count + 1 >= configuration.contextPerSequence {
            end(place, .contextFull)
        }
    }

    private func waited(_ run: Run) -> GenerationStatistics {
        var statistics = GenerationStatistics()
        statistics.promptTokens = run.order.prompt.count
        statistics.seconds = seconds(since: run.asked)
        return statistics
    }

    private func seconds(since start: ContinuousClock.Instant) -> Double { start.duration(to: clock.now) / .seconds(1) }
}
