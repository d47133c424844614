import HTTPClient
import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

/// People, devices and passwords over the wire.
@Suite(.timeLimit(.minutes(1))) struct PeopleAPITests {
    private let echo = ScriptedModel { request in
        [.piece(.text(request.messages.last?.text ?? "")), .end(.finished(.complete))]
    }

    private func body(_ name: String, _ invite: String? = nil, password: String = "correct horse") -> String {
        let end = invite.map { #","invite":"\#($0)"}"# } ?? "}"
        return #"{"name":"\#(name)","password":"\#(password)","device":"Test""# + end
    }

    private func invite(_ server: APIHarness, _ owner: TestClient.Device, _ json: String = "{}") async throws
        -> (id: String, code: String)
    {
        let made = try await server.web.send("POST", "/v1/invites", owner, json: json)
        #expect(made.status == 201)
        return (try #require(made.json["id"]?.string), try #require(made.json["code"]?.string))
    }

    @Test("S25 a closed server makes no account over the network, whatever is sent")
    func closed() async throws {
        try await APIHarness.run(echo) { server in
            let ann = try await server.device("ann")
            let refused = try await server.web.send("POST", "/v1/accounts", nil, json: body("eve"))
            #expect(refused.problem?.kind == .forbidden)
            #expect(try await server.web.send("POST", "/v1/invites", ann, json: "{}").problem?.kind == .conflict)
            #expect(try await server.store.accountCount() == 1)
        }
    }

    @Test("S25 an invitation lets one account in, signed in at once; used, expired and revoked ones say which they are")
    func invited() async throws {
        try await APIHarness.run(echo, adjust: { $0.registration = .invite }) { server in
            let ann = try await server.device("ann")
            func state(_ code: String) async throws -> String? {
                try await server.web.send("POST", "/v1/invites/look", nil, json: #"{"invite":"\#(code)"}"#)
                    .json["state"]?.string
            }
            let without = try await server.web.send("POST", "/v1/accounts", nil, json: body("bob"))
            #expect(without.problem?.kind == .forbidden && without.problem?.field == "invite")
            let (id, code) = try await invite(server, ann)
            #expect(try await state(code) == "open")
            let joined = try await server.web.send("POST", "/v1/accounts", nil, json: body("bob", code))
            #expect(joined.status == 201)
            let bob = TestClient.Device(token: try #require(joined.json["token"]?.string))
            let self_ = try await server.web.send("GET", "/v1/account", bob)
            #expect(self_.json["name"]?.string == "bob" && self_.json["role"]?.string == "member")
            #expect(self_.json["has_password"]?.bool == true)
            #expect(try await state(code) == "used")
            let second = try await server.web.send("POST", "/v1/accounts", nil, json: body("eve", code))
            #expect(second.problem?.detail == "The invitation was used already.")
            // Its code is nowhere to be read again.
            let list = try await server.web.send("GET", "/v1/invites", ann)
            let text = String(decoding: list.body, as: UTF8.self)
            #expect(!text.contains(code) && text.contains(id) && text.contains(#""state":"used""#))

            let (other, revoked) = try await invite(server, ann, #"{"uses":3,"days":30}"#)
            #expect(try await server.web.send("DELETE", "/v1/invites/\(other)", ann).status == 204)
            #expect(try await state(revoked) == "revoked")
            #expect(
                try await server.web.send("POST", "/v1/accounts", nil, json: body("eve", revoked)).problem?.detail
                    == "The invitation was taken back.")
            #expect(try await state("rj_nonsense") == "unknown")
            #expect(try await server.store.accountCount() == 2)
            let signedIn = try await server.web.send("POST", "/v1/sessions", nil, json: body("BOB"))
            #expect(signedIn.status == 201)
        }
    }

    @Test("S25 an open server takes accounts, but one address not without end; names and passwords are checked")
    func open() async throws {
        try await APIHarness.run(echo, adjust: { $0.registration = .open }) { server in
            _ = try await server.device("ann")
            let short = try await server.web.send("POST", "/v1/accounts", nil, json: body("bob", password: "short"))
            #expect(short.problem?.field == "password")
            let taken = try await server.web.send("POST", "/v1/accounts", nil, json: body("ANN"))
            #expect(taken.status == 409 && taken.problem?.field == "name")
            let cookie = try await server.web.send(
                "POST", "/v1/accounts", nil, body: Array((body("bob").dropLast() + #","cookie":true}"#).utf8),
                fields: [("X-Rejoin-Client", "web/1")])
            #expect(cookie.status == 201 && cookie.json["token"] == nil)
            #expect(cookie.field("Set-Cookie")?.contains("HttpOnly") == true)
            var statuses: [Int] = []
            for number in 1...5 {
                let reply = try await server.web.send("POST", "/v1/accounts", nil, json: body("more\(number)"))
                statuses.append(reply.status)
                if reply.status == 429 { #expect(reply.field("Retry-After") != nil) }
            }
            #expect(statuses.last == 429)
        }
    }

    @Test("S25 the page's cookie goes over TLS alone where people come by https, and is given to the page where not")
    func cookies() async throws {
        for (address, isSecure) in [("https://talk.example", true), ("http://talk.example", false), (nil, false)] {
            let named = try address.map { try #require(PublicURL($0)) }
            try await APIHarness.run(
                echo,
                adjust: {
                    $0.registration = .open
                    $0.publicURL = named
                }
            ) { server in
                let reply = try await server.web.send(
                    "POST", "/v1/accounts", nil, body: Array((body("bob").dropLast() + #","cookie":true}"#).utf8),
                    fields: [("X-Rejoin-Client", "web/1")])
                #expect(reply.status == 201)
                #expect(reply.field("Set-Cookie")?.hasSuffix("; Secure") == isSecure, "\(address ?? "no address")")
            }
        }
    }

    @Test(
        "S19 an owner sees and closes accounts and gives roles, and sees nothing of what they hold; a member does none of it"
    )
    func roles() async throws {
        try await APIHarness.run(echo, adjust: { $0.registration = .invite }) { server in
            let (ann, bob) = (try await server.device("ann"), try await server.device("bob"))
            let draft = server.web.draft("Bob's secret")
            _ = try await server.web.put(draft, bob)
            _ = try await server.web.fold(draft.answer, bob)
            let list = try await server.web.send("GET", "/v1/accounts", ann)
            #expect(list.json["items"]?.array?.map { $0.object?["name"]?.string } == ["ann", "bob"])
            #expect(!String(decoding: list.body, as: UTF8.self).contains("secret"))
            #expect(try await server.web.send("GET", "/v1/conversations/\(draft.conversation)", ann).status == 404)
            let path = "/v1/accounts/\(bob.account)"
            for (method, path) in [
                ("GET", "/v1/accounts"), ("PATCH", path), ("DELETE", path), ("GET", "/v1/invites"),
                ("POST", "/v1/invites"),
            ] {
                let refused = try await server.web.send(method, path, bob, json: #"{"role":"owner"}"#)
                #expect(refused.problem?.kind == .forbidden, "\(method) \(path)")
            }
            let last = try await server.web.send(
                "PATCH", "/v1/accounts/\(ann.account)", ann, json: #"{"role":"member"}"#)
            #expect(last.problem?.kind == .conflict)
            let closing = try await server.web.send("DELETE", "/v1/accounts/current", ann, json: #"{"name":"ann"}"#)
            #expect(closing.problem?.kind == .conflict)
            #expect(try await server.web.send("PATCH", path, ann, json: #"{"role":"boss"}"#).problem?.field == "role")
            #expect(try await server.web.send("PATCH", path, ann, json: #"{"role":"owner"}"#).status == 200)
            #expect(try await server.web.send("GET", "/v1/accounts", bob).status == 200)
            #expect(try await server.web.send("PATCH", path, ann, json: #"{"role":"member"}"#).status == 200)
            #expect(try await server.web.send("GET", "/v1/accounts", bob).status == 403)
            #expect(try await server.web.send("DELETE", path, ann).status == 204)
            #expect(try await server.web.send("GET", "/v1/account", bob).status == 401)
            #expect(try await server.web.send("DELETE", path, ann).status == 404)
            #expect(try await server.store.accountCount() == 1)
            // Alone, an owner may close the account too.
            #expect(
                try await server.web.send("DELETE", "/v1/accounts/current", ann, json: #"{"name":"ann"}"#).status == 204
            )
        }
    }

    @Test("S25 a device is renamed and signed out from another one, whose open streams end at once")
    func devices() async throws {
        let never = Gate()
        let model = ScriptedModel { _ in [.piece(.text("so far")), .wait(never)] }
        try await APIHarness.run(model) { server in
            let (desk, phone) = (try await server.device("ann"), try await server.device("ann"))
            let draft = server.web.draft("Hello")
            let answer = try await server.web.client.send(
                server.web.request(
                    "PUT", draft.path, phone, body: draft.body, fields: [("Accept", "text/event-stream")]))
            let feed = try await server.web.client.send(
                server.web.request("GET", "/v1/changes?after=0", phone, fields: [("Accept", "text/event-stream")]))
            var seen: [UInt8] = []
            while !String(decoding: seen, as: UTF8.self).contains("so far") {
                seen += try #require(try await answer.nextPiece())
            }
            _ = try #require(try await feed.nextPiece())

            let sessions = try await server.web.send("GET", "/v1/sessions", desk).json["items"]?.array ?? []
            let other = try #require(sessions.first { $0.object?["current"]?.bool == false }?.object)
            let id = try #require(other["id"]?.string)
            #expect(other["last_seen_at"]?.string != nil)
            let renamed = try await server.web.send("PATCH", "/v1/sessions/\(id)", desk, json: #"{"device":"Phone"}"#)
            #expect(renamed.json["device"]?.string == "Phone" && renamed.json["current"]?.bool == false)
            let bad = try await server.web.send("PATCH", "/v1/sessions/\(id)", desk, json: #"{"device":"a\nb"}"#)
            #expect(bad.problem?.field == "device")

            #expect(try await server.web.send("DELETE", "/v1/sessions", desk).problem?.field == "others")
            let out = try await server.web.send("DELETE", "/v1/sessions?others=true", desk)
            #expect(out.json["signed_out"]?.integer == 1)
            // Neither stream says how it would have gone on: each is cut, and the run goes on without them.
            for stream in [answer, feed] {
                do { while try await stream.nextPiece() != nil {} } catch {}
            }
            #expect(server.house.runs.isRunning(draft.answer))
            #expect(try await server.web.send("GET", "/v1/account", phone).status == 401)
            #expect(try await server.web.send("GET", "/v1/account", desk).status == 200)
            let changes = String(
                decoding: try await server.web.send("GET", "/v1/changes", desk).body, as: UTF8.self)
            #expect(changes.contains(#""kind":"device","id":"\#(id)","op":"delete""#))
        }
    }

    @Test("S25 a device that another process signed out is cut off when the server looks again")
    func otherProcess() async throws {
        try await APIHarness.run(echo) { server in
            let (desk, phone) = (try await server.device("ann"), try await server.device("ann"))
            let feed = try await server.web.client.send(
                server.web.request("GET", "/v1/changes?after=0", phone, fields: [("Accept", "text/event-stream")]))
            _ = try #require(try await feed.nextPiece())
            let other = try SQLiteStore(path: server.database) { _, _ in }
            let session = try #require(
                try await other.sessions(of: phone.account).last { $0.device == "ann" })
            #expect(try await other.closeSession(session.id, of: phone.account))
            try await other.close()
            try await server.house.api.accounts.recheck()
            do { while try await feed.nextPiece() != nil {} } catch {}
            #expect(try await server.web.send("GET", "/v1/account", phone).status == 401)
            #expect(try await server.web.send("GET", "/v1/account", desk).status == 200)
        }
    }

    @Test("S25 a changed password signs the other devices out, and a first one needs no other")
    func password() async throws {
        try await APIHarness.run(echo) { server in
            let (desk, phone) = (try await server.device("ann"), try await server.device("ann"))
            func change(_ json: String) async throws -> TestClient.Reply {
                try await server.web.send("PUT", "/v1/account/password", desk, json: json)
            }
            #expect(try await change(#"{"new":"correct horse"}"#).status == 204)
            #expect(try await server.web.send("GET", "/v1/account", phone).json["has_password"]?.bool == true)
            #expect(try await change(#"{"new":"battery staple"}"#).problem?.field == "current")
            #expect(try await change(#"{"current":"wrong","new":"battery staple"}"#).problem?.field == "current")
            #expect(try await change(#"{"current":"correct horse","new":"battery staple"}"#).status == 204)
            #expect(try await server.web.send("GET", "/v1/account", phone).status == 401)
            #expect(try await server.web.send("GET", "/v1/account", desk).status == 200)
            let audit = String(
                decoding: try await server.web.send("GET", "/v1/account/audit", desk).body, as: UTF8.self)
            #expect(audit.contains("password-changed") && !audit.contains("staple"))
        }
    }

    @Test("S10 behind a trusted proxy each caller is counted apart, and metrics are not handed on to strangers")
    func behindProxy() async throws {
        try await APIHarness.run(
            echo,
            adjust: {
                $0.registration = .open
                _ = $0.trustedProxies.insert("127.0.0.1")
            }
        ) { server in
            func register(_ name: String, from address: String) async throws -> Int {
                try await server.web.send(
                    "POST", "/v1/accounts", nil, body: Array(body(name).utf8), fields: [("X-Forwarded-For", address)]
                ).status
            }
            for number in 1...6 { #expect(try await register("n\(number)", from: "192.0.2.1") == 201) }
            #expect(try await register("n7", from: "192.0.2.1") == 429)
            #expect(try await register("n7", from: "6.6.6.6, 192.0.2.1") == 429)
            #expect(try await register("n7", from: "192.0.2.2") == 201)
            let metrics = try await server.web.send("GET", "/metrics", nil, fields: [("X-Forwarded-For", "192.0.2.1")])
            #expect(metrics.status == 401)
            #expect(try await server.web.send("GET", "/metrics", nil).status == 200)
        }
    }
}
