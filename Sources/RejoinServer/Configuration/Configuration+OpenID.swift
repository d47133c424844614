extension Configuration {
    /// A provider of OpenID Connect that people may sign in with.
    package struct OpenID: Sendable, Equatable {
        /// Who gets in.
        package enum Accounts: String, Sendable, CaseIterable {
            /// Who has linked the identity to an account before.
            case existing
            /// Anybody whom the provider lets in; an account is made the first time.
            case create
        }

        /// The provider's address, exactly as it writes it itself.
        package var issuer = ""
        /// What the provider calls this server.
        package var clientID = ""
        /// Nil for a client that the provider knows by its address alone.
        package var clientSecret: Secret?
        /// What the page's button says.
        package var name = ""
        package var accounts = Accounts.existing

        package init() {}
    }
}
