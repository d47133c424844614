import RejoinAssist
import RejoinCore
import Testing

@Suite struct ExplanationTests {
    private let policy = RoutePolicy.standard

    @Test("R08 each state of the device's model has its own message, next action and telemetry label")
    func localStates() async {
        let states = LocalState.allCases
        #expect(Set(states.map { MessageKey($0) }).count == states.count)
        #expect(Set(states.map { MessageKey($0).sentence }).count == states.count)
        #expect(Set(states.map { NextAction($0) }).count == states.count)
        var labels: Set<String> = []
        for state in states {
            var world = World()
            world.local = LocalAvailability(state, record: .capable)
            let resolution = await policy.resolve(.rewrite, in: world.environment())
            labels.insert(TelemetryEvent(resolution).local?.rawValue ?? "none")
        }
        #expect(labels == Set(states.map(\.rawValue)))
    }

    @Test("R09 each state of the server has its own message, next action and telemetry label")
    func cloudStates() async {
        let clouds: [CloudAvailability] = [
            .ready(.capable), .offline, .signedOut, .rateLimited(until: nil), .quotaReached(resets: nil),
            .disabledRemotely, .unknown,
        ]
        #expect(Set(clouds.map(\.state)) == Set(CloudState.allCases))
        #expect(Set(clouds.map { MessageKey($0.state).sentence }).count == clouds.count)
        #expect(Set(clouds.map { NextAction($0) }).count == clouds.count)
        var labels: Set<CloudState?> = []
        for cloud in clouds {
            var world = World().withConsent()
            world.local = .hardwareIneligible
            world.cloud = cloud
            labels.insert(TelemetryEvent(await policy.resolve(.rewrite, in: world.environment())).cloud)
        }
        #expect(labels == Set(CloudState.allCases))
    }

    @Test("R08 every message is a sentence of its own, in a few words")
    func words() {
        let sentences = MessageKey.allCases.map(\.sentence)
        #expect(Set(sentences).count == sentences.count)
        for sentence in sentences {
            #expect(sentence.hasSuffix(".") && sentence.count <= 80)
            #expect(sentence.first?.isUppercase == true)
        }
    }

    @Test("R24 on the device only, what cannot run says one reason and what would make it possible")
    func onDeviceOnly() async {
        let cases: [(OperationProfile, LocalAvailability, MessageKey, NextAction)] = [
            (.rewrite, .disabledByUser, .localDisabled, .turnOnModel),
            (.rewrite, .notDownloaded, .localNotDownloaded, .downloadModel),
            (.rewrite, .osTooOld, .localTooOld, .updateSystem),
            (.rewrite, .preparing, .localPreparing, .waitForPreparation),
            (.rewrite.with { $0.budget.input = 9000 }, .ready(.plain), .contextTooSmall, .shorten),
            // What the device can never do, another mode can.
            (.rewrite, .hardwareIneligible, .modeForbids, .changeMode),
            (.prices, .ready(.plain), .modeForbids, .changeMode),
        ]
        for (profile, local, key, action) in cases {
            var world = World().withConsent()
            world.mode = .onDeviceOnly
            world.local = local
            let explanation = await policy.resolve(profile, in: world.environment()).explain()
            #expect(explanation.key == key)
            #expect(explanation.action == action)
        }
    }

    @Test("R24 where nothing that a person can do helps, the device's own reason is told and no action is offered")
    func noWayOut() async {
        var world = World()
        world.cloud = nil
        world.local = .hardwareIneligible
        var explanation = await policy.resolve(.rewrite, in: world.environment()).explain()
        #expect(explanation.key == .localIneligible)
        #expect(explanation.action == nil)
        world.local = .ready(.plain)
        explanation = await policy.resolve(.prices, in: world.environment()).explain()
        #expect(explanation.key == .missingLookup)
        #expect(explanation.action == nil)
    }

    @Test("R24 a question for consent and a decision explain themselves")
    func others() async {
        var world = World()
        #expect(await policy.resolve(.rewrite, in: world.environment()).explain().key == .runsHere)
        world.local = .hardwareIneligible
        let question = await policy.resolve(.rewrite, in: world.environment())
        #expect(question.explain().key == .asksConsent)
        #expect(question.explain().action == question.question.map { .giveConsent($0.request) })
        world = world.withConsent()
        #expect(await policy.resolve(.rewrite, in: world.environment()).explain().key == .runsOnServer)
    }

    @Test("R15 the line for support has no word of a recipient's name, in any outcome")
    func support() async {
        for local in World.locals {
            for cloud in World.clouds {
                var world = World()
                (world.local, world.cloud) = (local, cloud)
                world.recipient = .thirdParty("Canary Limited")
                for world in [world, world.withConsent()] {
                    let resolution = await policy.resolve(.prices, in: world.environment())
                    #expect(!resolution.support.contains("Canary"))
                    #expect(resolution.support.hasPrefix("op=prices "))
                    #expect(resolution.explain().support == resolution.support)
                }
            }
        }
    }

    @Test("R56 before data leaves in the automatic mode, the boundary is told; a permitted fallback alone is not told")
    func notices() async throws {
        var world = World().withConsent()
        let local = try #require(await policy.resolve(.rewrite, in: world.environment()).decision)
        #expect(local.mayUpload && local.notice == nil)
        #expect(local.status.words == "Working on this device")

        let fallback = await policy.fallback(after: .guardrail, from: local, in: world.environment())
        #expect(fallback.notice?.boundary == .firstParty("Example Server"))
        #expect(fallback.notice?.isFallback == true)
        #expect(fallback.notice?.sentence == "It did not work out so far. It goes on at Example Server.")

        world.local = .osTooOld
        let away = await policy.resolve(.rewrite, in: world.environment())
        #expect(away.notice?.sentence == "This leaves your device. It goes to Example Server.")
        #expect(away.notice?.boundary == away.decision?.boundary)
        #expect(away.status == .workingAt(.firstParty("Example Server")))

        world.mode = .cloudAllowed
        let allowed = await policy.resolve(.rewrite, in: world.environment())
        #expect(allowed.decision?.willUpload == true && allowed.notice == nil)
    }
}
