/// Which addresses a client opens connections to.
///
/// The rule is asked with the very address of each connection, after names were resolved: a name that resolves to
/// something else the second time gains nothing by it.
package struct Reach: Sendable {
    private let permits: @Sendable (InternetAddress) -> Bool

    /// Decides by a rule of one's own.
    package init(_ permits: @escaping @Sendable (InternetAddress) -> Bool) { self.permits = permits }

    /// Those that the whole internet can reach: for what a person, a model or another server named.
    package static let publicInternet = Reach { $0.isPublic }

    /// Whether a connection to the address may be opened.
    package func permits(_ address: InternetAddress) -> Bool { permits(address) }
}
