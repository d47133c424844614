package import RejoinCore

/// Asks a model for a title after a conversation's first answer: a side call that can fail, hang or talk nonsense
/// without touching the turn.
///
/// One at a time, only while the model has nothing better to do, and never for long.
package final class TitleMaker: Sendable {
    private struct Job: Sendable {
        let conversation: ConversationID
        let account: AccountID
        let turn: TurnID
        let answer: AnswerID
        let reply: String
    }

    private let store: any Store
    private let provider: (any ModelProvider)?
    private let surroundings: Surroundings
    private let switches: KillSwitches
    private let jobs: AsyncStream<Job>
    private let submit: AsyncStream<Job>.Continuation

    /// How long a title may take before the first words stay.
    package static let patience = Duration.seconds(20)

    /// - Parameter provider: the model that makes titles; nil leaves it to the first words.
    package init(
        store: any Store, provider: (any ModelProvider)?, surroundings: Surroundings,
        switches: KillSwitches = KillSwitches()
    ) {
        self.switches = switches
        self.store = store
        self.provider = provider
        self.surroundings = surroundings
        // Titles are a courtesy: when many are asked for at once, the oldest requests lapse.
        (jobs, submit) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    /// Asks for a better title when a conversation's first answer is there.
    package func answered(_ record: AnswerRecord, _ answer: Answer) {
        guard provider != nil, answer.state.end?.state == .done, RunOptions(stored: record.options).context.isEmpty
        else {
            return
        }
        submit.yield(
            Job(
                conversation: record.conversation, account: record.account, turn: record.turn,
                answer: record.id, reply: String(answer.text.prefix(500))))
    }

    /// Works until the task is cancelled.
    ///
    /// - Parameter isBusy: whether the model has turns to answer, which go first.
    package func run(isBusy: @Sendable () -> Bool) async {
        let sideCall = SideCall(surroundings: surroundings)
        for await job in jobs {
            guard let provider, let prompt = await prompt(of: job), await sideCall.hasLeisure(isBusy),
                let title = await title(prompt, job, provider), !Task.isCancelled
            else { continue }
            _ = try? await store.setTitle(
                title, source: .model, of: job.conversation, account: job.account, now: surroundings.wall())
        }
    }

    /// The prompt of a conversation's first turn; nil for any other turn.
    private func prompt(of job: Job) async -> String? {
        guard case .found(let turn)? = try? await store.turn(job.turn, of: job.account), turn.parent == nil,
            case .found(let conversation)? = try? await store.conversation(job.conversation, of: job.account),
            conversation.titleSource == .firstWords
        else { return nil }
        return String(ContentPart.text(of: turn.content).prefix(1500))
    }

    private func title(_ prompt: String, _ job: Job, _ provider: any ModelProvider) async -> String? {
        let request = ModelRequest(
            messages: [
                ModelMessage(
                    .system, "You name conversations. Reply with a title of three to six words and nothing else."),
                ModelMessage(.user, "\(prompt)\n\n---\n\(job.reply)\n---\nA short title for this conversation:"),
            ],
            maximumOutputTokens: 24, temperature: 0)
        guard await provider.fit(request) == .fits, !switches.isOff(.titles), !switches.isOff(model: provider.name)
        else { return nil }
        let bytes = request.messages.reduce(0) { $0 + $1.text.utf8.count }
        // Said before it is done: what leaves unsaid cannot be called back.
        let sending = Sending(.title, model: provider.name, placement: provider.placement, bytes: bytes)
        do { try await store.noteSending(sending, of: job.answer) } catch { return nil }
        return await SideCall(surroundings: surroundings).text(request, of: provider, within: Self.patience)
            .flatMap(Title.cleaned)
    }
}
