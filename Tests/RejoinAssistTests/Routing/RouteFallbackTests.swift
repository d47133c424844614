import RejoinAssist
import RejoinCore
import Testing

@Suite struct RouteFallbackTests {
    private let policy = RoutePolicy.standard

    @Test("R19 a fallback is decided in the surroundings as they are now: consent revoked meanwhile, nothing is sent")
    func revokedMeanwhile() async throws {
        let world = World().withConsent()
        let ledger = MemoryConsentLedger(world.consents.map { ConsentGrant($0, at: Timestamp(milliseconds: 1)) })
        let environment = world.environment(ledger: ledger)
        let decision = try #require(await policy.resolve(.rewrite, in: environment).decision)
        #expect(decision.fallback == .recheck(.cloud(.small)))
        let still = await policy.fallback(after: .decoding, from: decision, in: environment)
        #expect(still.decision?.primary == .cloud(.small))
        #expect(still.decision?.reason == .fallback(after: .decoding))

        await ledger.revoke(world.recipient)
        let next = await policy.fallback(after: .decoding, from: decision, in: environment)
        #expect(next.decision == nil)
        #expect(next.question?.request.recipient == world.recipient)
    }

    @Test("R25 a local failure without consent to the server asks, and one without a server stops")
    func askOrStop() async throws {
        var world = World()
        let decision = try #require(await policy.resolve(.rewrite, in: world.environment()).decision)
        #expect(decision.fallback == .mayAsk(.cloud(.small)))
        #expect(await policy.fallback(after: .timeout, from: decision, in: world.environment()).question != nil)
        world.cloud = nil
        let resolution = await policy.fallback(after: .timeout, from: decision, in: world.environment())
        #expect(resolution.refusal != nil)
        #expect(resolution.reasons(.onDevice) == [.failed(.timeout)])
    }

    @Test(
        "R19 what lies with the request or the person has no other route",
        arguments: [
            AssistantFailure.refused, .cancelled, .invalidRequest, .signedOut, .notEntitled,
        ])
    func unrecoverable(failure: AssistantFailure) async throws {
        let world = World().withConsent()
        let probes = Probes()
        let decision = try #require(await policy.resolve(.rewrite, in: world.environment()).decision)
        let resolution = await policy.fallback(after: failure, from: decision, in: world.environment(probes))
        #expect(resolution.refusal != nil)
        #expect(resolution.reasons(.cloud) == [.notPermitted])
        #expect(probes[.cloud] == 0)
    }

    @Test("R19 a route that has failed is not tried again for the same request")
    func eachOnce() async throws {
        var world = World().withConsent()
        world.privateCloud = PrivateCloudAvailability(.ready(.capable))
        let environment = world.environment()
        var resolution = await policy.resolve(.rewrite, in: environment)
        var routes: [Route] = []
        while let decision = resolution.decision {
            routes.append(decision.primary)
            resolution = await policy.fallback(after: .timeout, from: decision, in: environment)
        }
        #expect(routes == [.onDevice, .privateCloud, .cloud(.small)])
    }

    @Test("R17 a fallback needs every capability that the first choice needed")
    func sameJudge() async throws {
        var world = World().withConsent()
        world.cloud = .ready(.plain)
        let decision = try #require(await policy.resolve(.interpret, in: world.environment()).decision)
        let resolution = await policy.fallback(after: .decoding, from: decision, in: world.environment())
        #expect(resolution.decision == nil)
        #expect(resolution.reasons(.cloud) == [.missing(.vision)])
    }

    @Test("R14 a decision that may not upload has no fallback that does, even where that becomes possible later")
    func noSurprise() async throws {
        var world = World().withConsent()
        world.mode = .onDeviceOnly
        let decision = try #require(await policy.resolve(.rewrite, in: world.environment()).decision)
        #expect(!decision.mayUpload)
        world.mode = .cloudAllowed
        let resolution = await policy.fallback(after: .decoding, from: decision, in: world.environment())
        #expect(resolution.reasons(.cloud) == [.notPermitted])
    }

    @Test("R19 from a server that fails it may go back to the device, where that was only busy")
    func backToTheDevice() async throws {
        var world = World().withConsent()
        world.local = .busy
        let decision = try #require(await policy.resolve(.rewrite, in: world.environment()).decision)
        #expect(decision.primary == .cloud(.small))
        #expect(decision.fallback == .recheck(.onDevice))
        world.local = .ready(.capable)
        let resolution = await policy.fallback(after: .offline, from: decision, in: world.environment())
        #expect(resolution.decision?.primary == .onDevice)
        #expect(resolution.decision?.mayUpload == false)
    }
}
