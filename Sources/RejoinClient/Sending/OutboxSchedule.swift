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
    ///   - isBeingMade: whether this device still makes an answer: it is told of once it is whole.
    static func next(
        _ entries: [OutboxEntry], parent: (TurnID) -> AnswerID?, isRunning: (AnswerID) -> Bool,
        isBeingMade: (AnswerID) -> Bool = { _ in false }
    ) -> OutboxEntry? {
        var heldTurns: Set<TurnID> = []
        var heldAnswers: Set<AnswerID> = []
        var heldConversations: Set<ConversationID> = []
        var unknownConversations: Set<ConversationID> = []
        for entry in entries {
            defer { if entry.kind.choosesPath, let held = entry.conversation { heldConversations.insert(held) } }
            switch entry.kind {
            case .turn(let turn, let answer):
                let parent = parent(turn)
                let follows = parent.map { heldAnswers.contains($0) || isRunning($0) } ?? false
                let isHeld = isBeingMade(answer)
                guard follows || isHeld else { return entry }
                heldTurns.insert(turn)
                heldAnswers.insert(answer)
                // The server may hear of the conversation with this turn alone.
                if isHeld, let held = entry.conversation { unknownConversations.insert(held) }
            case .regenerate(let turn, let answer):
                guard heldTurns.contains(turn) else { return entry }
                heldAnswers.insert(answer)
            case .stop(let answer), .select(let answer):
                guard heldAnswers.contains(answer) else { return entry }
            case .askForPath:
                guard let conversation = entry.conversation, heldConversations.contains(conversation) else {
                    return entry
                }
            case .rename, .pin, .archive:
                if let held = entry.conversation, unknownConversations.contains(held) { continue }
                return entry
            case .delete, .deleteAll: return entry
            }
        }
        return nil
    }
}
