/// Where an operation can run.
public enum Route: Sendable, Hashable {
    /// A rule of the app; no model.
    case deterministic
    /// A model on this device.
    case onDevice
    /// The platform's own private cloud.
    case privateCloud
    /// A server, by the size of model that is asked for.
    case cloud(CloudTier)

    /// Whether the data leaves the device on this route.
    public var leavesDevice: Bool { kind.leavesDevice }

    /// The route without its tier.
    public var kind: RouteKind {
        switch self {
        case .deterministic: .deterministic
        case .onDevice: .onDevice
        case .privateCloud: .privateCloud
        case .cloud: .cloud
        }
    }
}

/// The kinds of route, in the order of how little they give away; policies and restrictions name these.
public enum RouteKind: String, Sendable, Hashable, Codable, CaseIterable {
    case deterministic
    case onDevice = "on-device"
    case privateCloud = "private-cloud"
    case cloud

    /// Whether the data leaves the device on a route of this kind.
    public var leavesDevice: Bool {
        switch self {
        case .deterministic, .onDevice: false
        case .privateCloud, .cloud: true
        }
    }
}

/// Who sees the data on a route.
public enum DataBoundary: Sendable, Hashable {
    /// Nobody but the device.
    case device
    /// The platform's private cloud.
    case platformPrivateCloud
    /// The app's own server, by the name that the disclosure gives it.
    case firstParty(String)
    /// Somebody else, by the name that the disclosure gives them.
    case thirdParty(String)

    /// The boundary that data crosses on its way to a recipient.
    public init(_ recipient: Recipient) {
        self =
            switch recipient {
            case .platformPrivateCloud: .platformPrivateCloud
            case .firstParty(let name): .firstParty(name)
            case .thirdParty(let name): .thirdParty(name)
            }
    }
}

/// Who receives what leaves the device.
///
/// There is no case for the device itself, so that a route that uploads cannot be set up as one that does not.
public enum Recipient: Sendable, Hashable {
    /// The platform's private cloud.
    case platformPrivateCloud
    /// The app's own server, by the name that the disclosure gives it.
    case firstParty(String)
    /// Somebody else, by the name that the disclosure gives them.
    case thirdParty(String)
}
