import RejoinAssist
import RejoinCore
import Testing

@Suite struct RouteResolverTests {
    private let policy = RoutePolicy.standard

    // MARK: Rules

    @Test("R05 a need met by a rule runs no model: nothing is asked, there is no fallback, nothing may be uploaded")
    func rule() async throws {
        var world = World().withConsent()
        world.ruleMatches = true
        let probes = Probes()
        let decision = try #require(await policy.resolve(.rewrite, in: world.environment(probes)).decision)
        #expect(decision.primary == .deterministic)
        #expect(decision.reason == .ruleMatched)
        #expect(decision.fallbacks.isEmpty)
        #expect(!decision.mayUpload)
        #expect(decision.boundaries == [.device])
        #expect(decision.rejected.allSatisfy { $0.why == [.notEvaluated] })
        for part in [Probes.Part.local, .privateCloud, .cloud, .entitlement, .killSwitches] {
            #expect(probes[part] == 0)
        }
    }

    // MARK: Capabilities

    @Test("R06 what needs live retrieval is not run on the device even when its model is ready")
    func liveRetrieval() async throws {
        var world = World().withConsent()
        world.local = .ready(.plain)
        let resolution = await policy.resolve(.prices, in: world.environment())
        #expect(resolution.decision?.primary == .cloud(.small))
        #expect(resolution.reasons(.onDevice) == [.missing(.liveRetrieval)])
    }

    @Test("R06 a picture goes to the device's model if that sees, and not to a server's that reads only text")
    func vision() async throws {
        var world = World().withConsent()
        world.cloud = .ready(.plain)
        #expect(await policy.resolve(.interpret, in: world.environment()).decision?.primary == .onDevice)
        world.local = .ready(.plain)
        let refusal = try #require(await policy.resolve(.interpret, in: world.environment()).refusal)
        #expect(refusal.rejected.contains { $0.route == .cloud(.small) && $0.why == [.missing(.vision)] })
        #expect(refusal.rejected.contains { $0.route == .onDevice && $0.why == [.missing(.vision)] })
    }

    @Test(
        "R07 each capability that is missing is a reason of its own",
        arguments: [Capability.text, .structuredOutput, .tools, .vision, .liveRetrieval, .longContext])
    func missing(capability: Capability) async {
        var world = World()
        world.local = .ready(
            CapabilityRecord(capabilities: CapabilityRecord.capable.capabilities.subtracting(capability)))
        world.cloud = nil
        let profile = OperationProfile.rewrite.with { $0.requires = CapabilityRecord.capable.capabilities }
        let resolution = await policy.resolve(profile, in: world.environment())
        #expect(resolution.reasons(.onDevice) == [.missing(capability)])
    }

    @Test("R07 language and context are reasons of their own, with the numbers of the context, and stand side by side")
    func languageAndContext() async {
        var world = World()
        world.local = .ready(.plain)
        world.cloud = nil
        let profile = OperationProfile.rewrite.with {
            $0.requires = [.text, .tools, .vision]
            $0.languages = .these(["ja"])
            $0.budget = TokenBudget(input: 4000, output: 97)
        }
        let resolution = await policy.resolve(profile, in: world.environment())
        #expect(
            resolution.reasons(.onDevice) == [
                .missing(.tools), .missing(.vision), .languageUnsupported,
                .contextTooSmall(needed: 4097, available: 4096),
            ])
    }

    @Test(
        "R07 a context that is just large enough, or of unknown size, is no reason", arguments: [4097, 0, -1, Int.min])
    func contextThatFits(size: Int) async {
        var world = World()
        world.local = .ready(CapabilityRecord(capabilities: .text, contextSize: size))
        let profile = OperationProfile.rewrite.with { $0.budget = TokenBudget(input: 4000, output: 97) }
        #expect(await policy.resolve(profile, in: world.environment()).decision?.primary == .onDevice)
    }

    @Test(
        "R07 a model that knows a language knows its regions, and not the regions of another",
        arguments: [
            (["pt"], "pt-BR", true), (["pt-BR"], "pt", true), (["pt-BR"], "pt-PT", false), (["PT_br"], "pt-BR", true),
            (["zh-Hans"], "zh-Hans-CN", true), (["zh-Hans"], "zh-Hant", false), (["de"], "dsb", false),
            ([], "de", false),
            (["", "-"], "de", false),
        ])
    func languages(known: [String], needed: String, isMet: Bool) {
        #expect(LanguageSupport.these(Set(known)).meets(.these([needed])) == isMet)
        #expect(LanguageSupport.these(Set(known)).meets(.any))
        #expect(LanguageSupport.all.meets(.these([needed])))
    }

    // MARK: Availability

    @Test("R08 each state of the device's model reaches the decision as itself", arguments: LocalState.allCases)
    func localStates(state: LocalState) async {
        var world = World()
        world.cloud = nil
        world.local = LocalAvailability(state, record: .capable)
        let resolution = await policy.resolve(.rewrite, in: world.environment())
        #expect(world.local.state == state)
        if state == .ready {
            #expect(resolution.decision?.primary == .onDevice)
        } else {
            #expect(resolution.reasons(.onDevice) == [.local(world.local)])
        }
    }

    @Test("R08 a reason that nobody knows becomes unknown, and so does a ready model that says nothing of itself")
    func unknownReasons() {
        #expect(LocalState(reported: "somethingNew") == .unknown)
        #expect(LocalState(reported: "") == .unknown)
        #expect(LocalState(reported: "READY") == .unknown)
        #expect(LocalState(reported: "busy") == .busy)
        #expect(LocalAvailability(.ready) == .unknown)
        #expect(CloudState(reported: "somethingNew") == .unknown)
    }

    @Test("R09 each state of the server reaches the decision as itself, with its time")
    func cloudStates() async {
        let until = Timestamp(milliseconds: 1_000)
        for cloud in [
            CloudAvailability.offline, .signedOut, .rateLimited(until: until), .quotaReached(resets: until),
            .disabledRemotely, .unknown,
        ] {
            var world = World().withConsent()
            world.local = .hardwareIneligible
            world.cloud = cloud
            let resolution = await policy.resolve(.rewrite, in: world.environment())
            #expect(resolution.reasons(.cloud) == [.cloud(cloud)])
            #expect(resolution.refusal != nil)
        }
    }

    @Test("R09 the private cloud's quota counts beside its availability")
    func privateCloudQuota() async {
        var world = World().withConsent()
        world.local = .hardwareIneligible
        world.cloud = nil
        world.privateCloud = PrivateCloudAvailability(.ready(.capable), quota: .reached(resets: nil))
        let resolution = await policy.resolve(.rewrite, in: world.environment())
        #expect(resolution.reasons(.privateCloud) == [.privateCloudQuota(resets: nil)])
        world.privateCloud = PrivateCloudAvailability(.ready(.capable), quota: .approachingLimit)
        let decision = await policy.resolve(.rewrite, in: world.environment()).decision
        #expect(decision?.primary == .privateCloud)
        #expect(decision?.boundaries == [.platformPrivateCloud])
    }

    @Test("R11 while the model is prepared, what is needed now goes elsewhere")
    func preparingNow() async {
        var world = World().withConsent()
        world.local = .preparing
        let resolution = await policy.resolve(.rewrite, in: world.environment())
        #expect(resolution.decision?.primary == .cloud(.small))
        #expect(resolution.reasons(.onDevice) == [.local(.preparing)])
    }

    @Test("R11 while the model is prepared, what can wait may wait, says so, and asks no server")
    func preparingWhileItCanWait() async throws {
        var world = World().withConsent()
        world.local = .preparing
        let probes = Probes()
        let profile = OperationProfile.rewrite.with { $0.urgency = .canWait }
        let resolution = await policy.resolve(profile, in: world.environment(probes))
        let wait = try #require(resolution.waiting)
        #expect(wait.state == .preparing)
        #expect(resolution.status.words == "Preparing on this device")
        #expect(resolution.explain().key == .waitsForPreparation)
        #expect(probes[.cloud] == 0)
        #expect(resolution.reasons(.cloud) == [.notEvaluated])
        // It does not wait for what does not pass by itself.
        world.local = .notDownloaded
        #expect(await policy.resolve(profile, in: world.environment()).waiting == nil)
    }

    @Test("R12 availability is read at each decision: ready, preparing, ready give three decisions")
    func readEachTime() async {
        var world = World()
        world.cloud = nil
        let probes = Probes()
        var outcomes: [Bool] = []
        for local in [LocalAvailability.ready(.capable), .preparing, .ready(.capable)] {
            world.local = local
            outcomes.append(await policy.resolve(.rewrite, in: world.environment(probes)).decision != nil)
        }
        #expect(outcomes == [true, false, true])
        #expect(probes[.local] == 3)
    }

    // MARK: Switches and plans

    @Test("R13 work on the device goes by what was last known, and goes on where nothing ever was")
    func deviceFailsOpen() async {
        let profile = OperationProfile.rewrite.with { $0.deviceCost = .premium }
        var world = World()
        world.cloud = nil
        world.cachedRestrictions = nil
        world.currentRestrictions = nil
        world.cachedEntitlement = .unknown
        world.currentEntitlement = .unknown
        let probes = Probes()
        #expect(await policy.resolve(profile, in: world.environment(probes)).decision?.primary == .onDevice)
        world.cachedEntitlement = .denied
        #expect(
            await policy.resolve(profile, in: world.environment(probes)).reasons(.onDevice) == [.notEntitled(.premium)])
        world.cachedEntitlement = .granted
        world.cachedRestrictions = RemoteRestrictions(operations: ["rewrite": [.onDevice]])
        #expect(await policy.resolve(profile, in: world.environment(probes)).reasons(.onDevice) == [.killSwitch])
        #expect(probes[.entitlement] == 0)
        #expect(probes[.killSwitches] == 0)
    }

    @Test("R13 a route that leaves the device stops where the switch or the plan is not known")
    func cloudFailsClosed() async {
        var world = World().withConsent()
        world.local = .hardwareIneligible
        world.currentRestrictions = nil
        world.currentEntitlement = .unknown
        let profile = OperationProfile.rewrite.with { $0.cost = .metered }
        #expect(
            await policy.resolve(profile, in: world.environment()).reasons(.cloud) == [
                .killSwitchUnknown, .entitlementUnknown(.metered),
            ])
        world.currentRestrictions = RemoteRestrictions(routes: [.cloud])
        world.currentEntitlement = .denied
        #expect(
            await policy.resolve(profile, in: world.environment()).reasons(.cloud) == [
                .killSwitch, .notEntitled(.metered),
            ])
    }

    @Test("R27 with a free local model and a paid server behind one button, a non-subscriber still gets the local one")
    func nonSubscriber() async {
        var world = World().withConsent()
        world.cachedEntitlement = .denied
        world.currentEntitlement = .denied
        let profile = OperationProfile.rewrite.with { $0.cost = .premium }
        #expect(await policy.resolve(profile, in: world.environment()).decision?.primary == .onDevice)
        world.local = .busy
        #expect(
            await policy.resolve(profile, in: world.environment()).reasons(.cloud) == [.notEntitled(.premium)])
    }

    // MARK: The decision

    @Test("R15 a decision names a reason for every other route, the fallback, the boundaries and the policy's version")
    func wholeDecision() async throws {
        var world = World().withConsent()
        world.recipient = .thirdParty("Canary Limited")
        world = world.withConsent()
        let resolution = await RoutePolicy(version: 7).resolve(.rewrite, in: world.environment())
        let decision = try #require(resolution.decision)
        #expect(decision.primary == .onDevice)
        #expect(decision.reason == .preferred)
        #expect(decision.fallback == .recheck(.cloud(.small)))
        #expect(decision.boundaries == [.device, .thirdParty("Canary Limited")])
        #expect(decision.policyVersion == 7)
        #expect(!decision.willUpload && decision.mayUpload)
        #expect(resolution.reasons(.deterministic) == [.noRuleMatched])
        #expect(resolution.reasons(.privateCloud) == [.notConfigured])
        #expect(resolution.reasons(.cloud) == [.notEvaluated])
        #expect(
            resolution.support
                == "op=rewrite run=on-device reason=preferred fallback=recheck:cloud-small "
                + "boundaries=device,third-party will-upload=false may-upload=true mode=automatic policy=7 "
                + "rejected=deterministic:no-rule,private-cloud:not-configured,cloud-small:not-asked")
    }

    @Test("R18 a short rewrite with a ready local model is run there, and neither plan nor server is asked")
    func localFirst() async throws {
        let probes = Probes()
        let world = World().withConsent()
        let decision = try #require(await policy.resolve(.rewrite, in: world.environment(probes)).decision)
        #expect(decision.primary == .onDevice)
        #expect(probes[.entitlement] == 0)
        #expect(probes[.cloud] == 0)
        #expect(probes[.killSwitches] == 0)
        #expect(probes[.local] == 1)
    }

    @Test("R20 the reason tells a local model that lacks something from one that cannot run now")
    func reasons() async {
        var world = World().withConsent()
        world.local = .ready(.plain)
        #expect(await policy.resolve(.prices, in: world.environment()).decision?.reason == .localLacks(.capability))
        let japanese = OperationProfile.rewrite.with { $0.languages = .these(["ja"]) }
        #expect(await policy.resolve(japanese, in: world.environment()).decision?.reason == .localLacks(.language))
        let long = OperationProfile.rewrite.with { $0.budget.input = 9000 }
        #expect(await policy.resolve(long, in: world.environment()).decision?.reason == .localLacks(.context))
        for local in World.locals.filter({ $0.state != .ready }) {
            world.local = local
            #expect(
                await policy.resolve(.rewrite, in: world.environment()).decision?.reason
                    == .localUnavailable(local.state))
        }
        world.local = .ready(.capable)
        world.cachedRestrictions = RemoteRestrictions(routes: [.onDevice])
        #expect(await policy.resolve(.rewrite, in: world.environment()).decision?.reason == .localForbidden)
        world.cachedRestrictions = nil
        world.mode = .cloudAllowed
        world.cloud = .offline
        let cloudFirst = RoutePolicy(version: 1, preferences: [RoutePreference(.cloud, weight: 1)])
        let decision = await cloudFirst.resolve(.rewrite, in: world.environment()).decision
        #expect(decision?.primary == .onDevice)
        #expect(decision?.reason == .preferredUnavailable)
    }

    @Test("R21 where only consent is missing it is asked for; where anything else is missing too, all of it is told")
    func onlyConsent() async throws {
        var world = World()
        world.local = .hardwareIneligible
        let request = ConsentRequest(recipient: world.recipient, data: .minimised, disclosureVersion: 1)
        let question = try #require(await policy.resolve(.rewrite, in: world.environment()).question)
        #expect(question.request == request)
        #expect(question.route == .cloud(.small))
        world.cloud = .offline
        let profile = OperationProfile.rewrite.with { $0.cost = .premium }
        world.currentEntitlement = .denied
        let refusal = try #require(await policy.resolve(profile, in: world.environment()).refusal)
        #expect(
            refusal.rejected.first { $0.route == .cloud(.small) }?.why == [
                .consentMissing(request), .notEntitled(.premium), .cloud(.offline),
            ])
        #expect(refusal.rejected.first { $0.route == .onDevice }?.why == [.local(.hardwareIneligible)])
    }

    @Test("R21 a record of consents that cannot be read counts as none, and is told instead of asked about")
    func unreadableConsent() async {
        var world = World().withConsent()
        world.local = .hardwareIneligible
        world.consentIsReadable = false
        let resolution = await policy.resolve(.rewrite, in: world.environment())
        #expect(resolution.reasons(.cloud) == [.consentUnreadable])
        #expect(resolution.explain().key == .consentUnreadable)
    }

    @Test("R23 on the device only, with the model's files away: local unavailable, and no server is asked anything")
    func onDeviceOnly() async throws {
        var world = World().withConsent()
        world.mode = .onDeviceOnly
        world.local = .notDownloaded
        world.privateCloud = PrivateCloudAvailability(.ready(.capable))
        let probes = Probes()
        let resolution = await policy.resolve(.rewrite, in: world.environment(probes))
        let refusal = try #require(resolution.refusal)
        #expect(resolution.reasons(.onDevice) == [.local(.notDownloaded)])
        #expect(resolution.reasons(.cloud) == [.modeForbids(.onDeviceOnly)])
        #expect(refusal.mode == .onDeviceOnly)
        for part in [Probes.Part.cloud, .privateCloud, .entitlement, .killSwitches] { #expect(probes[part] == 0) }
        let transport = CountedUploads()
        await transport.drive(.rewrite, policy, through: [world, world])
        #expect(transport.sent == 0)
    }

    @Test("R10 in the automatic mode no weight puts a server before the device; where the cloud is allowed, weights do")
    func modes() async {
        let policy = RoutePolicy(version: 1, preferences: [RoutePreference(.cloud, weight: .max)])
        var world = World().withConsent()
        #expect(await policy.resolve(.rewrite, in: world.environment()).decision?.primary == .onDevice)
        world.mode = .cloudAllowed
        let decision = await policy.resolve(.rewrite, in: world.environment()).decision
        #expect(decision?.primary == .cloud(.small))
        #expect(decision?.reason == .preferred)
        #expect(decision?.fallback == .recheck(.onDevice))
    }
}
