import Foundation
import RejoinCore
import TestSupport
import Testing

/// What somebody who is new here does first with their account, with the commands alone, on a real server.
@Suite(.timeLimit(.minutes(1))) struct NewcomerTests {
    private func reaching(_ house: Household, _ token: String? = nil) -> [String: String] {
        ["REJOIN_SERVER": "http://127.0.0.1:\(house.server.port)", "REJOIN_TOKEN": token ?? house.ann.token]
    }

    @Test("S20 S21 A60 a newcomer sets a quota, hits it, and sees when it is renewed")
    func quota() async throws {
        let plans = #"plans: [{ name: "guest", quotas: [{ counts: "turns", amount: 1 }] }]"#
        try await Household.open("n3", settings: plans) { (house) async throws in
            let ann = reaching(house)
            let free = try await house.server.rejoin("limits", environment: ann)
            #expect(free.status == 0 && free.output == "Nothing is limited.\n")
            let config = house.server.folder + "/rejoin.json5"
            let set = try await house.server.rejoin(
                "account", "plan", "ann", "guest", "--data", house.server.data, "--config", config)
            #expect(set.status == 0, "\(set.errors)")
            let first = try await house.server.rejoin("ask", "one question", environment: ann)
            #expect(first.status == 0, "\(first.errors)")
            let second = try await house.server.rejoin("ask", "another question", environment: ann)
            #expect(second.status == 4 && second.output.isEmpty)
            let limits = try await house.direct.send("GET", "/v1/limits", house.ann)
            let body = try JSONReader.parse(limits.body).array?.first?.object
            let resetsAt = try #require(body?["resets_at"]?.string)
            #expect(second.errors.contains("again from \(resetsAt)"), "\(second.errors)")
            let shown = try await house.server.rejoin("limits", environment: ann)
            #expect(shown.output.hasPrefix("turns (guest): 0 of 1 left, renewed \(resetsAt) (in "), "\(shown.output)")
        }
    }

    @Test("S23 A42 a newcomer has a temporary chat and finds nothing of it, in no file and no log")
    func temporary() async throws {
        try await Household.open("n3") { (house) async throws in
            let asked = try await house.server.rejoin(
                "ask", "--temporary", "my xyzzyword", environment: reaching(house))
            #expect(asked.status == 0 && !asked.output.isEmpty, "\(asked.errors)")
            let list = try await house.direct.send("GET", "/v1/conversations", house.ann)
            #expect(list.json["items"]?.array == [])
            let found = try await house.direct.send("GET", "/v1/search?q=xyzzyword", house.ann)
            #expect(!String(decoding: found.body, as: UTF8.self).contains("xyzzyword"))
            await house.server.stop()
            #expect(!house.server.errors.contains("xyzzyword"))
            var files = 0
            for file in try FileManager.default.subpathsOfDirectory(atPath: house.server.folder) {
                let data = FileManager.default.contents(atPath: house.server.folder + "/" + file) ?? Data()
                #expect(data.range(of: Data("xyzzyword".utf8)) == nil, "\(file)")
                files += 1
            }
            #expect(files > 2)
        }
    }

    @Test("S24 S18 S22 a newcomer exports, deletes everything, imports, and is where they were")
    func thereAndBack() async throws {
        try await Household.open("n3") { (house) async throws in
            let (server, data) = (house.server, house.server.data)
            for words in ["first words", "second words"] {
                #expect(try await server.rejoin("ask", words, environment: reaching(house)).status == 0)
            }
            let early = try await server.rejoin("memory", "add", "likes tea", environment: reaching(house))
            #expect(early.status == 5 && early.errors.contains("rejoin: "), "\(early.errors)")
            let on = try await server.rejoin("memory", "on", environment: reaching(house))
            #expect(on.status == 0 && on.output.contains("memory: on, since"), "\(on.output)")
            let added = try await server.rejoin("memory", "add", "likes", "tea", environment: reaching(house))
            #expect(added.status == 0 && added.output.hasSuffix("  likes tea\n"), "\(added.errors)")
            let name = String(added.output.prefix(8))
            let edited = try await server.rejoin(
                "memory", "edit", name, "likes green tea", environment: reaching(house))
            #expect(edited.output.hasSuffix("  likes green tea\n"), "\(edited.errors)")
            let before = try await titles(house, house.ann)
            #expect(before == ["first words", "second words"])

            let file = server.folder + "/mine.jsonl.gz"
            #expect(try await server.rejoin("export", "--out", file, "--data", data).status == 0)
            #expect(try await server.rejoin("account", "delete", "ann", "--yes", "--data", data).status == 0)
            // The server looks a few seconds later whether another process closed the account.
            let limit = ContinuousClock.now + .seconds(30)
            while try await server.rejoin("limits", environment: reaching(house)).status != 77 {
                try #require(ContinuousClock.now < limit, "the device of a closed account is still signed in")
            }
            let token = try await server.rejoin("account", "add", "ann", "--data", data).output
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let imported = try await server.rejoin("import", file, "--account", "ann", "--data", data)
            #expect(imported.status == 0, "\(imported.errors)")
            #expect(imported.output.contains("Added 1 to what is remembered."), "\(imported.output)")
            #expect(try await titles(house, TestClient.Device(token: token)) == before)
            let kept = try await server.rejoin("memory", "list", environment: reaching(house, token))
            #expect(kept.output.hasPrefix("Memory is off") && kept.output.contains("likes green tea"), "\(kept.output)")
            let cleared = try await server.rejoin(
                "memory", "clear", input: "yes\n", environment: reaching(house, token))
            #expect(cleared.status == 0, "\(cleared.errors)")
            let audit = try await server.rejoin("audit", environment: reaching(house, token))
            #expect(audit.output.contains("everything that was remembered was deleted"), "\(audit.output)")
        }
    }

    private func titles(_ house: Household, _ device: TestClient.Device) async throws -> Set<String> {
        let list = try await house.direct.send("GET", "/v1/conversations", device).json["items"]?.array ?? []
        return Set(list.compactMap { $0.object?["title"]?.string })
    }

    @Test("S25 A41 a newcomer signs a device out from another one")
    func devices() async throws {
        try await Household.open("n3") { (house) async throws in
            // The server handed a token to the terminal of this machine: that is the other device.
            let here = try await house.server.rejoin("devices", "list", "--data", house.server.data)
            let lines = here.output.split(separator: "\n")
            #expect(lines.count == 2 && here.output.contains("Terminal on this machine (this one)"), "\(here.output)")
            let other = try #require(lines.first { $0.contains("rejoin account add") })
            #expect(try await house.server.rejoin("limits", environment: reaching(house)).status == 0)
            let removed = try await house.server.rejoin(
                "devices", "remove", String(other.prefix(8)), "--data", house.server.data)
            #expect(removed.output == "Signed out: rejoin account add\n", "\(removed.errors)")
            #expect(try await house.server.rejoin("limits", environment: reaching(house)).status == 77)
            let audit = try await house.server.rejoin("audit", "--data", house.server.data)
            #expect(audit.output.contains("signed out: rejoin account add"), "\(audit.output)")
            let nobody = try await house.server.rejoin("devices", "remove", "00000000", "--data", house.server.data)
            #expect(nobody.status == 5 && nobody.errors.contains("there is no device"))
        }
    }

    @Test("S19 S25 an owner lets somebody in from a terminal, sees them and closes their account; a member does not")
    func people() async throws {
        try await Household.open("n3", settings: #"registration: "invite""#) { (house) async throws in
            let server = house.server
            let ann = reaching(house)
            let added = try await server.rejoin("invites", "add", "--uses", "2", environment: ann)
            let link = added.output.trimmingCharacters(in: .newlines)
            #expect(link.hasPrefix("http://127.0.0.1:\(server.port)/#invite="), "\(added.errors)")
            let code = try #require(link.split(separator: "=").last)
            let joined = try await house.direct.send(
                "POST", "/v1/accounts", nil,
                json: #"{"name":"bob","password":"a long one of bob's","invite":"\#(code)"}"#)
            let bob = reaching(house, try #require(joined.json["token"]?.string))
            let people = try await server.rejoin("people", "list", environment: ann).output.split(separator: "\n")
            #expect(people.count == 2 && people.first?.hasSuffix("  ann (owner)") == true, "\(people)")
            #expect(people.last?.hasSuffix("  bob") == true)
            for line in [["people", "list"], ["invites", "list"], ["people", "close", "ann", "--yes"]] {
                let refused = try await server.rejoin(line, environment: bob)
                #expect(refused.status != 0 && refused.output.isEmpty && !refused.errors.isEmpty, "\(line)")
            }

            let open = try await server.rejoin("invites", "list", environment: ann).output
            #expect(open.contains("  open until ") && open.hasSuffix(", used 1 of 2\n"), "\(open)")
            let revoked = try await server.rejoin("invites", "revoke", String(open.prefix(8)), environment: ann)
            #expect(revoked.status == 0, "\(revoked.errors)")
            #expect(try await server.rejoin("invites", "list", environment: ann).output.contains("  revoked, used 1"))

            let promoted = try await server.rejoin("people", "role", "BOB", "owner", environment: ann)
            #expect(promoted.output == "bob is an owner\n", "\(promoted.errors)")
            #expect(try await server.rejoin("people", "list", environment: bob).status == 0)
            let kept = try await server.rejoin("people", "close", "bob", input: "no\n", environment: ann)
            #expect(kept.status == 5 && kept.errors.contains("nothing was deleted"), "\(kept.errors)")
            let closed = try await server.rejoin("people", "close", "bob", input: "yes\n", environment: ann)
            #expect(closed.output == "Closed: bob\n", "\(closed.errors)")
            #expect(try await server.rejoin("people", "list", environment: bob).status == 77)
            let last = try await server.rejoin("people", "role", "ann", "member", environment: ann)
            #expect(last.status != 0 && !last.errors.isEmpty)
            let nobody = try await server.rejoin("people", "close", "eve", "--yes", environment: ann)
            #expect(nobody.status == 5 && nobody.errors.contains("there is no account"), "\(nobody.errors)")
        }
    }
}
