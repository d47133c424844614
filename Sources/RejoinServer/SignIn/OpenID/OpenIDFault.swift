/// Why a sign-in with a provider did not go through; a closed list, for the log: it names no person.
enum OpenIDFault: String, Error, CaseIterable {
    /// The provider could not be reached, or answered with a refusal.
    case unreachable
    /// It answered with something that is not what the standard says.
    case malformed
    /// It says that it is another provider.
    case issuer
    /// The browser that comes back is not the one that was sent, or took too long.
    case state
    /// The person said no there.
    case denied
    /// The provider's reply to the browser was an error.
    case refused
    case algorithm
    /// No key of the provider's fits.
    case key
    case signature
    case audience
    case expired
    /// The token says that it was made later than now.
    case notYet
    case nonce
    case subject
}
