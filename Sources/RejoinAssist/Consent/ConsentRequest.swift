public import RejoinCore

/// What a person is asked to consent to: that this recipient gets this kind of data, as this text explains.
public struct ConsentRequest: Sendable, Hashable {
    /// Who would receive the data.
    public let recipient: Recipient
    /// What kind of data it is.
    public let data: DataClass
    /// The version of the text that the person is shown.
    public let disclosureVersion: Int

    /// Names a recipient, a kind of data and a text.
    public init(recipient: Recipient, data: DataClass, disclosureVersion: Int) {
        self.recipient = recipient
        self.data = data
        self.disclosureVersion = disclosureVersion
    }
}

/// A person's consent, and when it was given.
public struct ConsentGrant: Sendable, Hashable {
    /// What was consented to.
    public let request: ConsentRequest
    /// When.
    public let time: Timestamp

    /// Notes a consent.
    public init(_ request: ConsentRequest, at time: Timestamp) {
        self.request = request
        self.time = time
    }
}

/// What a ledger knows about a request for consent.
public enum ConsentStatus: Sendable, Hashable {
    /// Consented to, at this time.
    case granted(at: Timestamp)
    /// Consented to under another version of the text; the person has to be asked anew.
    case outdated(version: Int)
    /// Never consented to, or taken back.
    case missing
    /// The record cannot be read, so nothing counts as consented to.
    case unreadable

    /// Whether the data may leave.
    public var isGranted: Bool { if case .granted = self { true } else { false } }
}
