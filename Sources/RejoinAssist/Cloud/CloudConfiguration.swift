/// How an app reaches its own server for assistance.
///
/// The client never speaks to a model's provider: there is an address of our server and a sign-in there, and no place
/// for anything else.
public struct CloudConfiguration: Sendable {
    /// The server's address, such as `https://rejoin.example.org`, without a slash at the end.
    public var server: String
    /// Who the server is, as the disclosure names it.
    public var recipient: Recipient
    /// The version of the disclosure that a consent must be to.
    public var disclosureVersion: Int
    /// The sign-in at that server.
    public var credentials: any CredentialSource
    /// What happens where a request cannot be attested.
    public var attestationPolicy: AttestationPolicy
    /// How often and how long a request is tried.
    public var retries: RetryBounds

    /// Names a server and a sign-in.
    public init(
        server: String, recipient: Recipient, disclosureVersion: Int, credentials: any CredentialSource,
        attestationPolicy: AttestationPolicy = .sendWithout,
        retries: RetryBounds = RetryBounds()
    ) {
        self.server = server
        self.recipient = recipient
        self.disclosureVersion = disclosureVersion
        self.credentials = credentials
        self.attestationPolicy = attestationPolicy
        self.retries = retries
    }
}

/// How often and how long one request is tried.
public struct RetryBounds: Sendable, Hashable {
    /// The most times that a request is sent, the first and the one after a refreshed sign-in included.
    public var attempts: Int
    /// The wait before the second time where the server names none; it doubles from there.
    public var firstWait: Duration
    /// The longest of all waits together; a server that wants more is `busy`.
    public var totalWait: Duration

    /// Bounds tries.
    public init(attempts: Int = 4, firstWait: Duration = .milliseconds(500), totalWait: Duration = .seconds(20)) {
        self.attempts = attempts
        self.firstWait = firstWait
        self.totalWait = totalWait
    }
}
