/// Proves to the server that a request comes from the app itself, where the platform can.
public protocol Attestation: Sendable {
    /// Whether this device can attest at all.
    var isSupported: Bool { get }

    /// Attests one request.
    ///
    /// - Parameter body: the bytes that will be sent.
    /// - Returns: the value of the `X-Rejoin-Attestation` field; nil where the platform failed this time.
    func assertion(over body: [UInt8]) async -> String?
}

/// What happens where a request cannot be attested.
public enum AttestationPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is sent as it is, and the outcome says so.
    case sendWithout
    /// It is not sent.
    case refuse
}

/// Whether a request that was sent was attested.
public enum AttestationOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// It carried an assertion.
    case attested
    /// The app configured no attestation.
    case notConfigured
    /// The device cannot attest, and the policy was to send without.
    case unsupported
    /// The platform failed, and the policy was to send without.
    case failed
}
