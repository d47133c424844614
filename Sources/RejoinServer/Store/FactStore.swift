package import RejoinCore

/// The part of a store that keeps what is remembered about people.
package protocol FactStore: Sendable {
    /// Everything of an account, proposals too, what was changed last first.
    func facts(of account: AccountID) async throws -> [Fact]
    func fact(_ id: FactID, of account: AccountID) async throws -> Fact?

    /// Whether a conversation takes part in its account's memory.
    ///
    /// Not while memory is off for the account or for the conversation, and never for a temporary one.
    func remembers(_ conversation: ConversationID, of account: AccountID) async throws -> Bool
    /// The facts that a model is given for an answer in a conversation, newest first; none where it takes no part.
    func recall(for conversation: ConversationID, of account: AccountID) async throws -> [Fact]

    /// Adds a fact that a person wrote, or one of their archive.
    ///
    /// - Parameter isAsked: whether the person asks for it now, which is refused while their memory is off; what an
    ///   archive holds is taken in any case, and what is here under its id stays as it is.
    func addFact(_ fact: Fact, of account: AccountID, isAsked: Bool, now: Timestamp) async throws -> FactPut
    /// Adds what a model proposes, as far as its conversation takes part and it is not known or declined already.
    ///
    /// - Returns: what was added.
    func proposeFacts(_ facts: [Fact], of account: AccountID, now: Timestamp) async throws -> [Fact]
    /// Changes a fact's words, or accepts it as it is; other words accept it too, and make it the person's.
    func changeFact(
        _ id: FactID, of account: AccountID, text: String?, accepts: Bool, now: Timestamp
    ) async throws -> FactChange
    /// Deletes a fact, so that it is not proposed again; false if the account has none of that id.
    func deleteFact(_ id: FactID, of account: AccountID, now: Timestamp) async throws -> Bool
    /// Deletes all facts of an account, and what it declined.
    ///
    /// - Returns: how many there were.
    func deleteFacts(of account: AccountID, now: Timestamp) async throws -> Int
}
