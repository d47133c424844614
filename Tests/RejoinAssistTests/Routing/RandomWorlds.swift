import Foundation
import RejoinAssist
import RejoinCore
import SeededRandom

/// How many surroundings the property tests make up: fewer by default, as many as are asked for otherwise.
let numberOfWorlds = ProcessInfo.processInfo.environment["REJOIN_TEST_ENVIRONMENTS"].flatMap(Int.init) ?? 4000

extension SeededGenerator {
    mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &self)]
    }

    mutating func subset<Element: Hashable>(_ choices: [Element], oneIn rarity: Int = 2) -> Set<Element> {
        Set(choices.filter { _ in Int.random(in: 0..<rarity, using: &self) == 0 })
    }
}

extension World {
    static let locals: [LocalAvailability] = [
        .ready(.capable), .ready(.plain), .osTooOld, .hardwareIneligible, .disabledByUser, .notBuiltIn, .notDownloaded,
        .preparing, .busy, .unknown,
    ]
    static let clouds: [CloudAvailability?] = [
        .ready(.capable), .ready(.plain), .offline, .signedOut, .rateLimited(until: Timestamp(milliseconds: 9)),
        .quotaReached(resets: nil), .disabledRemotely, .unknown, nil,
    ]
    static let privateClouds: [PrivateCloudAvailability?] = [
        nil, nil, PrivateCloudAvailability(.ready(.capable)), PrivateCloudAvailability(.ready(.plain)),
        PrivateCloudAvailability(.ready(.capable), quota: .reached(resets: nil)),
        PrivateCloudAvailability(.ready(.capable), quota: .approachingLimit), PrivateCloudAvailability(.offline),
    ]

    static func random(using generator: inout SeededGenerator) -> World {
        var world = World()
        world.mode = generator.pick(ExecutionMode.allCases)
        world.ruleMatches = generator.pick([true, false, false, false, false])
        world.local = generator.pick(locals)
        world.privateCloud = generator.pick(privateClouds)
        world.cloud = generator.pick(clouds)
        world.recipient = generator.pick([.firstParty("Canary Recipient"), .thirdParty("Canary Recipient")])
        world.disclosure = generator.pick([1, 2])
        world.cachedEntitlement = generator.pick(Entitlement.allCases)
        world.currentEntitlement = generator.pick([.granted, .granted, .granted, .denied, .unknown])
        world.cachedRestrictions = generator.pick([
            nil, RemoteRestrictions(), RemoteRestrictions(), RemoteRestrictions(), .random(using: &generator),
        ])
        world.currentRestrictions = generator.pick([
            nil, RemoteRestrictions(), RemoteRestrictions(), RemoteRestrictions(), .random(using: &generator),
        ])
        let requests = [world.recipient, .platformPrivateCloud].flatMap { recipient in
            DataClass.allCases.flatMap { data in
                [1, 2].map { ConsentRequest(recipient: recipient, data: data, disclosureVersion: $0) }
            }
        }
        world.consents = generator.pick([true, false]) ? Set(requests) : generator.subset(requests)
        world.consentIsReadable = generator.pick(Array(repeating: true, count: 9) + [false])
        return world
    }

    /// Surroundings in which most things work, so that what comes after a decision is reached often.
    static func friendly(using generator: inout SeededGenerator) -> World {
        var world = random(using: &generator)
        world.ruleMatches = false
        world.local = generator.pick([.ready(.capable), .ready(.plain), .busy])
        world.cloud = .ready(.capable)
        world.cachedRestrictions = nil
        world.currentRestrictions = RemoteRestrictions()
        return world.withConsent(to: .minimised).withConsent(to: .freeForm)
    }

    /// Whether nothing speaks against a route: said once more, in the plainest way, to check the other by.
    func allows(_ route: Route, _ profile: OperationProfile, _ policy: RoutePolicy) -> Bool {
        let kind = route.kind
        let name = profile.id.name
        func isOff(_ restrictions: RemoteRestrictions) -> Bool {
            restrictions.routes.contains(kind) || (restrictions.operations[name] ?? []).contains(kind)
        }
        if isOff(policy.restrictions) || (policy.overrides[name]?.forbidden ?? []).contains(kind) { return false }
        if let cachedRestrictions, isOff(cachedRestrictions) { return false }
        let record: CapabilityRecord
        var recipient = recipient
        switch route {
        case .deterministic: return ruleMatches
        case .onDevice:
            if profile.deviceCost != .free, cachedEntitlement == .denied { return false }
            guard case .ready(let local) = local else { return false }
            record = local
        case .privateCloud:
            guard let privateCloud, case .ready(let ready) = privateCloud.state else { return false }
            if case .reached = privateCloud.quota { return false }
            recipient = .platformPrivateCloud
            record = ready
        case .cloud:
            guard case .ready(let ready)? = cloud else { return false }
            record = ready
        }
        if route.leavesDevice {
            if mode == .onDeviceOnly || !consentIsReadable { return false }
            guard let currentRestrictions, !isOff(currentRestrictions) else { return false }
            if profile.cost != .free, currentEntitlement != .granted { return false }
            let request = ConsentRequest(
                recipient: recipient, data: profile.dataClass, disclosureVersion: disclosure)
            if !consents.contains(request) { return false }
        }
        return record.capabilities.isSuperset(of: profile.requires) && record.languages.meets(profile.languages)
            && (record.contextSize <= 0 || record.contextSize >= profile.budget.total)
    }
}

extension RemoteRestrictions {
    static func random(using generator: inout SeededGenerator) -> RemoteRestrictions {
        RemoteRestrictions(
            routes: generator.subset(RouteKind.allCases, oneIn: 4),
            operations: ["one": generator.subset(RouteKind.allCases, oneIn: 3)])
    }
}

extension OperationProfile {
    static func random(using generator: inout SeededGenerator) -> OperationProfile {
        OperationProfile(
            id: generator.pick(["one", "two"]),
            requires: generator.pick([
                .text, .text, .text, [.text, .structuredOutput], [.text, .vision], .liveRetrieval,
            ]),
            languages: generator.pick([.any, .these(["en"]), .these(["pt-BR"]), .these(["en", "ja"])]),
            budget: TokenBudget(input: generator.pick([100, 100, 100, 5000, 40_000, .max]), output: 200),
            risk: generator.pick(DomainRisk.allCases), cost: generator.pick(CostClass.allCases),
            deviceCost: generator.pick([.free, .free, .premium]), urgency: generator.pick(Urgency.allCases),
            dataClass: generator.pick(DataClass.allCases), cloudTier: generator.pick(CloudTier.allCases))
    }
}

extension RoutePolicy {
    static func random(using generator: inout SeededGenerator) -> RoutePolicy {
        func preferences(_ generator: inout SeededGenerator) -> [RoutePreference] {
            (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                RoutePreference(
                    generator.pick(RouteKind.allCases), weight: generator.pick([-100, 0, 5, 1000, .max, .min]),
                    risks: generator.subset(DomainRisk.allCases, oneIn: 4),
                    urgencies: generator.subset(Urgency.allCases, oneIn: 4))
            }
        }
        var overrides: [String: PolicyOverride] = [:]
        if generator.pick([true, false]) {
            overrides["one"] = PolicyOverride(
                preferences: generator.pick([nil, preferences(&generator)]),
                forbidden: generator.subset(RouteKind.allCases, oneIn: 5),
                cloudTier: generator.pick([nil, .small, .large]))
        }
        return RoutePolicy(
            version: Int.random(in: 1...9, using: &generator), preferences: preferences(&generator),
            overrides: overrides,
            restrictions: generator.pick([
                RemoteRestrictions(), RemoteRestrictions(), RemoteRestrictions(), .random(using: &generator),
            ]))
    }
}
