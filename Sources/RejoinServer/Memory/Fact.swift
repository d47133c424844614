internal import Crypto
package import RejoinCore

/// One thing about a person that is remembered, or that a model has proposed to remember.
package struct Fact: Equatable, Sendable {
    /// Whose words it is in.
    package enum Source: String, Sendable, CaseIterable {
        /// A model read it out of a prompt; it is used once the person has accepted it.
        case model
        /// The person wrote it, or changed what a model had written.
        case person
    }

    /// The turn that it was read out of.
    package struct Origin: Equatable, Sendable {
        package var conversation: ConversationID
        package var turn: TurnID

        package init(conversation: ConversationID, turn: TurnID) {
            self.conversation = conversation
            self.turn = turn
        }
    }

    package var id: FactID
    /// One line, as ``FactText`` makes it.
    package var text: String
    package var source: Source
    /// Whether the person wants it remembered; until then it is a proposal and no model is given it.
    package var isAccepted: Bool
    /// Nil for what the person wrote by themselves, and once the conversation is deleted.
    package var origin: Origin?
    package var createdAt: Timestamp
    package var updatedAt: Timestamp

    package init(
        id: FactID, text: String, source: Source, isAccepted: Bool, origin: Origin? = nil, createdAt: Timestamp,
        updatedAt: Timestamp
    ) {
        self.id = id
        self.text = text
        self.source = source
        self.isAccepted = isAccepted
        self.origin = origin
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// What makes two facts the same: equal words, whatever their case and the signs between them.
    ///
    /// A hash, so that what was deleted can be known again without being kept.
    package var key: [UInt8] { Self.key(ofText: text) }

    package static func key(ofText text: String) -> [UInt8] {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        return Array(Digest.blake2b(Array(words.joined(separator: " ").utf8)).prefix(16))
    }

    /// How many facts of an account are kept, proposals included.
    package static let mostKept = 500
    /// How many facts a model is given at once.
    package static let mostGiven = 40
    /// How many bytes of facts a model is given at once.
    package static let mostBytesGiven = 4096

    /// The facts that a model is given, of all that were accepted, newest first.
    package static func given(_ newestFirst: some Sequence<Fact>) -> [Fact] {
        var given: [Fact] = []
        var bytes = 0
        for fact in newestFirst {
            bytes += fact.text.utf8.count
            guard given.count < mostGiven, bytes <= mostBytesGiven else { break }
            given.append(fact)
        }
        return given
    }
}

/// What adding a fact did.
package enum FactPut: Equatable, Sendable {
    case added(Fact)
    /// The same is known already, under this id or another.
    case known(Fact)
    /// The account's memory is off.
    case off
    /// The account has as many facts as are kept.
    case full
    /// The id is taken by something else.
    case taken
}

/// What changing a fact did.
package enum FactChange: Equatable, Sendable {
    case changed(Fact)
    /// It would say what another one says already.
    case known(Fact)
    case notFound
}

extension Fact {
    /// The fact as its person has changed it: other words make it theirs, and either change accepts it.
    package func changed(text: String?, accepts: Bool, now: Timestamp) -> Fact {
        var new = self
        if let text, text != self.text {
            new.text = text
            new.source = .person
        }
        if accepts || new.text != self.text { new.isAccepted = true }
        if new != self { new.updatedAt = max(updatedAt, now) }
        return new
    }
}
