/// Makes the line that support reads: names from the source, numbers, and nothing else.
enum SupportLine {
    static func make(
        _ outcome: String, _ profile: OperationProfile, _ mode: ExecutionMode, _ policyVersion: Int,
        _ rejected: [RejectedRoute]
    ) -> String {
        let others = rejected.map { route in
            RouteLabel(route.route).rawValue + ":" + route.why.map(label).joined(separator: "+")
        }
        return "op=\(profile.id.name) \(outcome) mode=\(mode.rawValue) policy=\(policyVersion) "
            + "rejected=\(others.isEmpty ? "none" : others.joined(separator: ","))"
    }

    static func label(_ boundary: DataBoundary) -> String {
        switch boundary {
        case .device: "device"
        case .platformPrivateCloud: "platform-private-cloud"
        case .firstParty: "first-party"
        case .thirdParty: "third-party"
        }
    }

    static func label(_ reason: Ineligibility) -> String {
        switch reason {
        case .missing(let capability): "missing(\(capability.labels.joined(separator: "|")))"
        case .languageUnsupported: "language"
        case .contextTooSmall(let needed, let available): "context(\(needed)>\(available))"
        case .local(let availability): availability.state.rawValue
        case .cloud(let availability): availability.state.rawValue
        case .privateCloud(let state): state.label
        case .privateCloudQuota: "quota-reached"
        case .modeForbids(let mode): "mode(\(mode.rawValue))"
        case .consentMissing(let request): "consent(\(request.data.rawValue),v\(request.disclosureVersion))"
        case .consentUnreadable: "consent-unreadable"
        case .notEntitled(let cost): "plan(\(cost.rawValue))"
        case .entitlementUnknown(let cost): "plan-unknown(\(cost.rawValue))"
        case .killSwitch: "switched-off"
        case .killSwitchUnknown: "switch-unknown"
        case .policyForbids: "policy"
        case .notConfigured: "not-configured"
        case .noRuleMatched: "no-rule"
        case .failed(let failure): "failed(\(FailureClass(failure).rawValue))"
        case .notPermitted: "not-permitted"
        case .notEvaluated: "not-asked"
        }
    }
}
