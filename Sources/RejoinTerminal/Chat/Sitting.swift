import RejoinClient
import RejoinCore

/// The conversation on the screen with its composer, for as long as it is there.
@MainActor final class Sitting {
    /// Counts up, to tell what belongs to one that was left.
    let number: Int
    let conversation: ConversationModel
    let composer: ComposerModel
    /// Whether the store was read, so that there is something to show in place of what was there before.
    var isRead = false
    /// The words that composer and screen last agreed on.
    var agreed = ""
    /// The answers that are watched.
    var watched: [AnswerID: AnswerModel] = [:]
    /// Whether the prompts that were there are in the history.
    var hasHistory = false
    private var task: Task<Void, Never>?

    init(number: Int, client: ConversationClient, conversation: ConversationID?, model: String) {
        self.number = number
        self.conversation = ConversationModel(client: client, conversation: conversation)
        composer = ComposerModel(self.conversation)
        composer.model = model
    }

    /// Keeps both in step until ``close()``.
    ///
    /// - Parameter read: called when the store was read for the first time.
    func begin(_ read: @escaping @MainActor @Sendable () -> Void) {
        let (conversation, composer) = (conversation, composer)
        // Owned by the program, which closes each sitting before its own end.
        task = Task {
            await conversation.reload()
            read()
            await withDiscardingTaskGroup { group in
                group.addTask { await conversation.run() }
                group.addTask { await composer.run() }
            }
        }
    }

    /// Keeps what is written, and leaves the conversation: of a temporary one nothing stays.
    func close() async {
        task?.cancel()
        await task?.value
        guard conversation.line?.isTemporary == true, let id = conversation.id else { return }
        try? await conversation.client.leave(id)
    }

    /// The exchange with an answer.
    func exchange(with answer: AnswerID) -> Exchange? {
        // What is asked for is nearly always the last.
        conversation.exchanges.last { $0.answer.id == answer }
    }
}
