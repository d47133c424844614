import Foundation
import RejoinAssist
import SeededRandom
import Testing

@Suite struct RoutePolicyTests {
    @Test("R21 a policy narrowed from afar allows no more than before: whatever is said, routes only go")
    func narrowing() async {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<500 {
            let world = World.random(using: &generator)
            let profile = OperationProfile.random(using: &generator)
            let policy = RoutePolicy.random(using: &generator)
            let remote = RemoteRestrictions.random(using: &generator)
            let narrowed = policy.narrowed(by: remote)
            guard let decision = await narrowed.resolve(profile, in: world.environment()).decision else { continue }
            #expect(world.allows(decision.primary, profile, policy))
            #expect(!remote.forbids(decision.primary.kind, for: profile.id))
            #expect(narrowed.narrowed(by: RemoteRestrictions()) == narrowed)
        }
    }

    @Test("R21 a route that is forbidden from afar is out, and the consents stay as they are")
    func forbidden() async {
        var world = World().withConsent()
        world.local = .hardwareIneligible
        let policy = RoutePolicy.standard.narrowed(by: RemoteRestrictions(operations: ["rewrite": [.cloud]]))
        let resolution = await policy.resolve(.rewrite, in: world.environment())
        #expect(resolution.reasons(.cloud) == [.policyForbids])
        #expect(await policy.resolve(.prices, in: world.environment()).decision?.primary == .cloud(.small))
    }

    @Test("a policy is read from JSON as it was written")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let policy = RoutePolicy.random(using: &generator)
            let json = try JSONEncoder().encode(policy)
            #expect(try RoutePolicy(json: Array(json)) == policy)
            let restrictions = RemoteRestrictions.random(using: &generator)
            #expect(try RemoteRestrictions(json: Array(JSONEncoder().encode(restrictions))) == restrictions)
        }
    }

    @Test("a policy written by hand does what it says")
    func byHand() async throws {
        let policy = try RoutePolicy(
            json: Array(
                """
                {"format": 1, "version": 3,
                 "preferences": [{"route": "on-device", "weight": 10},
                                 {"route": "cloud", "weight": 20, "risks": ["high"]}],
                 "overrides": {"rewrite": {"forbidden": ["private-cloud"], "cloudTier": "large"}}}
                """.utf8))
        var world = World().withConsent()
        world.mode = .cloudAllowed
        #expect(await policy.resolve(.rewrite, in: world.environment()).decision?.primary == .onDevice)
        let risky = OperationProfile.rewrite.with { $0.risk = .high }
        let decision = await policy.resolve(risky, in: world.environment()).decision
        #expect(decision?.primary == .cloud(.large))
        #expect(decision?.policyVersion == 3)
    }

    @Test(
        "what a policy says that is not known is refused with the place",
        arguments: [
            (#"{"format": 2, "version": 1, "new": 1}"#, "format 2 is not known; this version reads format 1"),
            (#"{"format": 1, "version": 1, "allow": []}"#, #""allow" is not known"#),
            (#"{"version": 1}"#, #""format" is missing"#),
            (#"{"format": 1}"#, #""version" is missing"#),
            (#"{"format": 1, "version": "1"}"#, "version: a value of another kind is needed"),
            (
                #"{"format": 1, "version": 1, "overrides": {"a": {"allowed": ["cloud"]}}}"#,
                #"overrides.a: "allowed" is not known"#
            ),
            (#"{"format": 1, "version": 1, "version": 2}"#, "not JSON, at byte 28"),
            ("{", "not JSON, at byte 1"),
        ])
    func refusals(json: String, message: String) {
        do {
            _ = try RoutePolicy(json: Array(json.utf8))
            Issue.record("was read")
        } catch {
            #expect(String(describing: error) == message)
        }
    }

    @Test("a route that is not known is refused, in a policy and in restrictions")
    func unknownRoutes() {
        #expect(throws: PolicyError.self) {
            try RoutePolicy(json: Array(#"{"format":1,"version":1,"preferences":[{"route":"moon","weight":1}]}"#.utf8))
        }
        #expect(throws: PolicyError.self) {
            try RemoteRestrictions(json: Array(#"{"format":1,"routes":["moon"]}"#.utf8))
        }
        #expect(throws: PolicyError.self) {
            try RemoteRestrictions(json: Array(#"{"format":1,"permit":["cloud"]}"#.utf8))
        }
    }
}
