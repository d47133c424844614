import Foundation
import HTTPClient
import RejoinCore
import TestSupport
import Testing

/// People and their devices, with the real server process and the real command.
@Suite(.timeLimit(.minutes(3))) struct SignInTests {
    private static let login = #"{"name":"ann","password":"correct horse","device":"Phone"}"#

    private func eventually(_ what: String, _ isTrue: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(30)
        while try await !isTrue() {
            try #require(ContinuousClock.now < end, "\(what) did not come about")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test(
        "S25 the operator sets a password by the command, which signs in, is slowed across a restart, and is nowhere to be read"
    )
    func operatorPassword() async throws {
        try await Household.open("paced-1-1") { house in
            let server = house.server
            let set = try await server.rejoin(
                "account", "password", "ann", "--data", server.data, input: "correct horse\n")
            #expect(set.status == 0 && set.output.isEmpty && set.errors.contains("is set"))
            let short = try await server.rejoin("account", "password", "ann", "--data", server.data, input: "short\n")
            #expect(short.status == 64 && short.errors.contains("at least 8"))
            #expect(
                try await server.rejoin("account", "password", "eve", "--data", server.data, input: "x\n").status == 67)
            // Setting the first one signed nobody out.
            #expect(try await house.direct.send("GET", "/v1/account", house.ann).json["has_password"]?.bool == true)
            let phone = try await house.direct.send("POST", "/v1/sessions", nil, json: Self.login)
            #expect(phone.status == 201)
            for number in 1...8 {
                let wrong = Self.login.replacing("correct horse", with: "wrong \(number)")
                _ = try await house.direct.send("POST", "/v1/sessions", nil, json: wrong)
            }
            try await house.crash()
            let web = TestClient(port: server.port)
            defer { web.shutdown() }
            // Whatever the restart took: what was tried before it counts, so one or two more are let through, not six.
            var letThrough = 0
            let wrong = Self.login.replacing("correct horse", with: "wrong again")
            while letThrough < 5, try await web.send("POST", "/v1/sessions", nil, json: wrong).status == 401 {
                letThrough += 1
            }
            #expect(letThrough <= 2)
            let right = try await web.send("POST", "/v1/sessions", nil, json: Self.login)
            #expect(right.status == 429 && right.field("Retry-After") != nil)
            let files = try FileManager.default.subpathsOfDirectory(atPath: server.data)
            for file in files {
                let bytes = FileManager.default.contents(atPath: server.data + "/" + file) ?? Data()
                #expect(bytes.range(of: Data("correct horse".utf8)) == nil, "\(file)")
            }
            #expect(!server.errors.contains("correct horse"))
        }
    }

    @Test(
        "S25 the command invites, shows and changes roles, keeps the last owner, and a device signed out by it is cut off"
    )
    func operatorPeople() async throws {
        try await Household.open("paced-1-1", settings: #"registration: "invite","#) { house in
            let server = house.server
            func rejoin(_ words: String...) async throws -> (status: Int32, output: String, errors: String) {
                try await server.rejoin(["account"] + words + ["--data", server.data])
            }
            let invited = try await rejoin("invite", "--uses", "2", "--days", "1")
            let link = invited.output.trimmingCharacters(in: .whitespacesAndNewlines)
            let start = "http://127.0.0.1:\(server.port)/#invite="
            #expect(link.hasPrefix(start))
            #expect(try await rejoin("invite", "--uses", "0").status == 64)
            let body = #"{"name":"bob","password":"battery staple","invite":"\#(link.dropFirst(start.count))"}"#
            let joined = try await house.direct.send("POST", "/v1/accounts", nil, json: body)
            #expect(joined.status == 201)
            let bob = TestClient.Device(token: joined.json["token"]?.string ?? "")
            #expect(try await rejoin("list").output == "ann\t\towner\nbob\n")
            let last = try await rejoin("role", "ann", "member")
            #expect(last.status == 65 && last.errors.contains("last owner"))
            #expect(try await rejoin("delete", "ann", "--yes").status == 65)
            #expect(try await rejoin("role", "bob", "owner").status == 0)
            #expect(try await rejoin("role", "bob").output == "owner\n")

            let feed = try await house.direct.client.send(
                house.direct.request("GET", "/v1/changes?after=0", bob, fields: [("Accept", "text/event-stream")]))
            _ = try #require(try await feed.nextPiece())
            let began = ContinuousClock.now
            let process = try await server.rejoin(
                "account", "password", "bob", "--data", server.data, input: "correct horse\n")
            #expect(process.errors.contains("1 devices are signed out"))
            // Another process did it: the server looks every ten seconds.
            do { while try await feed.nextPiece() != nil {} } catch {}
            #expect(ContinuousClock.now - began < .seconds(15))
            try await eventually("the token is worth nothing") {
                try await house.direct.send("GET", "/v1/account", bob).status == 401
            }
        }
    }

    @Test("S25 A41 a terminal signs in by a code, asks and is signed out again, and nothing of the account stays")
    func terminal() async throws {
        try await Household.open("paced-3-1") { house in
            let server = house.server
            let address = "http://127.0.0.1:\(server.port)"
            let home = server.folder + "/elsewhere"
            let process = server.make(["login", address, "--name", "Laptop"], ["HOME": home])
            let out = Pipe()
            process.standardOutput = out
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            try process.run()
            var shown = ""
            while !shown.contains("code there: ") || !shown.hasSuffix("\n") {
                let data = out.fileHandleForReading.availableData
                try #require(!data.isEmpty)
                shown += String(decoding: data, as: UTF8.self)
            }
            let code = try #require(shown.split(separator: " ").last?.trimmingCharacters(in: .whitespacesAndNewlines))
            let approved = try await house.direct.send(
                "PUT", "/v1/device-requests", house.ann, json: #"{"code":"\#(code)","approve":true}"#)
            #expect(approved.status == 204)
            let rest = await ServerProcess.readAll(out)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0 && rest.contains("Signed in to \(address)"))

            let elsewhere = ["HOME": home]
            let asked = try await server.rejoin("ask", "Hello", environment: elsewhere)
            #expect(asked.status == 0 && asked.output.contains("tok2"))
            let devices = try await house.direct.send("GET", "/v1/sessions", house.ann).json["items"]?.array ?? []
            #expect(devices.contains { $0.object?["device"]?.string == "Laptop" })

            let left = try await server.rejoin("logout", environment: elsewhere)
            #expect(left.status == 0 && left.output.contains("Signed out"))
            let after = try await house.direct.send("GET", "/v1/sessions", house.ann).json["items"]?.array ?? []
            #expect(after.count == devices.count - 1)
            let kept = try FileManager.default.subpathsOfDirectory(atPath: home).filter { !$0.hasSuffix("rejoin") }
            for file in kept {
                let text = FileManager.default.contents(atPath: home + "/" + file) ?? Data()
                #expect(text.range(of: Data("rj_".utf8)) == nil, "\(file)")
                #expect(!file.hasSuffix(".sqlite") && !file.hasSuffix(".last"))
            }
            #expect(try await server.rejoin("logout", environment: elsewhere).status == 77)
        }
    }

    /// The longest time without a piece of an answer that comes in steps of ten milliseconds.
    private static func longestGap(_ house: Household) async throws -> Duration {
        let draft = house.direct.draft("Hello")
        _ = try await house.direct.put(draft, house.ann)
        var last = ContinuousClock.now
        var longest = Duration.zero
        let stream = try await house.direct.client.send(
            house.direct.request("GET", "/v1/answers/\(draft.answer)/events", house.ann))
        while try await stream.nextPiece() != nil {
            longest = max(longest, ContinuousClock.now - last)
            last = .now
        }
        return longest
    }

    /// Six hundred sign-ins by forty clients, and what each was answered.
    private static func knock(_ house: Household) async throws -> [Int] {
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for worker in 1...40 { group.addTask { try await knock(house, worker) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private static func knock(_ house: Household, _ worker: Int) async throws -> [Int] {
        var statuses: [Int] = []
        for number in 1...15 {
            let body = #"{"name":"n\#(worker)-\#(number)","password":"wrong password"}"#
            // Each from another address: one alone would be slowed down after twenty, and cost next to nothing.
            let reply = try await house.direct.send(
                "POST", "/v1/sessions", nil, body: Array(body.utf8),
                fields: [("X-Forwarded-For", "198.18.\(worker).\(number)")])
            if reply.status != 401 { #expect(reply.field("Retry-After") != nil) }
            statuses.append(reply.status)
        }
        return statuses
    }

    @Test("S25 a flood of sign-ins is refused with a time to come back, and an answer under way does not wait for it")
    func flood() async throws {
        try await Household.open("paced-200-10", settings: #"trusted_proxies: ["127.0.0.1"],"#) { house in
            let quiet = try await Self.longestGap(house)
            async let knocking = Self.knock(house)
            let loud = try await Self.longestGap(house)
            let statuses = try await knocking
            let refused = statuses.count { $0 == 503 || $0 == 429 }
            print(
                "longest gap between pieces: quiet \(quiet), under \(statuses.count) sign-ins \(loud), \(refused) refused"
            )
            #expect(statuses.allSatisfy { [401, 429, 503].contains($0) } && refused > statuses.count / 2)
            #expect(loud < .seconds(1))
        }
    }
}
