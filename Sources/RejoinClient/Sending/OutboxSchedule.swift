import RejoinCore

/// Which entry of the outbox may go out next.
///
/// The order is that of the person's acts, with one exception: a prompt waits until the answer that it continues is
/// whole, and only what builds on that prompt waits with it. A stop must overtake such a prompt. What asks for a path
/// waits until nothing is left that chooses one, since the answer would count for nothing.
enum OutboxSchedule {
    /// The first entry that nothing holds back, or nil.
    ///
    /// - Parameters:
    ///   - entries: all there are, in order.
    ///   - parent: the answer that a turn continues, if any.
    ///   - isRunning: whether an answer is still being written.
    static func next(
        _ entries: [OutboxEntry], parent: (TurnID) -> AnswerID?, isRunning: (AnswerID) -> Bool
    ) -> OutboxEntry? {
        var heldTurns: Set<TurnID> = []
        var heldAnswers: Set<AnswerID> = []
        var heldConversations: Set<ConversationID> = []
        for entry in entries {
            defer { if entry.kind.choosesPath, let held = entry.conversation { heldConversations.insert(held) } }
            switch entry.kind {
            case .turn(let turn, let answer):
                guard let parent = parent(turn) else { return entry }
                guard heldAnswers.contains(parent) || isRunning(parent) else { return entry }
                heldTurns.insert(turn)
                heldAnswers.insert(answer)
            case .regenerate(let turn, let answer):
                guard heldTurns.contains(turn) else { return entry }
                heldAnswers.insert(answer)
            case .stop(let answer), .select(let answer):
                guard heldAnswers.contains(answer) else { return entry }
            case .askForPath:
                guard let conversation = entry.conversation, heldConversations.contains(conversation) else {
                    return entry
                }
            case .rename, .pin, .archive, .delete: return entry
            case .deleteAll: return entry
            }
        }
        return nil
    }
}
