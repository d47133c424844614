package import RejoinCore

/// Reads facts out of prompts, for people who have said that some may be remembered, and proposes them.
///
/// A side call after the answer: it can fail, hang or talk nonsense without touching the turn, waits while the model has
/// answers to give, and costs the account nothing. It reads the person's words alone; what a model, a page or a file
/// said can propose nothing.
package final class MemoryMaker: Sendable {
    /// Which model is asked.
    package enum Choice: Equatable, Sendable {
        /// Nobody: only what a person writes by hand is remembered.
        case off
        /// The one that answered, which has read the prompt anyway.
        case answering
        case model(String)
    }

    private struct Job: Sendable {
        let record: AnswerRecord
        let model: String
    }

    private let store: any Store
    private let choice: Choice
    private let providers: [any ModelProvider]
    private let surroundings: Surroundings
    private let switches: KillSwitches
    private let jobs: AsyncStream<Job>
    private let submit: AsyncStream<Job>.Continuation

    /// How long a model may take to find facts.
    package static let patience = Duration.seconds(30)

    /// - Parameter providers: the models that there are.
    package init(
        store: any Store, choice: Choice, providers: [any ModelProvider], surroundings: Surroundings,
        switches: KillSwitches = KillSwitches()
    ) {
        self.store = store
        self.choice = choice
        self.providers = providers
        self.surroundings = surroundings
        self.switches = switches
        // Proposals are a courtesy: when many are asked for at once, the oldest requests lapse.
        (jobs, submit) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    /// Looks for facts in the prompt of an answer that is complete.
    package func answered(_ record: AnswerRecord, _ answer: Answer) {
        let wanted: String? =
            switch choice {
            case .off: nil
            case .answering: answer.model?.model
            case .model(let model): model
            }
        guard let model = wanted, answer.state.end?.state == .done,
            RunOptions(stored: record.options).context.isEmpty
        else { return }
        submit.yield(Job(record: record, model: model))
    }

    /// Works until the task is cancelled.
    ///
    /// - Parameter isBusy: whether a model has turns to answer, which go first.
    package func run(isBusy: @escaping @Sendable (String) -> Bool) async {
        let sideCall = SideCall(surroundings: surroundings)
        for await job in jobs {
            guard let provider = providers.first(where: { $0.name == job.model }), let prompt = await prompt(of: job),
                await sideCall.hasLeisure({ isBusy(job.model) }), await isWanted(by: job.record),
                !switches.isOff(.memory), !switches.isOff(model: provider.name)
            else { continue }
            let request = FactReader.request(about: prompt)
            let bytes = request.messages.reduce(0) { $0 + $1.text.utf8.count }
            guard await provider.fit(request) == .fits else { continue }
            do {
                // Said before it is done: what leaves unsaid cannot be called back.
                try await store.noteSending(
                    Sending(.memory, model: provider.name, placement: provider.placement, bytes: bytes),
                    of: job.record.id)
                guard let reply = await sideCall.text(request, of: provider, within: Self.patience) else { continue }
                try await propose(FactReader.facts(in: reply), from: job.record)
            } catch {
                continue
            }
        }
    }

    private func isWanted(by record: AnswerRecord) async -> Bool {
        (try? await store.remembers(record.conversation, of: record.account)) ?? false
    }

    /// The prompt of an answer, if facts may be read out of it: the consent came before it, and holds.
    private func prompt(of job: Job) async -> String? {
        guard await isWanted(by: job.record),
            case .found(let turn)? = try? await store.turn(job.record.turn, of: job.record.account),
            let consent = try? await store.consent(of: job.record.account),
            let since = consent.records.first(where: { $0.topic == .memory })?.at, since <= turn.createdAt
        else { return nil }
        return ContentPart.text(of: turn.content)
    }

    private func propose(_ texts: [String], from record: AnswerRecord) async throws {
        if texts.isEmpty { return }
        let now = surroundings.wall()
        let origin = Fact.Origin(conversation: record.conversation, turn: record.turn)
        let facts = texts.map {
            Fact(
                id: surroundings.makeID(), text: $0, source: .model, isAccepted: false, origin: origin, createdAt: now,
                updatedAt: now)
        }
        _ = try await store.proposeFacts(facts, of: record.account, now: now)
    }
}
