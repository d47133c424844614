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
}
