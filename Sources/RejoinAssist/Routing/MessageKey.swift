/// What there is to say about a route, by a name that apps may hang their own words on.
///
/// Every state of the device's model and of the server has its own: two that need different things of the person must
/// not look alike.
public enum MessageKey: String, Sendable, Hashable, CaseIterable {
    case runsByRule = "runs.rule"
    case runsHere = "runs.here"
    case runsInPrivateCloud = "runs.private-cloud"
    case runsOnServer = "runs.server"
    case waitsForPreparation = "waits.preparation"
    case waitsForTurn = "waits.turn"
    case asksConsent = "asks.consent"

    case localReady = "local.ready"
    case localTooOld = "local.os-too-old"
    case localIneligible = "local.hardware-ineligible"
    case localDisabled = "local.disabled-by-user"
    case localNotBuiltIn = "local.not-built-in"
    case localNotDownloaded = "local.not-downloaded"
    case localPreparing = "local.preparing"
    case localBusy = "local.busy"
    case localUnknown = "local.unknown"

    case cloudReady = "cloud.ready"
    case cloudOffline = "cloud.offline"
    case cloudSignedOut = "cloud.signed-out"
    case cloudRateLimited = "cloud.rate-limited"
    case cloudQuotaReached = "cloud.quota-reached"
    case cloudDisabled = "cloud.disabled-remotely"
    case cloudUnknown = "cloud.unknown"

    case privateCloudIneligible = "private-cloud.hardware-ineligible"
    case privateCloudNotReady = "private-cloud.not-ready"
    case privateCloudOffline = "private-cloud.offline"
    case privateCloudNotBuiltIn = "private-cloud.not-built-in"
    case privateCloudUnknown = "private-cloud.unknown"
    case privateCloudQuota = "private-cloud.quota-reached"

    case missingText = "missing.text"
    case missingStructure = "missing.structured-output"
    case missingTools = "missing.tools"
    case missingVision = "missing.vision"
    case missingLookup = "missing.live-retrieval"
    case missingLongContext = "missing.long-context"
    case missingOther = "missing.other"
    case languageUnsupported = "language.unsupported"
    case contextTooSmall = "context.too-small"

    case modeForbids = "mode.on-device-only"
    case consentMissing = "consent.missing"
    case consentUnreadable = "consent.unreadable"
    case notEntitled = "plan.not-included"
    case planUnknown = "plan.unknown"
    case switchedOff = "switch.off"
    case switchUnknown = "switch.unknown"
    case policyForbids = "policy.forbids"
    case notConfigured = "route.none"
    case noRule = "rule.none"
    case failedBefore = "route.failed"
    case notPermitted = "route.not-permitted"
    case notEvaluated = "route.not-asked"

    /// The message for a state of the device's model.
    public init(_ state: LocalState) {
        self =
            switch state {
            case .ready: .localReady
            case .osTooOld: .localTooOld
            case .hardwareIneligible: .localIneligible
            case .disabledByUser: .localDisabled
            case .notBuiltIn: .localNotBuiltIn
            case .notDownloaded: .localNotDownloaded
            case .preparing: .localPreparing
            case .busy: .localBusy
            case .unknown: .localUnknown
            }
    }

    /// The message for a state of the server.
    public init(_ state: CloudState) {
        self =
            switch state {
            case .ready: .cloudReady
            case .offline: .cloudOffline
            case .signedOut: .cloudSignedOut
            case .rateLimited: .cloudRateLimited
            case .quotaReached: .cloudQuotaReached
            case .disabledRemotely: .cloudDisabled
            case .unknown: .cloudUnknown
            }
    }

    /// The message for a reason against a route.
    public init(_ reason: Ineligibility) {
        self =
            switch reason {
            case .missing(let capability): Self.missing(capability)
            case .languageUnsupported: .languageUnsupported
            case .contextTooSmall: .contextTooSmall
            case .local(let availability): MessageKey(availability.state)
            case .cloud(let availability): MessageKey(availability.state)
            case .privateCloud(let state): Self.privateCloud(state)
            case .privateCloudQuota: .privateCloudQuota
            case .modeForbids: .modeForbids
            case .consentMissing: .consentMissing
            case .consentUnreadable: .consentUnreadable
            case .notEntitled: .notEntitled
            case .entitlementUnknown: .planUnknown
            case .killSwitch: .switchedOff
            case .killSwitchUnknown: .switchUnknown
            case .policyForbids: .policyForbids
            case .notConfigured: .notConfigured
            case .noRuleMatched: .noRule
            case .failed: .failedBefore
            case .notPermitted: .notPermitted
            case .notEvaluated: .notEvaluated
            }
    }

    private static func missing(_ capability: Capability) -> MessageKey {
        switch capability {
        case .text: .missingText
        case .structuredOutput: .missingStructure
        case .tools: .missingTools
        case .vision: .missingVision
        case .liveRetrieval: .missingLookup
        case .longContext: .missingLongContext
        default: .missingOther
        }
    }

    private static func privateCloud(_ state: PrivateCloudAvailability.State) -> MessageKey {
        switch state {
        case .hardwareIneligible: .privateCloudIneligible
        case .systemNotReady: .privateCloudNotReady
        case .offline: .privateCloudOffline
        case .notBuiltIn: .privateCloudNotBuiltIn
        case .ready, .unknown: .privateCloudUnknown
        }
    }
}
