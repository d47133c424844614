import RejoinCore

/// The ways in beside a name and a password, and what is offered of them.
package final class SignInWays: Sendable {
    /// Where people reach the server.
    let address: PublicAddress
    let passkeys: Passkeys
    /// Nil where no provider is configured.
    let openID: OpenIDSignIn?

    init(
        _ configuration: Configuration, store: any Store, accounts: Accounts, surroundings: Surroundings, logger: Logger
    ) {
        let address = PublicAddress(configuration.publicURL)
        self.address = address
        passkeys = Passkeys(store: store, accounts: accounts, address: address, surroundings: surroundings)
        openID = configuration.openID.map { provider in
            OpenIDSignIn(
                provider, store: store, accounts: accounts, address: address, surroundings: surroundings,
                logger: logger)
        }
    }
}
