import Foundation
import RejoinClient
import RejoinCore
import Rehearsal
import Synchronization
import TestSupport
import Testing

@testable import RejoinProbe

@Suite(.serialized, .timeLimit(.minutes(5))) struct ProbeTests {
    @Test("P50.1 P50.2 P50.3 P50.4 P50.5 P50.6 P50.7 P50.8 P29.6 P14.9 P12.1 P21.6 come out as decided")
    func allAsDecided() async throws {
        let said = Mutex<[String]>([])
        let command = ProbeCommand(subject: .own(program: TwinTests.program)) { line in
            said.withLock { $0.append(line) }
        }
        let worksheet = try await command.run(now: Timestamp(milliseconds: 0))
        #expect(worksheet.findings.map(\.number) == Probe.all.map(\.number))
        for finding in worksheet.findings {
            let expected: Finding.Outcome = finding.number == "P50.7" ? .notOffered : .asDecided
            #expect(finding.outcome == expected, "\(finding.number): \(finding.observed)")
        }
        #expect(said.withLock { $0.last } == "11 as decided, 1 not offered")
    }

    @Test("P50.3 against a server that somebody else runs, through a network of the probe's own")
    func target() async throws {
        let upstream = try ScriptedUpstream()
        defer { upstream.stop() }
        let server = try ServerProcess(
            configuration: """
                { models: [{ name: "m", kind: "openai", base_url: "\(upstream.baseURL)", model: "paced-40-20" }],
                  titles: "off" }
                """)
        try await server.start()
        let token = try await server.rejoin("account", "add", "ann", "--data", server.data).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let target = Stage.Target(address: "http://127.0.0.1:\(server.port)", token: token)
        let stage = try Stage.around(target)
        let drop = await Probe.networkDrop.carryOut(on: stage)
        #expect(drop.outcome == .asDecided, "\(drop)")
        // What cannot be seen from here is said.
        #expect(drop.confidence == .low && drop.doubts.count == 2)
        #expect(await Probe.signOut.carryOut(on: stage).outcome == .notOffered)
        await stage.close()
        let nobody = try Stage.around(Stage.Target(address: "http://127.0.0.1:\(server.port)", token: "x"))
        #expect(await !Probe.stop.carryOut(on: nobody).outcome.isAcceptable)
        await nobody.close()
        _ = await server.stop()
    }

    @Test("P29.6 P50.8 any service with chat completions is asked what it can be asked")
    func endpoint() async throws {
        let upstream = try ScriptedUpstream()
        defer { upstream.stop() }
        func endpoint(_ model: String) -> ChatEndpoint {
            ChatEndpoint(address: upstream.baseURL + "/", model: model, key: "key", transport: CurlTransport())
        }
        let shape = await endpoint("paced-40-40").carryOut(.responseShape)
        #expect(shape.outcome == .asDecided && shape.confidence == .medium, "\(shape)")
        // Its answer comes all at once, and a broken one never comes to its end.
        #expect(await endpoint("short").carryOut(.responseShape).outcome == .differs)
        #expect(await !endpoint("cut-9").carryOut(.responseShape).outcome.isAcceptable)
        #expect(await endpoint("short").carryOut(.limits).outcome == .notOffered)
        var script = Script.answer(["Yes."])
        script.fields += [("x-ratelimit-remaining-requests", "9"), ("x-ratelimit-reset-requests", "7s")]
        upstream.play(script, for: "counted")
        #expect(await endpoint("counted").carryOut(.limits).outcome == .asDecided)
        script.fields.removeLast()
        upstream.play(script, for: "half")
        #expect(await endpoint("half").carryOut(.limits).outcome == .differs)
        for probe in Probe.all where !["P29.6", "P50.8"].contains(probe.number) {
            #expect(await endpoint("short").carryOut(probe).outcome == .notOffered)
        }
    }

    @Test("P50.3 a network that is made of the transport cuts, stalls and goes down as one made of connections does")
    func weather() async throws {
        let upstream = try ScriptedUpstream()
        defer { upstream.stop() }
        // An address that no proxy is laid before, so that the transport has to do it.
        let network = try Network(to: "http://[::1]:1", transport: CurlTransport())
        #expect(!network.isReal)
        let request = TransportRequest(method: "GET", url: upstream.baseURL + "/models")
        let reply = try await network.transport.send(request)
        network.cut()
        await #expect(throws: TransportFailure.self) { try await reply.body.next() }
        network.goDown()
        await #expect(throws: TransportFailure.self) { try await network.transport.send(request) }
        network.heal()
        network.throttle(bytesPerSecond: 1000)
        let start = ContinuousClock.now
        let slow = try await network.transport.send(request)
        var count = 0
        while let piece = try await slow.body.next() { count += piece.count }
        #expect(count > 100 && start.duration(to: .now) > .milliseconds(count * 9 / 10))
    }
}
