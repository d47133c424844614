import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

/// RFC 8628 case by case.
@Suite(.timeLimit(.minutes(1))) struct DeviceFlowTests {
    private let echo = ScriptedModel(saying: ["ok"])
    private static let grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"

    private func post(
        _ server: APIHarness, _ path: String, _ form: String,
        type: String = "application/x-www-form-urlencoded"
    ) async throws -> TestClient.Reply {
        try await server.web.send("POST", path, nil, body: Array(form.utf8), fields: [("Content-Type", type)])
    }

    private func poll(_ server: APIHarness, _ code: String, client: String = "cli") async throws -> TestClient.Reply {
        try await post(server, "/oauth/token", "\(Self.grant)&device_code=\(code)&client_id=\(client)")
    }

    private func begin(_ server: APIHarness) async throws -> (device: String, user: String) {
        let reply = try await post(
            server, "/oauth/device_authorization", "client_id=cli&device_name=Ann%27s+laptop")
        #expect(reply.status == 200 && reply.field("Cache-Control") == "no-store")
        #expect(reply.json["expires_in"]?.integer == 600 && reply.json["interval"]?.integer == 5)
        let user = try #require(reply.json["user_code"]?.string)
        #expect(user.wholeMatch(of: /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/) != nil)
        let uri = "http://127.0.0.1:\(server.web.port)/#device"
        #expect(reply.json["verification_uri"]?.string == uri)
        #expect(reply.json["verification_uri_complete"]?.string == uri + "=" + user)
        return (try #require(reply.json["device_code"]?.string), user)
    }

    @Test("S25 a device is sent to the address that the operator named, whatever the request says of its own")
    func namedAddress() async throws {
        let address = try #require(PublicURL("https://talk.example"))
        try await APIHarness.run(echo, adjust: { $0.publicURL = address }) { server in
            let reply = try await post(server, "/oauth/device_authorization", "client_id=cli")
            #expect(reply.json["verification_uri"]?.string == "https://talk.example/#device")
        }
    }

    @Test("S25 a device is let in by a person elsewhere, once, under the name that the person was shown")
    func approved() async throws {
        try await APIHarness.run(echo) { server in
            let ann = try await server.device("ann")
            let (device, user) = try await begin(server)
            #expect(try await poll(server, device).json["error"]?.string == "authorization_pending")
            let typed = " " + user.lowercased().replacing("-", with: " ")
            let shown = try await server.web.send("POST", "/v1/device-requests", ann, json: #"{"code":"\#(typed)"}"#)
            #expect(shown.json["device"]?.string == "Ann's laptop" && shown.json["address"]?.string == "127.0.0.1")
            let decided = try await server.web.send(
                "PUT", "/v1/device-requests", ann, json: #"{"code":"\#(user)","approve":true}"#)
            #expect(decided.status == 204)
            let again = try await server.web.send(
                "PUT", "/v1/device-requests", ann, json: #"{"code":"\#(user)","approve":false}"#)
            #expect(again.status == 404)
            let granted = try await poll(server, device)
            #expect(granted.status == 200 && granted.json["token_type"]?.string == "Bearer")
            let token = try #require(granted.json["access_token"]?.string)
            let laptop = TestClient.Device(token: token)
            let sessions = try await server.web.send("GET", "/v1/sessions", laptop).json["items"]?.array ?? []
            let here = sessions.first { $0.object?["current"]?.bool == true }
            #expect(here?.object?["device"]?.string == "Ann's laptop")
            #expect(try await poll(server, device).json["error"]?.string == "invalid_grant")
        }
    }

    @Test("S25 who is declined, asks too often, asks wrongly or guesses is told so in the words of the standard")
    func refused() async throws {
        try await APIHarness.run(echo) { server in
            let ann = try await server.device("ann")
            let (device, user) = try await begin(server)
            #expect(try await poll(server, device).json["error"]?.string == "authorization_pending")
            #expect(try await poll(server, device).json["error"]?.string == "slow_down")
            #expect(try await poll(server, device, client: "other").json["error"]?.string == "invalid_grant")
            #expect(
                try await server.web.send(
                    "PUT", "/v1/device-requests", ann, json: #"{"code":"\#(user)","approve":false}"#
                ).status == 204)
            let denied = try await poll(server, device)
            #expect(denied.status == 400 && denied.json["error"]?.string == "access_denied")

            for (path, form, error) in [
                ("/oauth/device_authorization", "", "invalid_request"),
                ("/oauth/device_authorization", "client_id=a&client_id=b", "invalid_request"),
                ("/oauth/token", "client_id=cli&device_code=x", "invalid_request"),
                ("/oauth/token", "grant_type=password&client_id=cli", "unsupported_grant_type"),
                ("/oauth/token", "\(Self.grant)&client_id=cli", "invalid_request"),
                ("/oauth/token", "\(Self.grant)&client_id=cli&device_code=rj_x", "invalid_grant"),
            ] {
                let reply = try await post(server, path, form)
                #expect(reply.status == 400 && reply.json["error"]?.string == error, "\(path) \(form)")
            }
            let json = try await post(server, "/oauth/token", "{}", type: "application/json")
            #expect(json.json["error"]?.string == "invalid_request")

            // Guesses are counted per person; the right code does not make up for wrong ones.
            var statuses: [Int] = []
            for _ in 1...7 {
                statuses.append(
                    try await server.web.send("POST", "/v1/device-requests", ann, json: #"{"code":"BBBB-BBBB"}"#).status
                )
            }
            #expect(statuses == [404, 404, 404, 404, 404, 404, 429])
        }
    }

    @Test(
        "S25 codes end after ten minutes, a device asks slower each time it was told to, and few may wait per address")
    func times() {
        let clock = ManualClock()
        let flow = DeviceFlow(surroundings: clock.surroundings)
        let offer = flow.begin(client: "cli", device: "x\u{7}y", address: "2001:db8::1")
        guard let offer, let code = DeviceCode(offer.userCode) else { return #expect(Bool(false)) }
        #expect(flow.look(code)?.device == "xy")
        #expect(flow.poll(deviceCode: offer.deviceCode, client: "cli") == .pending)
        clock.advance(by: .seconds(5))
        #expect(flow.poll(deviceCode: offer.deviceCode, client: "cli") == .pending)
        clock.advance(by: .seconds(1))
        #expect(flow.poll(deviceCode: offer.deviceCode, client: "cli") == .slowDown)
        clock.advance(by: .seconds(6))
        #expect(flow.poll(deviceCode: offer.deviceCode, client: "cli") == .slowDown)
        clock.advance(by: .seconds(15))
        #expect(flow.poll(deviceCode: offer.deviceCode, client: "cli") == .pending)
        for _ in 1...9 { #expect(flow.begin(client: "c", device: "d", address: "2001:db8::2") != nil) }
        #expect(flow.begin(client: "c", device: "d", address: "2001:db8::3") == nil)
        #expect(flow.begin(client: "c", device: "d", address: "192.0.2.1") != nil)
        clock.advance(by: .seconds(600))
        #expect(flow.look(code) == nil && !flow.decide(code, as: AccountID(high: 0, low: 1)))
        #expect(flow.poll(deviceCode: offer.deviceCode, client: "cli") == .expired)
        #expect(flow.poll(deviceCode: offer.deviceCode, client: "cli") == .unknown)
        // What has ended is remembered for its device, and takes nobody's place.
        for _ in 1...10 { #expect(flow.begin(client: "c", device: "d", address: "2001:db8::2") != nil) }
        #expect(flow.begin(client: "c", device: "d", address: "2001:db8::3") == nil)
    }

    @Test("S25 a device that was let in while the store failed asks again and gets in, once")
    func handedOverAgain() throws {
        let flow = DeviceFlow(surroundings: ManualClock().surroundings)
        let ann = AccountID(high: 0, low: 1)
        let offer = try #require(flow.begin(client: "cli", device: "laptop", address: "192.0.2.1"))
        #expect(flow.decide(try #require(DeviceCode(offer.userCode)), as: ann))
        let granted = DeviceFlow.Outcome.granted(ann, device: "laptop")
        #expect(flow.poll(deviceCode: offer.deviceCode, client: "cli") == granted)
        #expect(flow.poll(deviceCode: offer.deviceCode, client: "cli") == .unknown)
        flow.handedOver(offer.deviceCode, isDone: false)
        #expect(flow.poll(deviceCode: offer.deviceCode, client: "cli") == granted)
        flow.handedOver(offer.deviceCode, isDone: true)
        flow.handedOver(offer.deviceCode, isDone: false)
        #expect(flow.poll(deviceCode: offer.deviceCode, client: "cli") == .unknown)
    }

    @Test(arguments: ["", "BCDF-GHJ", "BCDF-GHJA", "BCDFGHJK1", "ＢCDFGHJK", String(repeating: "-", count: 80)])
    func `what is no code is not looked for`(typed: String) { #expect(DeviceCode(typed) == nil) }

    @Test func `codes differ and hold only letters that are not mistaken`() {
        let codes = Set((1...200).map { _ in DeviceCode().letters })
        #expect(codes.count == 200)
        #expect(codes.joined().allSatisfy { "BCDFGHJKLMNPQRSTVWXZ".contains($0) })
        #expect(DeviceCode("bcdf ghjk")?.shown == "BCDF-GHJK")
    }
}
