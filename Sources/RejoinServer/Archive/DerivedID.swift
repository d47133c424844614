import Crypto
import RejoinCore

/// Makes ids of other products' names, the same every time: so a second import finds what the first one added.
struct DerivedIDs {
    private let prefix: [UInt8]

    /// - Parameters:
    ///   - account: whose they are: two accounts that import one file get ids of their own.
    ///   - space: what keeps equal names of different products, or of a second life after a deletion, apart.
    init(account: AccountID, space: String) {
        prefix = account.bytes + Array(space.utf8) + [0]
    }

    /// The id of a thing: a UUID of version 8, made of a hash.
    func id<Kind>(_ kind: String, _ name: String...) -> ID<Kind> {
        var bytes = prefix + Array(kind.utf8)
        for part in name { bytes += [0] + Array(part.utf8) }
        let hash = Digest.blake2b(bytes)
        let high = hash[0..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let low = hash[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return ID(high: high & ~0xF000 | 0x8000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }
}

extension ConversationContents {
    /// The same conversation under other ids.
    func renamed(by ids: DerivedIDs) -> ConversationContents {
        var renamed = self
        let conversation: ConversationID = ids.id("conversation", self.conversation.id.description)
        func answer(_ id: AnswerID) -> AnswerID { ids.id("answer", id.description) }
        func turn(_ id: TurnID) -> TurnID { ids.id("turn", id.description) }
        renamed.conversation.id = conversation
        renamed.conversation.selected = self.conversation.selected.map(answer)
        for index in turns.indices {
            renamed.turns[index].id = turn(turns[index].id)
            renamed.turns[index].conversation = conversation
            renamed.turns[index].parent = turns[index].parent.map(answer)
        }
        for index in answers.indices {
            renamed.answers[index].id = answer(answers[index].id)
            renamed.answers[index].turn = turn(answers[index].turn)
            renamed.answers[index].conversation = conversation
        }
        return renamed
    }
}
