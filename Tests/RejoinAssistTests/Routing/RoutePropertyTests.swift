import RejoinAssist
import RejoinCore
import SeededRandom
import Synchronization
import Testing

/// An expectation for inner loops, where what the macro keeps of each one would take most of the time.
private func check(_ holds: Bool, at location: SourceLocation = #_sourceLocation) {
    if !holds { Issue.record("does not hold", sourceLocation: location) }
}

@Suite struct RoutePropertyTests {
    private static func isWaitable(_ local: LocalAvailability) -> Bool { local == .preparing || local == .busy }

    @Test("R10 no weight and no override selects a route that a hard constraint rejects, in random surroundings")
    func hardConstraints() async {
        var generator = SeededGenerator(seed: 10)
        var runs = 0
        for _ in 0..<numberOfWorlds {
            let world = World.random(using: &generator)
            let profile = OperationProfile.random(using: &generator)
            let policy = RoutePolicy.random(using: &generator)
            let resolution = await policy.resolve(profile, in: world.environment())
            let routes = Set(resolution.rejected.map(\.route)).union(resolution.decision.map { [$0.primary] } ?? [])
            guard let decision = resolution.decision else {
                // What waits waits for nothing but the state; where something could have run, it would have.
                let waits = resolution.waiting != nil
                if waits { check(profile.urgency == .canWait && Self.isWaitable(world.local)) }
                check(waits || !routes.contains { world.allows($0, profile, policy) })
                continue
            }
            runs += 1
            check(world.allows(decision.primary, profile, policy))
        }
        #expect(runs > numberOfWorlds / 10)
    }

    @Test("R14 a decision may upload exactly if a route in it leaves the device, in random surroundings")
    func uploading() async {
        var generator = SeededGenerator(seed: 14)
        var seen: Set<Bool> = []
        for _ in 0..<numberOfWorlds {
            let world = World.random(using: &generator)
            let profile = OperationProfile.random(using: &generator)
            let policy = RoutePolicy.random(using: &generator)
            guard let decision = await policy.resolve(profile, in: world.environment()).decision else { continue }
            let routes = [decision.primary] + decision.fallbacks.map(\.route)
            let leaves = routes.contains { $0 != .deterministic && $0 != .onDevice }
            seen.insert(leaves)
            check(decision.mayUpload == leaves)
            check(decision.willUpload == (decision.primary != .deterministic && decision.primary != .onDevice))
            check(decision.boundaries.subtracting([.device]).isEmpty == !leaves)
            check((decision.consentNeeded == nil) == !decision.willUpload)
            for route in routes {
                switch route {
                case .cloud: check(decision.boundaries.contains(DataBoundary(world.recipient)))
                case .privateCloud: check(decision.boundaries.contains(.platformPrivateCloud))
                case .onDevice, .deterministic: check(decision.boundaries.contains(.device))
                }
            }
            if world.mode == .onDeviceOnly { check(!decision.mayUpload) }
        }
        #expect(seen.count == 2)
    }

    @Test("R16 the same profile, surroundings and policy give the same decision, and each part is asked once at most")
    func repeatable() async {
        var generator = SeededGenerator(seed: 16)
        for _ in 0..<numberOfWorlds {
            let world = World.random(using: &generator)
            let profile = OperationProfile.random(using: &generator)
            let policy = RoutePolicy.random(using: &generator)
            let probes = Probes()
            let first = await policy.resolve(profile, in: world.environment(probes))
            let second = await policy.resolve(profile, in: world.environment())
            check(first == second)
            check(first.support == second.support)
            check(!first.support.contains("Canary"))
            for part in [Probes.Part.local, .privateCloud, .cloud, .entitlement, .killSwitches] {
                check(probes[part] <= 1)
            }
            check(first.rejected.allSatisfy { !$0.why.isEmpty })
            check(Set(first.rejected.map(\.route.kind)).count == (first.decision == nil ? 4 : 3))
        }
    }

    @Test("R17 every fallback that runs is eligible as a first choice in the fresh surroundings")
    func fallbacks() async {
        var generator = SeededGenerator(seed: 17)
        let failures: [AssistantFailure] = [
            .decoding, .busy(until: nil), .offline, .guardrail, .contextTooLarge, .refused, .cancelled, .timeout,
        ]
        var fallbacks = 0
        for _ in 0..<numberOfWorlds {
            let profile = OperationProfile.random(using: &generator)
            let policy = RoutePolicy.random(using: &generator)
            let world = generator.pick([World.random(using: &generator), World.friendly(using: &generator)])
            guard let decision = await policy.resolve(profile, in: world.environment()).decision else { continue }
            let fresh = generator.pick([
                world, World.random(using: &generator), World.friendly(using: &generator),
            ])
            let failure = generator.pick(failures)
            let next = await policy.fallback(after: failure, from: decision, in: fresh.environment())
            guard let fallback = next.decision else { continue }
            fallbacks += 1
            check(failure.isRecoverable)
            check(fallback.primary != decision.primary)
            check(decision.fallbacks.map(\.route.kind).contains(fallback.primary.kind))
            check(fresh.allows(fallback.primary, profile, policy))
            check(!fallback.primary.leavesDevice || decision.mayUpload)
            let others = Set(RouteKind.allCases.filter { $0 != fallback.primary.kind })
            let forced = await policy.narrowed(by: RemoteRestrictions(routes: others))
                .resolve(profile, in: fresh.environment())
            check(forced.decision?.primary == fallback.primary)
        }
        #expect(fallbacks > numberOfWorlds / 100)
    }

    @Test("R25 without consent nothing is sent, whatever fails and whatever changes, in random surroundings")
    func withoutConsent() async {
        var generator = SeededGenerator(seed: 25)
        for _ in 0..<numberOfWorlds {
            let profile = OperationProfile.random(using: &generator)
            let policy = RoutePolicy.random(using: &generator)
            let transport = CountedUploads()
            var worlds = (0..<3).map { _ in World.random(using: &generator) }
            // The consents at the moment of sending are none, whatever they were at the decision.
            if generator.pick([true, false]) { for index in worlds.indices { worlds[index].consents = [] } }
            await transport.drive(profile, policy, through: worlds, ledgerAtSending: MemoryConsentLedger())
            check(transport.sent == 0)
        }
    }

    @Test("R25 in every combination of consent, plan, availability, switch and mode only consented data is sent")
    func combinations() async {
        let request = ConsentRequest(recipient: .firstParty("Example Server"), data: .minimised, disclosureVersion: 2)
        let older = ConsentRequest(recipient: .firstParty("Example Server"), data: .minimised, disclosureVersion: 1)
        let other = ConsentRequest(recipient: .platformPrivateCloud, data: .minimised, disclosureVersion: 2)
        let profile = OperationProfile.rewrite.with { $0.cost = .premium }
        var sentWithConsent = 0
        for mode in ExecutionMode.allCases {
            for local in World.locals {
                for cloud in World.clouds {
                    for entitlement in Entitlement.allCases {
                        for restrictions in [nil, RemoteRestrictions(), RemoteRestrictions(routes: [.cloud])] {
                            for consents: Set<ConsentRequest> in [[], [older], [other], [request]] {
                                var world = World()
                                (world.mode, world.local, world.cloud) = (mode, local, cloud)
                                world.currentEntitlement = entitlement
                                world.currentRestrictions = restrictions
                                world.disclosure = 2
                                world.consents = consents
                                let transport = CountedUploads()
                                await transport.drive(profile, .standard, through: [world, world, world])
                                if !consents.contains(request) { check(transport.sent == 0) }
                                if mode == .onDeviceOnly { check(transport.sent == 0) }
                                sentWithConsent += transport.sent
                            }
                        }
                    }
                }
            }
        }
        #expect(sentWithConsent > 0)
    }
}

/// A way out that counts what goes through, behind the gate that everything that sends passes.
final class CountedUploads: Sendable {
    private let count = Mutex(0)

    var sent: Int { count.withLock { $0 } }

    /// Runs an operation to its end, letting every route fail, one world after the other.
    func drive(
        _ profile: OperationProfile, _ policy: RoutePolicy, through worlds: [World],
        ledgerAtSending: (any ConsentLedger)? = nil
    ) async {
        var resolution = await policy.resolve(profile, in: worlds[0].environment())
        for world in worlds {
            guard let decision = resolution.decision else { return }
            let environment = world.environment()
            if let request = decision.consentNeeded {
                let gate = ConsentGate(ledgerAtSending ?? environment.consent)
                try? await gate.pass(request) { self.count.withLock { $0 += 1 } }
            }
            resolution = await policy.fallback(after: .decoding, from: decision, in: environment)
        }
    }
}
