public import RejoinCore

/// What a person can do so that a route becomes possible.
public enum NextAction: Sendable, Hashable {
    /// Nothing stands in the way.
    case run
    case updateSystem, useServer, turnOnModel, updateApp, downloadModel, waitForPreparation, waitForTurn, checkAgain
    case goOnline, signIn, useDevice
    /// Wait until then, where that is known.
    case waitForLimit(until: Timestamp?)
    /// Wait until the share starts anew, where it is known when.
    case waitForQuota(resets: Timestamp?)
    /// Choose another mode.
    case changeMode
    /// Read the disclosure and decide.
    case giveConsent(ConsentRequest)
    case seePlans, shorten, repairPermissions

    /// What helps against a reason; `nil` where nothing that a person can do does.
    public init?(against reason: Ineligibility) {
        switch reason {
        case .local(let availability): self.init(availability.state)
        case .cloud(let availability): self.init(availability)
        case .privateCloud(.offline): self = .goOnline
        case .privateCloud(.systemNotReady), .privateCloud(.unknown): self = .checkAgain
        case .privateCloudQuota(let resets): self = .waitForQuota(resets: resets)
        case .modeForbids: self = .changeMode
        case .consentMissing(let request): self = .giveConsent(request)
        case .consentUnreadable: self = .repairPermissions
        case .notEntitled: self = .seePlans
        case .entitlementUnknown, .killSwitchUnknown: self = .goOnline
        case .contextTooSmall: self = .shorten
        default: return nil
        }
    }

    /// What helps against a state of the device's model; a different thing for each.
    public init(_ state: LocalState) {
        self =
            switch state {
            case .ready: .run
            case .osTooOld: .updateSystem
            case .hardwareIneligible: .useServer
            case .disabledByUser: .turnOnModel
            case .notBuiltIn: .updateApp
            case .notDownloaded: .downloadModel
            case .preparing: .waitForPreparation
            case .busy: .waitForTurn
            case .unknown: .checkAgain
            }
    }

    /// What helps against a state of the server; a different thing for each.
    public init(_ availability: CloudAvailability) {
        self =
            switch availability {
            case .ready: .run
            case .offline: .goOnline
            case .signedOut: .signIn
            case .rateLimited(let until): .waitForLimit(until: until)
            case .quotaReached(let resets): .waitForQuota(resets: resets)
            case .disabledRemotely: .useDevice
            case .unknown: .checkAgain
            }
    }
}
