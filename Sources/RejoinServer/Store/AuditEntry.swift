package import RejoinCore

/// One line of what happened to an account, for its person to read: no word of a conversation is in it.
package struct AuditEntry: Equatable, Sendable {
    /// What happened.
    package enum Event: String, Sendable, CaseIterable {
        case signedIn = "signed-in"
        case signedOut = "signed-out"
        case consentChanged = "consent-changed"
        case planChanged = "plan-changed"
        case conversationDeleted = "conversation-deleted"
        case allDeleted = "all-deleted"
        case memoryEmptied = "memory-emptied"
        case passwordChanged = "password-changed"
        case roleChanged = "role-changed"
        case passkeyAdded = "passkey-added"
        case passkeyRemoved = "passkey-removed"
        case identityLinked = "identity-linked"
        case identityUnlinked = "identity-unlinked"
    }

    /// Counts from 1 for each account.
    package var number: Int
    package var at: Timestamp
    package var event: Event
    /// The device's or the passkey's name, the decision, the plan, the role or the provider.
    package var detail: String?

    package init(number: Int, at: Timestamp, event: Event, detail: String?) {
        self.number = number
        self.at = at
        self.event = event
        self.detail = detail
    }

    /// How many lines of an account are kept; the oldest go first.
    package static let kept = 1000
}
