package import RejoinCore
import Synchronization

/// Asks a model for a title after a conversation's first answer: a side call that can fail, hang or talk nonsense
/// without touching the turn. One at a time, only while the model has nothing better to do, and never for long.
package final class TitleMaker: Sendable {
    private struct Job: Sendable {
        let conversation: ConversationID
        let account: AccountID
        let prompt: String
        let reply: String
    }

    private let store: any Store
    private let provider: (any ModelProvider)?
    private let isBusy: @Sendable () -> Bool
    private let surroundings: Surroundings
    private let jobs: AsyncStream<Job>
    private let submit: AsyncStream<Job>.Continuation

    /// How long a title may take before the first words stay.
    package static let patience = Duration.seconds(20)

    /// - Parameters:
    ///   - provider: the model that makes titles; nil leaves it to the first words.
    ///   - isBusy: whether that model has turns to answer.
    package init(
        store: any Store, provider: (any ModelProvider)?, surroundings: Surroundings,
        isBusy: @escaping @Sendable () -> Bool
    ) {
        self.store = store
        self.provider = provider
        self.surroundings = surroundings
        self.isBusy = isBusy
        // Titles are a courtesy: when many are asked for at once, the oldest requests lapse.
        (jobs, submit) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    /// Gives a new conversation the first words of its prompt for a title.
    package func name(_ conversation: ConversationID, of account: AccountID, by prompt: [ContentPart]) async {
        let words = Title.firstWords(of: ContentPart.text(of: prompt))
        guard !words.isEmpty else { return }
        _ = try? await store.setTitle(
            words, source: .firstWords, of: conversation, account: account, now: surroundings.wall())
    }

    /// Asks for a better title once the first answer is there.
    package func improve(_ conversation: ConversationID, of account: AccountID, prompt: String, reply: String) {
        guard provider != nil else { return }
        submit.yield(
            Job(
                conversation: conversation, account: account, prompt: String(prompt.prefix(1500)),
                reply: String(reply.prefix(500))))
    }

    /// Works until the task is cancelled.
    package func run() async {
        for await job in jobs {
            guard let provider, await hasLeisure() else { continue }
            let title = await title(job, provider)
            guard let title, !Task.isCancelled else { continue }
            _ = try? await store.setTitle(
                title, source: .model, of: job.conversation, account: job.account, now: surroundings.wall())
        }
    }

    private func hasLeisure() async -> Bool {
        for _ in 0..<60 {
            if !isBusy() { return true }
            do { try await surroundings.sleep(.seconds(1)) } catch { return false }
        }
        return false
    }

    private func title(_ job: Job, _ provider: any ModelProvider) async -> String? {
        let request = ModelRequest(
            messages: [
                ModelMessage(.system, "You name conversations. Reply with a title of three to six words and nothing else."),
                ModelMessage(.user, "\(job.prompt)\n\n---\n\(job.reply)\n---\nA short title for this conversation:"),
            ],
            maximumOutputTokens: 24, temperature: 0)
        guard await provider.fit(request) == .fits else { return nil }
        return await withTaskGroup(of: String?.self) { group in
            group.addTask {
                let said = Mutex("")
                let end = await provider.generate(request) { piece in
                    if case .text(let text) = piece { said.withLock { $0 += text } }
                }
                guard case .finished = end else { return nil }
                return Title.cleaned(said.withLock { $0 })
            }
            group.addTask { [surroundings] in
                try? await surroundings.sleep(Self.patience)
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
    }
}
