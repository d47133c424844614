/// What the operator decided about who comes in.
package struct PeoplePolicy: Sendable {
    package var registration: Configuration.Registration
    package var trustedProxies: TrustedProxies

    package init(
        registration: Configuration.Registration = .closed, trustedProxies: TrustedProxies = TrustedProxies()
    ) {
        self.registration = registration
        self.trustedProxies = trustedProxies
    }
}
