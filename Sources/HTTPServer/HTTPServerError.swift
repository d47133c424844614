/// What can go wrong between the server and its host, its port, or one client.
package struct HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong; more may be added.
    package struct Code: Sendable, Hashable {
        let name: String

        /// Another process listens on the port.
        package static let addressInUse = Code(name: "addressInUse")
        /// The host is no address of this machine.
        package static let addressUnavailable = Code(name: "addressUnavailable")
        /// The port is reserved for others.
        package static let permissionDenied = Code(name: "permissionDenied")
        /// The system refused something else that starting needs.
        package static let startFailed = Code(name: "startFailed")
        /// The client is gone, or the exchange is over.
        package static let disconnected = Code(name: "disconnected")
        /// The body is larger than the limit that was given.
        package static let bodyTooLarge = Code(name: "bodyTooLarge")
        /// The body did not arrive in time.
        package static let bodyTimeout = Code(name: "bodyTimeout")
        /// The body's chunks are not as they must be.
        package static let malformedBody = Code(name: "malformedBody")
        /// A response was begun already.
        package static let alreadyResponded = Code(name: "alreadyResponded")
        /// A field's name or value could not be sent faithfully.
        package static let invalidField = Code(name: "invalidField")
    }

    /// What went wrong.
    package let code: Code
    /// In words, safe to show.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    static let disconnected = HTTPServerError(.disconnected, "The client is gone.")
}
