import Foundation
import RejoinClient
import RejoinCore
import Rehearsal
import Synchronization
import TestSupport
import Testing

@testable import RejoinProbe

/// Each probe against a server or a client that is broken on purpose: a probe that cannot fail proves nothing.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TwinTests {
    static let program = ServerProcess.programs + "/rejoin"

    /// Carries one probe out where something is broken.
    private func finding(
        of probe: Probe, _ breaking: (inout Stage.Parts) -> Void
    ) async throws -> Finding {
        var parts = Stage.Parts()
        breaking(&parts)
        let stage = try await Stage.ownServer(program: Self.program, parts: parts)
        let finding = await probe.carryOut(on: stage)
        await stage.close()
        return finding
    }

    /// The same, with a fault in what devices send and get.
    private func finding(
        of probe: Probe, on device: String? = nil,
        fault: @escaping @Sendable (TransportRequest, any Transport) async throws -> TransportReply?
    ) async throws -> Finding {
        try await finding(of: probe) { parts in
            parts.transport = { base, name in
                device == nil || device == name ? BrokenTransport(base, fault: fault) : base
            }
        }
    }

    @Test("P50.1 a stop that never reaches the server is noticed")
    func swallowedStop() async throws {
        let finding = try await finding(of: .stop) { request, _ in
            request.path.hasSuffix("/stop") ? .whole(200, #"{"state":"stopped","seq":1}"#) : nil
        }
        #expect(finding.outcome == .differs, "\(finding)")
        #expect(finding.observed.contains("the model went on writing"))
    }

    @Test("P50.1 a client that forgets the part that was written is noticed")
    func forgottenPart() async throws {
        let finding = try await finding(of: .stop) { $0.keepsStore = false }
        #expect(finding.outcome == .differs && finding.observed.contains("after a restart"), "\(finding)")
    }

    @Test("P50.2 a server that ends an answer when its reader leaves is noticed")
    func endsWithTheReader() async throws {
        let finding = try await finding(of: .leave) { request, base in
            let isStream = request.fields.contains { $0.name == "accept" && $0.value == "text/event-stream" }
            guard isStream, request.method == "PUT", let body = request.body,
                let answer = try? JSONReader.parse(body).object?["answer"]?.string
            else { return nil }
            let reply = try await base.send(request)
            return reply.onLeaving {
                Task { try await base.send(request.changed("POST", "/v1/answers/\(answer)/stop")) }
            }
        }
        #expect(finding.outcome == .differs, "\(finding)")
        #expect(finding.observed.contains("did not finish while nobody was looking"))
    }

    @Test("P50.3 a server that loses the rest of an answer is noticed")
    func lostRest() async throws {
        let finding = try await finding(of: .networkDrop) { request, _ in
            guard request.path.hasSuffix("/events"), let after = request.after, after > 0 else { return nil }
            let end = "id: \(after + 1)\nevent: end\ndata: {\"state\":\"interrupted\"}\n\n"
            return .whole(200, end, type: "text/event-stream")
        }
        #expect(finding.outcome == .differs, "\(finding)")
        #expect(finding.observed.contains("in the end the screen shows"))
    }

    @Test("P50.3 a client that asks again after a drop, and so is answered twice, is noticed")
    func answeredTwice() async throws {
        let turn = Mutex("")
        let isDone = Mutex(false)
        let finding = try await finding(of: .networkDrop) { request, base in
            if request.method == "PUT", request.path.contains("/turns/") {
                turn.withLock { $0 = request.path.split(separator: "/").last.map(String.init) ?? "" }
            }
            // Asked for once, by the first try that gets through.
            guard request.path.hasSuffix("/events"), !isDone.withLock({ $0 }) else { return nil }
            let second: AnswerID = IDSource.system.make()
            let path = "/v1/turns/\(turn.withLock { $0 })/answers/\(second)"
            let asked = request.changed("PUT", path, body: Array(#"{"model":"short"}"#.utf8))
            let fields = asked.fields.filter { $0.name != "accept" } + [("content-type", "application/json")]
            let reply = try await base.send(
                TransportRequest(method: "PUT", url: asked.url, fields: fields, body: asked.body))
            isDone.withLock { $0 = reply.status == 201 }
            reply.body.cancel()
            return nil
        }
        #expect(finding.outcome == .differs, "\(finding)")
        #expect(finding.observed.contains("2 times"))
    }

    @Test("P50.4 a client that takes prompts without a connection is noticed")
    func queuesInSecret() async throws {
        let finding = try await finding(of: .airplane) { parts in
            parts.configure = { $0.offlinePolicy = .queue(expiry: .seconds(3600)) }
        }
        #expect(finding.outcome == .differs, "\(finding)")
        #expect(finding.observed.contains("taken without a connection"))
    }

    @Test("P50.5 a second device that is forgotten is noticed")
    func forgottenDevice() async throws {
        let finding = try await finding(of: .secondDevice, on: "tablet") { request, _ in
            request.path == "/v1/changes" ? .silent : nil
        }
        #expect(finding.outcome == .differs, "\(finding)")
        #expect(finding.observed.contains("did not appear on the other device"))
    }

    @Test("P50.6 a server that keeps only the last version is noticed")
    func onlyTheLast() async throws {
        let finding = try await finding(of: .regenerate) { request, base in
            guard request.method == "GET", request.path.hasPrefix("/v1/conversations/") else { return nil }
            return try await base.send(request).edited { text in
                guard let value = try? JSONReader.parse(Array(text.utf8)) else { return text }
                var json = JSONWriter()
                json.value(value.withoutEarlierAnswers)
                return String(decoding: json.bytes, as: UTF8.self)
            }
        }
        #expect(finding.outcome == .differs, "\(finding)")
        #expect(finding.observed.contains("another device shows"))
    }

    @Test("P50.7 uploads are not offered, told apart from those that resume and those that start again")
    func uploads() async throws {
        let none = try await finding(of: .attachments) { _, _ in nil }
        #expect(none.outcome == .notOffered, "\(none)")
        for (resumes, outcome) in [(true, Finding.Outcome.asDecided), (false, .differs)] {
            let received = Mutex(0)
            let finding = try await finding(of: .attachments) { request, _ in
                guard request.path.hasPrefix("/v1/uploads") else { return nil }
                switch request.method {
                case "POST": return .whole(201, fields: ["location": "/v1/uploads/one"])
                case "PATCH":
                    received.withLock { $0 += request.body?.count ?? 0 }
                    return .whole(204)
                default:
                    let offset = resumes ? received.withLock { $0 } : 0
                    return .whole(200, fields: ["upload-offset": "\(offset)"])
                }
            }
            #expect(finding.outcome == outcome, "\(finding)")
        }
    }

    @Test("P50.8 a refusal without a reset time is noticed")
    func noResetTime() async throws {
        let finding = try await finding(of: .limits) { request, base in
            guard request.path != "/v1/changes" else { return nil }
            return try await base.send(request).edited {
                $0.replacing(/,?"resets_at":"[^"]*"/, with: "").replacing(/,?"retry_after":\d+/, with: "")
            }
        }
        #expect(finding.outcome == .differs, "\(finding)")
        #expect(finding.observed.contains("no reset time"))
    }

    @Test("P50.8 a client that refuses by its own count is noticed")
    func decidesByItself() async throws {
        let asked = Mutex(0)
        let finding = try await finding(of: .limits) { request, _ in
            guard request.method == "PUT", request.path.contains("/turns/") else { return nil }
            let count = asked.withLock { asked in
                asked += 1
                return asked
            }
            guard count > 1 else { return nil }
            let problem = #"{"type":"/problems/limit-reached","title":"Limit reached","status":429}"#
            return .whole(429, problem, type: "application/problem+json")
        }
        #expect(finding.outcome == .differs, "\(finding)")
        #expect(finding.observed.contains("the client refused by itself"))
    }

    @Test("P29.6 an answer that is held back and comes in one lump is noticed")
    func oneLump() async throws {
        let finding = try await finding(of: .responseShape) { request, base in
            let isAnswer = request.path.hasSuffix("/events") || request.path.contains("/turns/")
            return isAnswer ? try await base.send(request).edited { $0 } : nil
        }
        #expect(finding.outcome == .differs, "\(finding)")
        #expect(finding.observed.contains(/came in [12] steps/))
    }

    @Test("P14.9 a device that does not see an answer grow is noticed")
    func deafDevice() async throws {
        let finding = try await finding(of: .twoDevices, on: "tablet") { request, _ in
            request.path.hasSuffix("/events") ? .silent : nil
        }
        #expect(finding.outcome == .differs, "\(finding)")
        #expect(finding.observed.contains("other device"))
    }

    @Test("P12.1 a client that keeps nothing is noticed")
    func keepsNothing() async throws {
        let finding = try await finding(of: .cachedReads) { $0.keepsStore = false }
        #expect(finding.outcome == .differs, "\(finding)")
        #expect(finding.observed.contains("the list has 0 lines"))
    }

    @Test("P21.6 a sign-out that never reaches the server is noticed")
    func tokenLivesOn() async throws {
        let finding = try await finding(of: .signOut) { request, _ in
            request.method == "DELETE" && request.path == "/v1/sessions/current" ? .whole(204) : nil
        }
        #expect(finding.outcome == .differs, "\(finding)")
        #expect(finding.observed.contains("with the old token"))
    }
}

extension TransportRequest {
    /// The cursor that events are asked for from.
    fileprivate var after: Int? {
        guard let range = url.range(of: "after=") else { return nil }
        return Int(url[range.upperBound...].prefix(while: \.isNumber))
    }
}

extension JSONValue {
    /// The value with only the last of several answers left wherever there are some.
    fileprivate var withoutEarlierAnswers: JSONValue {
        switch self {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { member in
                        var value = member.value.withoutEarlierAnswers
                        if member.name == "answers", case .array(let all) = value { value = .array(all.suffix(1)) }
                        return JSONObject.Member(name: member.name, value: value)
                    }))
        case .array(let array): .array(array.map(\.withoutEarlierAnswers))
        default: self
        }
    }
}
