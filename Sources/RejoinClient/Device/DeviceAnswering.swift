public import RejoinAssist
import RejoinCore

/// What this device can answer by itself, and by which rules it is decided who answers.
public struct DeviceAnswering: Sendable {
    /// The model.
    public var model: any DeviceModel
    /// What is preferred among what is possible and allowed.
    public var policy: RoutePolicy
    /// What the person has consented to.
    public var consent: any ConsentLedger
    /// The version of the text about the server that the person has seen.
    public var disclosureVersion: Int

    /// Lets a model of this device answer.
    ///
    /// - Parameters:
    ///   - policy: the server first and this device where it is away, unless told otherwise.
    ///   - consent: signing in to a server is the consent to talk to it, unless told otherwise.
    public init(
        _ model: any DeviceModel, policy: RoutePolicy = .conversations,
        consent: any ConsentLedger = SignedInConsent(), disclosureVersion: Int = 1
    ) {
        self.model = model
        self.policy = policy
        self.consent = consent
        self.disclosureVersion = disclosureVersion
    }
}

extension RoutePolicy {
    /// Conversations are answered by the server, and on this device where the server is away.
    ///
    /// The mode counts first: in `automatic` the device answers whatever it can.
    public static let conversations = RoutePolicy(
        version: 1, preferences: [RoutePreference(.cloud, weight: 300), RoutePreference(.onDevice, weight: 200)])
}

extension OperationProfile {
    /// What answering a prompt needs.
    ///
    /// Only the prompt itself must fit: what was said before can be left out, visibly.
    static func conversation(_ content: [ContentPart]) -> OperationProfile {
        var needs: Capability = .text
        var bytes = 0
        for part in content {
            switch part {
            case .text(let text): bytes += text.utf8.count
            case .attachment(let file): needs.insert(file.mediaType.hasPrefix("image/") ? .vision : .longContext)
            }
        }
        return OperationProfile(
            id: "converse", requires: needs, budget: TokenBudget(input: (bytes + 3) / 4, output: 256),
            dataClass: .freeForm, cloudTier: .large)
    }
}

/// The consent that lies in signing in: the words of a conversation go to the server that the person chose.
public struct SignedInConsent: ConsentLedger {
    /// Counts as consent to the server alone.
    public init() {}

    public func status(for request: ConsentRequest) async -> ConsentStatus {
        if case .firstParty = request.recipient { return .granted(at: Timestamp(milliseconds: 0)) }
        return .missing
    }

    public func grants() async throws -> [ConsentGrant] { [] }
    public func record(_ grant: ConsentGrant) async throws {}
    public func revoke(_ recipient: Recipient) async throws {}
    public func revokeAll() async throws {}
    public func changes() async -> AsyncStream<ConsentChange> { AsyncStream { _ in } }
}
