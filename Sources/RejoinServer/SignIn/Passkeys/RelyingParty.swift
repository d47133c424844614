/// Who a passkey is made for: the browser binds it to the id, and tells from which origin it was used.
package struct RelyingParty: Equatable, Sendable {
    /// A host's name, such as `chat.example`.
    package var id: String
    /// The page's scheme, host and port, such as `https://chat.example`.
    package var origin: String

    package init(id: String, origin: String) {
        self.id = id
        self.origin = origin
    }
}
