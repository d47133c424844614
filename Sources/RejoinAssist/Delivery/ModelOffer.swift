public import RejoinCore

/// A model that can be fetched to the device: what it is and how large, as the person is told before anything moves.
public struct ModelOffer: Sendable, Hashable {
    /// The name of its file on the device, without a path.
    public let name: String
    /// Its size.
    public let bytes: Int
    /// The SHA-256 of the whole file.
    public let sha256: [UInt8]

    /// Describes a model.
    ///
    /// - Parameter sha256: 32 bytes.
    public init(name: String, bytes: Int, sha256: [UInt8]) {
        self.name = name
        self.bytes = bytes
        self.sha256 = sha256
    }
}

/// A person's yes to one offer, its size included; nothing is fetched without one.
///
/// Make it where the person agreed, and nowhere else.
public struct DeliveryOptIn: Sendable, Hashable {
    /// What was agreed to.
    public let offer: ModelOffer
    /// When.
    public let at: Timestamp

    /// Notes that a person agreed to an offer as it was shown.
    public init(to offer: ModelOffer, at: Timestamp) {
        self.offer = offer
        self.at = at
    }
}
