/// Where the sign-in at our server comes from: the one credential that the client ever holds.
///
/// There is no place for a provider's key anywhere in the client: that stays at the server.
public protocol CredentialSource: Sendable {
    /// The credential that counts now; nil where nobody is signed in.
    func credential() async -> Credential?

    /// Gets a new credential after the server did not take the old one; nil where that is not possible.
    ///
    /// It is called once for a credential, however many requests were refused with it.
    func refresh(_ refused: Credential) async -> Credential?
}

/// A token of our own server for one device of one account; it never appears in a description.
public struct Credential: Sendable, Hashable {
    let token: String

    /// Keeps a token.
    public init(token: String) { self.token = token }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "Credential" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
