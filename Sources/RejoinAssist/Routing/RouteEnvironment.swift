/// What is true around an operation when it is routed; routing reads nothing of the world but this.
///
/// Everything that changes is a closure and is read at each decision. What lies beyond the device is asked last, and
/// only if nothing nearer will do.
public struct RouteEnvironment: Sendable {
    /// What the person allows on this device.
    public var mode: ExecutionMode
    /// Whether a rule of the app answers this operation for the input at hand.
    public var rules: @Sendable (OperationID) -> Bool
    /// Whether the model on this device can run now.
    public var local: @Sendable () async -> LocalAvailability
    /// The platform's private cloud, where the app uses it.
    public var privateCloud: PrivateCloudRoute?
    /// The server, where the app has one.
    public var cloud: CloudRoute?
    /// Who may use what costs.
    public var entitlement: EntitlementSource
    /// What has been switched off.
    public var killSwitches: KillSwitches
    /// What the person has consented to.
    public var consent: any ConsentLedger

    /// Describes the surroundings; an app without a server leaves out everything after `local`.
    public init(
        mode: ExecutionMode = .automatic,
        rules: @escaping @Sendable (OperationID) -> Bool = { _ in false },
        local: @escaping @Sendable () async -> LocalAvailability,
        privateCloud: PrivateCloudRoute? = nil,
        cloud: CloudRoute? = nil,
        entitlement: EntitlementSource = .everything,
        killSwitches: KillSwitches = .none,
        consent: any ConsentLedger = MemoryConsentLedger()
    ) {
        self.mode = mode
        self.rules = rules
        self.local = local
        self.privateCloud = privateCloud
        self.cloud = cloud
        self.entitlement = entitlement
        self.killSwitches = killSwitches
        self.consent = consent
    }
}

/// A server that can run operations: who it belongs to, what the person was told, and how it is asked whether it can.
public struct CloudRoute: Sendable {
    /// Who receives what is sent.
    public var recipient: Recipient
    /// The version of the text that tells the person about it; a new one asks for consent anew.
    public var disclosureVersion: Int
    /// Whether its model of a size can run now.
    public var availability: @Sendable (CloudTier) async -> CloudAvailability

    /// Describes a server.
    public init(
        recipient: Recipient, disclosureVersion: Int,
        availability: @escaping @Sendable (CloudTier) async -> CloudAvailability
    ) {
        self.recipient = recipient
        self.disclosureVersion = disclosureVersion
        self.availability = availability
    }
}

/// The platform's private cloud: what the person was told about it, and how it is asked whether it can run.
public struct PrivateCloudRoute: Sendable {
    /// The version of the text that tells the person about it; a new one asks for consent anew.
    public var disclosureVersion: Int
    /// Whether it can run now.
    public var availability: @Sendable () async -> PrivateCloudAvailability

    /// Describes the private cloud.
    public init(disclosureVersion: Int, availability: @escaping @Sendable () async -> PrivateCloudAvailability) {
        self.disclosureVersion = disclosureVersion
        self.availability = availability
    }
}
