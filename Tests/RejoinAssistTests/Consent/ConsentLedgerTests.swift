import Foundation
import RejoinAssist
import RejoinCore
import Testing

@Suite struct ConsentLedgerTests {
    private let server = ConsentRequest(recipient: .firstParty("Server"), data: .minimised, disclosureVersion: 1)
    private let other = ConsentRequest(recipient: .thirdParty("Other"), data: .freeForm, disclosureVersion: 4)
    private let cloud = ConsentRequest(recipient: .platformPrivateCloud, data: .sensitive, disclosureVersion: 2)
    private let time = Timestamp(milliseconds: 1_764_500_000_000)

    /// Runs over every ledger there is.
    private func eachLedger(_ body: (any ConsentLedger) async throws -> Void) async throws {
        try await body(MemoryConsentLedger())
        try await withTemporaryFolder { folder in try await body(FileConsentLedger(path: folder + "/consents.json")) }
    }

    @Test("R26 consent is to a recipient, a kind of data and a version of the text, each for itself")
    func keys() async throws {
        try await eachLedger { ledger in
            #expect(await ledger.status(for: server) == .missing)
            try await ledger.record(ConsentGrant(server, at: time))
            #expect(await ledger.status(for: server) == .granted(at: time))
            for data in DataClass.allCases where data != server.data {
                let request = ConsentRequest(recipient: server.recipient, data: data, disclosureVersion: 1)
                #expect(await ledger.status(for: request) == .missing)
            }
            for recipient in [Recipient.thirdParty("Server"), .firstParty("server"), .platformPrivateCloud] {
                let request = ConsentRequest(recipient: recipient, data: server.data, disclosureVersion: 1)
                #expect(await ledger.status(for: request) == .missing)
            }
        }
    }

    @Test("R26 a new version of the text asks again, and takes the place of the old one")
    func versions() async throws {
        try await eachLedger { ledger in
            try await ledger.record(ConsentGrant(server, at: time))
            let newer = ConsentRequest(recipient: server.recipient, data: server.data, disclosureVersion: 2)
            #expect(await ledger.status(for: newer) == .outdated(version: 1))
            #expect(!(await ledger.status(for: newer).isGranted))
            try await ledger.record(ConsentGrant(newer, at: time))
            #expect(await ledger.status(for: server) == .outdated(version: 2))
            #expect(try await ledger.grants() == [ConsentGrant(newer, at: time)])
        }
    }

    @Test("R26 consents can be read in one call, and taken back in one call, one recipient's or all")
    func revoking() async throws {
        try await eachLedger { ledger in
            let all = [server, other, cloud].map { ConsentGrant($0, at: time) }
            for grant in all { try await ledger.record(grant) }
            #expect(try await ledger.grants() == all)
            try await ledger.revoke(server.recipient)
            #expect(try await ledger.grants() == Array(all.dropFirst()))
            #expect(await ledger.status(for: server) == .missing)
            #expect(await ledger.status(for: cloud) == .granted(at: time))
            try await ledger.revokeAll()
            #expect(try await ledger.grants().isEmpty)
        }
    }

    @Test("R26 every change is told to whoever listens")
    func changes() async throws {
        try await eachLedger { ledger in
            var changes = await ledger.changes().makeAsyncIterator()
            try await ledger.record(ConsentGrant(server, at: time))
            let first = await changes.next()
            try await ledger.revokeAll()
            let second = await changes.next()
            #expect(try #require(second).generation == (try #require(first)).generation + 1)
            // Nothing has changed, so nothing is told.
            try await ledger.revokeAll()
            try await ledger.record(ConsentGrant(other, at: time))
            #expect(await changes.next()?.generation == 3)
        }
    }

    @Test("R26 consents outlive the process, in a file that its owner alone may read")
    func files() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/deep/consents.json"
            let all = [server, other, cloud].map { ConsentGrant($0, at: time) }
            for grant in all { try await FileConsentLedger(path: path).record(grant) }
            #expect(try await FileConsentLedger(path: path).grants() == all)
            #expect(try permissions(of: path) == 0o600)
            #expect(try permissions(of: folder + "/deep") == 0o700)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/deep").sorted()
            #expect(names == ["consents.json", "consents.json.lock"])
        }
    }

    @Test("R26 what another process takes back does not count here either")
    func twoProcesses() async throws {
        try await withTemporaryFolder { folder in
            let here = FileConsentLedger(path: folder + "/consents.json")
            let there = FileConsentLedger(path: folder + "/consents.json")
            try await here.record(ConsentGrant(server, at: time))
            #expect(await there.status(for: server).isGranted)
            try await there.revoke(server.recipient)
            #expect(await here.status(for: server) == .missing)
            try await there.record(ConsentGrant(other, at: time))
            try await here.record(ConsentGrant(cloud, at: time))
            #expect(try await here.grants().map(\.request) == [other, cloud])
            try FileManager.default.removeItem(atPath: folder + "/consents.json")
            #expect(await here.status(for: other) == .missing)
        }
    }

    @Test("R26 changes made at once from several sides are all kept")
    func contention() async throws {
        try await withTemporaryFolder { folder in
            try await withThrowingTaskGroup { group in
                for number in 0..<40 {
                    group.addTask {
                        let request = ConsentRequest(
                            recipient: .thirdParty("\(number)"), data: .none, disclosureVersion: 1)
                        try await FileConsentLedger(path: folder + "/consents.json")
                            .record(ConsentGrant(request, at: Timestamp(milliseconds: 0)))
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await FileConsentLedger(path: folder + "/consents.json").grants().count == 40)
        }
    }

    @Test(
        "R26 a file that is not understood counts as no consent, is told, and is not written over",
        arguments: [
            "", "{", "[]", #"{"format":2,"grants":[]}"#, #"{"format":1,"grants":[],"more":1}"#,
            #"{"format":1,"grants":[{"recipient":"first-party","data":"minimised","disclosure":1,"time":"2026-01-01T00:00:00Z"}]}"#,
            #"{"format":1,"grants":[{"recipient":"first-party","name":"Server","data":"minimised","disclosure":1,"time":"soon"}]}"#,
            #"{"format":1,"grants":[{"recipient":"first-party","name":"Server","data":"all","disclosure":1,"time":"2026-01-01T00:00:00Z"}]}"#,
            #"{"format":1,"grants":[{"recipient":"platform-private-cloud","name":"x","data":"none","disclosure":1,"time":"2026-01-01T00:00:00Z"}]}"#,
        ])
    func malformed(content: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/consents.json"
            try Data(content.utf8).write(to: URL(filePath: path))
            let ledger = FileConsentLedger(path: path)
            #expect(await ledger.status(for: server) == .unreadable)
            await #expect(throws: ConsentLedgerError.malformed) { try await ledger.grants() }
            await #expect(throws: ConsentLedgerError.malformed) {
                try await ledger.record(ConsentGrant(server, at: time))
            }
            await #expect(throws: ConsentLedgerError.malformed) { try await ledger.revoke(server.recipient) }
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(content.utf8))
            // Taking everything back needs nothing of what is there.
            try await ledger.revokeAll()
            #expect(await ledger.status(for: server) == .missing)
        }
    }

    @Test("R26 a file that cannot be opened is told without its name")
    func unreadable() async throws {
        try await withTemporaryFolder { folder in
            let ledger = FileConsentLedger(path: folder)
            #expect(await ledger.status(for: server) == .unreadable)
            do {
                _ = try await ledger.grants()
                Issue.record("was read")
            } catch {
                #expect(!"\(error)".contains(folder))
                #expect("\(error)".contains("cannot be read"))
            }
        }
    }
}
