/// A conversation with everything in it.
package struct ConversationContents: Equatable, Sendable {
    package var conversation: ConversationRecord
    package var turns: [TurnRecord]
    package var answers: [AnswerRecord]

    package init(conversation: ConversationRecord, turns: [TurnRecord], answers: [AnswerRecord]) {
        self.conversation = conversation
        self.turns = turns
        self.answers = answers
    }
}
