import Foundation
import RejoinAssist
import RejoinCore
import SeededRandom
import Testing

@Suite struct TelemetryEventTests {
    private let full = TelemetryEvent(
        .validated, operation: "rewrite", route: .onDevice, reason: .preferred, local: .ready, cloud: .offline,
        duration: .under1s, validation: ValidationOutcome(.rejected, language: .pt), failure: .decoding,
        policyVersion: 7, model: VersionLabel("small", 1, 2))

    @Test("R57 an event has exactly the allowed fields, and nothing else is written")
    func fields() throws {
        let object = try #require(try JSONReader.parse(full.line).object)
        #expect(object.members.map(\.name) == TelemetryEvent.fields)
        #expect(
            String(decoding: full.line, as: UTF8.self)
                == #"{"event":"validated","operation":"rewrite","route":"on-device","reason":"preferred","#
                + #""availability":{"local":"ready","cloud":"offline"},"duration":"<1s","#
                + #""validation":{"result":"rejected","language":"pt"},"error":"decoding","#
                + #""versions":{"policy":7,"model":"small","modelVersion":[1,2]}}"#)
        #expect(
            String(decoding: TelemetryEvent(.discarded, operation: "group").line, as: UTF8.self)
                == #"{"event":"discarded","operation":"group"}"#)
    }

    @Test("R57 every stored part of an event is one of a few words or a number of a version")
    func types() {
        for child in Mirror(reflecting: full).children {
            var value = child.value
            if let optional = Mirror(reflecting: value).children.first,
                Mirror(reflecting: value).displayStyle == .optional
            {
                value = optional.value
            }
            let isClosed =
                Mirror(reflecting: value).displayStyle == .enum || value is UInt16 || value is OperationID
                || value is VersionLabel || value is ValidationOutcome
            #expect(isClosed, "\(child.label ?? "?")")
        }
    }

    @Test("R58 text in names, errors and recipients is in no event, no support line and no error's description")
    func canary() async throws {
        struct CanaryError: Error { let text = "CANARY" }
        var generator = SeededGenerator(seed: 58)
        for _ in 0..<300 {
            var world = World.random(using: &generator)
            world.recipient = .thirdParty("CANARY")
            world = world.withConsent()
            let profile = OperationProfile.random(using: &generator)
            let resolution = await RoutePolicy.standard.resolve(profile, in: world.environment())
            #expect(!String(decoding: TelemetryEvent(resolution).line, as: UTF8.self).contains("CANARY"))
            #expect(!resolution.support.contains("CANARY"))
            guard let decision = resolution.decision else { continue }
            let failure = AssistantFailure.unknown(type: ErrorTypeName(of: CanaryError()))
            let next = await RoutePolicy.standard.fallback(after: failure, from: decision, in: world.environment())
            #expect(!next.support.contains("CANARY"))
            #expect(!String(decoding: TelemetryEvent(next).line, as: UTF8.self).contains("CANARY"))
        }
        #expect(LanguageLabel(tag: "CANARY-x") == .other)
        #expect(LanguageLabel(tag: "pt_BR") == .pt)
        await #expect(throws: ConsentLedgerError.self) {
            do {
                _ = try await FileConsentLedger(path: "/CANARY\0/\u{1}CANARY/..").grants()
                try await FileConsentLedger(path: "/proc/CANARY/x").record(
                    ConsentGrant(
                        ConsentRequest(recipient: .thirdParty("CANARY"), data: .none, disclosureVersion: 1),
                        at: Timestamp(milliseconds: 0)))
            } catch {
                #expect(!"\(error)".contains("CANARY"))
                throw error
            }
        }
    }

    @Test("R57 events are kept in a file of lines and read back as they were")
    func file() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/events.jsonl"
            let sink = FileTelemetrySink(path: path)
            let events = [
                full, TelemetryEvent(.waiting, operation: "group"), TelemetryEvent(.failed, operation: "old"),
            ]
            for event in events { sink.record(event) }
            let read = try sink.read(operations: ["rewrite", "group"], models: [VersionLabel("small")])
            #expect(read.events == Array(events.prefix(2)))
            #expect(read.unreadable == 1)
            #expect(sink.lost == 0)
            #expect(try permissions(of: path) == 0o600)
            // A model that nobody names is left out; its event counts all the same.
            #expect(try sink.read(operations: ["rewrite"]).events.first?.model == nil)
        }
    }

    @Test("R57 the file of events takes no more room than it may, and keeps the newest")
    func bounded() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/events.jsonl"
            let sink = FileTelemetrySink(path: path, limit: 4096)
            for number in 0..<1000 {
                sink.record(TelemetryEvent(.committed, operation: "rewrite", policyVersion: UInt16(number)))
            }
            let sizes = try [path, path + ".before"].map { try Data(contentsOf: URL(filePath: $0)).count }
            #expect(sizes.allSatisfy { $0 <= 4096 })
            let events = try sink.read(operations: ["rewrite"]).events
            #expect(events.last?.policyVersion == 999)
            #expect(events.compactMap(\.policyVersion) == Array((1000 - UInt16(events.count))..<1000))
        }
    }

    @Test("R58 a line with text in it is no event")
    func foreignLines() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/events.jsonl"
            let lines = [
                #"{"event":"failed","operation":"rewrite","note":"hello"}"#,
                #"{"event":"hello","operation":"rewrite"}"#,
                #"{"event":"failed","operation":"hello"}"#,
                #"{"event":"failed","operation":"rewrite","error":"hello"}"#,
                #"{"event":"failed","operation":"rewrite","validation":{"result":"accepted"}}"#, "hello", "{",
            ]
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
            let read = try FileTelemetrySink(path: path).read(operations: ["rewrite"])
            #expect(read.events.isEmpty)
            #expect(read.unreadable == lines.count)
        }
    }

    @Test("R57 a sink that cannot write loses events and counts them")
    func lost() {
        let sink = FileTelemetrySink(path: "/proc/none/events")
        sink.record(full)
        #expect(sink.lost == 1)
    }

    @Test("R57 the sink in memory keeps the newest")
    func memory() {
        let sink = MemoryTelemetrySink(limit: 3)
        for number in 0..<10 {
            sink.record(TelemetryEvent(.failed, operation: "rewrite", policyVersion: UInt16(number)))
        }
        #expect(sink.events.map(\.policyVersion) == [7, 8, 9])
    }

    @Test(
        "R57 durations are kept as buckets",
        arguments: [
            (Duration.milliseconds(-5), DurationBucket.under100ms), (.milliseconds(99), .under100ms),
            (.milliseconds(100), .under300ms), (.seconds(2), .under3s), (.seconds(29), .under30s),
            (.seconds(30), .longer),
        ])
    func buckets(duration: Duration, bucket: DurationBucket) {
        #expect(DurationBucket(duration) == bucket)
    }
}
