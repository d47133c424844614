import RejoinAssist
import RejoinCore
import Testing

@Suite struct TelemetryQuestionsTests {
    @Test("R59 from events alone the six questions are answered")
    func figures() async throws {
        let sink = MemoryTelemetrySink()
        let policy = RoutePolicy.standard
        func resolve(_ change: (inout World) -> Void, _ profile: OperationProfile = .rewrite) async -> Resolution {
            var world = World().withConsent()
            change(&world)
            let resolution = await policy.resolve(profile, in: world.environment())
            sink.record(TelemetryEvent(resolution))
            return resolution
        }
        // Six in the mode automatic that run: four here, one there, one here that goes there after a failure.
        for _ in 0..<4 { _ = await resolve { _ in } }
        _ = await resolve { $0.local = .osTooOld }
        let local = try #require(await resolve { _ in }.decision)
        sink.record(
            TelemetryEvent(
                await policy.fallback(after: .timeout, from: local, in: World().withConsent().environment())))
        // One in another mode, one refused, one asked, two that wait; none of them counts as automatic.
        _ = await resolve { $0.mode = .cloudAllowed }
        _ = await resolve {
            $0.local = .disabledByUser
            $0.cloud = nil
        }
        _ = await resolve {
            $0.local = .busy
            $0.consents = []
        }
        for _ in 0..<2 { _ = await resolve({ $0.local = .preparing }, .rewrite.with { $0.urgency = .canWait }) }
        sink.record(TelemetryEvent(.preparationAbandoned, operation: "rewrite"))

        for (result, language) in [
            (ValidationOutcome.Result.accepted, LanguageLabel.de), (.rejected, .de), (.partly, .de), (.accepted, .de),
            (.rejected, .ja),
        ] {
            sink.record(
                TelemetryEvent(
                    .validated, operation: "rewrite", validation: ValidationOutcome(result, language: language)))
        }
        sink.record(TelemetryEvent(.failedAfterValidating, operation: "rewrite"))
        for name in [EventName.committed, .committed, .discarded, .committed, .staleDiscarded] {
            sink.record(TelemetryEvent(name, operation: "rewrite"))
        }

        let answers = TelemetryQuestions(sink.events)
        // Of the twelve, the fallback did not look at the device's model again.
        #expect(answers.localUnavailable.count == 5 && answers.localUnavailable.total == 11)
        #expect(answers.automaticToCloud.count == 2 && answers.automaticToCloud.total == 6)
        #expect(answers.validationFailures[.de]?.fraction == 0.25)
        #expect(answers.validationFailures[.ja]?.fraction == 1)
        #expect(answers.abandonedInPreparation.fraction == 0.5)
        #expect(answers.discarded.fraction == 0.25)
        #expect(answers.failedAfterValidating.count == 1 && answers.failedAfterValidating.total == 3)
        #expect(answers.lines.contains("automatic, left the device: 33.3 % (2 of 6)"))
        #expect(answers.lines.contains("validation failed (de): 25.0 % (1 of 4)"))
    }

    @Test("R59 without events there are no figures")
    func none() {
        let answers = TelemetryQuestions([])
        #expect(answers.automaticToCloud.fraction == nil)
        #expect(answers.lines.allSatisfy { $0.hasSuffix("no data") })
    }
}
