import RejoinAssist
import RejoinCore
import SeededRandom
import Synchronization

/// Everything that routing can read, as plain values, and how often it was read.
struct World: Sendable {
    var mode = ExecutionMode.automatic
    var ruleMatches = false
    var local = LocalAvailability.ready(.capable)
    var privateCloud: PrivateCloudAvailability?
    var cloud: CloudAvailability? = .ready(.capable)
    var recipient = Recipient.firstParty("Example Server")
    var disclosure = 1
    var cachedEntitlement = Entitlement.granted
    var currentEntitlement = Entitlement.granted
    var cachedRestrictions: RemoteRestrictions? = RemoteRestrictions()
    var currentRestrictions: RemoteRestrictions? = RemoteRestrictions()
    var consents: Set<ConsentRequest> = []
    var consentIsReadable = true

    /// The surroundings with these values.
    func environment(_ probes: Probes = Probes(), ledger: (any ConsentLedger)? = nil) -> RouteEnvironment {
        RouteEnvironment(
            mode: mode,
            rules: { [ruleMatches] _ in
                probes.count(.rules)
                return ruleMatches
            },
            local: { [local] in
                probes.count(.local)
                return local
            },
            privateCloud: privateCloud.map { availability in
                PrivateCloudRoute(disclosureVersion: disclosure) {
                    probes.count(.privateCloud)
                    return availability
                }
            },
            cloud: cloud.map { availability in
                CloudRoute(recipient: recipient, disclosureVersion: disclosure) { _ in
                    probes.count(.cloud)
                    return availability
                }
            },
            entitlement: EntitlementSource(
                cached: { [cachedEntitlement] _ in cachedEntitlement },
                current: { [currentEntitlement] _ in
                    probes.count(.entitlement)
                    return currentEntitlement
                }),
            killSwitches: KillSwitches(cached: cachedRestrictions) { [currentRestrictions] in
                probes.count(.killSwitches)
                return currentRestrictions
            },
            consent: ledger ?? FixedLedger(consents: consents, isReadable: consentIsReadable))
    }

    /// The same world in which the person has consented to everything that could be asked.
    func withConsent(to data: DataClass = .minimised) -> World {
        var world = self
        for recipient in [recipient, .platformPrivateCloud] {
            world.consents.insert(ConsentRequest(recipient: recipient, data: data, disclosureVersion: disclosure))
        }
        return world
    }
}

/// How often each part of the surroundings was asked.
final class Probes: Sendable {
    enum Part: Hashable { case rules, local, privateCloud, cloud, entitlement, killSwitches }

    private let counts = Mutex<[Part: Int]>([:])

    func count(_ part: Part) { counts.withLock { $0[part, default: 0] += 1 } }

    subscript(part: Part) -> Int { counts.withLock { $0[part, default: 0] } }
}

/// A ledger that says the same thing for ever.
struct FixedLedger: ConsentLedger {
    let consents: Set<ConsentRequest>
    let isReadable: Bool

    func status(for request: ConsentRequest) async -> ConsentStatus {
        guard isReadable else { return .unreadable }
        return consents.contains(request) ? .granted(at: Timestamp(milliseconds: 0)) : .missing
    }

    func grants() async throws -> [ConsentGrant] { consents.map { ConsentGrant($0, at: Timestamp(milliseconds: 0)) } }
    func record(_ grant: ConsentGrant) async throws {}
    func revoke(_ recipient: Recipient) async throws {}
    func revokeAll() async throws {}
    func changes() async -> AsyncStream<ConsentChange> { AsyncStream { $0.finish() } }
}

extension CapabilityRecord {
    /// A model that can do everything.
    static let capable = CapabilityRecord(
        capabilities: [.text, .structuredOutput, .tools, .vision, .liveRetrieval, .longContext], contextSize: 32_000)
    /// A model that writes text and keeps to a schema.
    static let plain = CapabilityRecord(
        capabilities: [.text, .structuredOutput], languages: .these(["en", "de", "pt"]), contextSize: 4096)
}

extension OperationProfile {
    /// A short text, better said.
    static let rewrite = OperationProfile(
        id: "rewrite", budget: TokenBudget(input: 300, output: 200), dataClass: .minimised)
    /// Prices of today, which nobody knows by heart.
    static let prices = OperationProfile(
        id: "prices", requires: [.text, .liveRetrieval], budget: TokenBudget(input: 300, output: 200),
        dataClass: .minimised)
    /// A picture, looked at.
    static let interpret = OperationProfile(
        id: "interpret", requires: [.text, .vision], budget: TokenBudget(input: 300, output: 200),
        dataClass: .minimised)

    func with(_ change: (inout OperationProfile) -> Void) -> OperationProfile {
        var profile = self
        change(&profile)
        return profile
    }
}

extension Resolution {
    /// The reasons against a kind of route.
    func reasons(_ kind: RouteKind) -> [Ineligibility] {
        rejected.first { $0.route.kind == kind }?.why ?? []
    }

    var question: ConsentQuestion? { if case .askConsent(let question) = self { question } else { nil } }
    var refusal: RouteRefusal? { if case .unavailable(let refusal) = self { refusal } else { nil } }
    var waiting: RouteWait? { if case .wait(let wait) = self { wait } else { nil } }
}
