import RejoinCore
import RejoinServer
import Testing

@Suite struct StoreKeyTests {
    @Test("S25 a passkey is kept whole, found by its credential, and is nobody else's", arguments: StoreKind.allCases)
    func keeping(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            let (store, ann, ben) = (scenario.store, scenario.ann, scenario.ben)
            let first = KeyFixture.passkey(1, of: ann, credential: [1, 2])
            let second = KeyFixture.passkey(2, of: ann, credential: [3], at: 4)
            #expect(try await store.addPasskey(first) == .added)
            #expect(try await store.addPasskey(second) == .added)
            #expect(try await store.addPasskey(first) == .existing(first))
            #expect(try await store.addPasskey(KeyFixture.passkey(1, of: ann, credential: [9])) == .conflict)
            #expect(try await store.addPasskey(KeyFixture.passkey(9, of: ben, credential: [3])) == .conflict)
            #expect(try await store.addPasskey(KeyFixture.passkey(1, of: ben, credential: [9])) == .notFound)
            #expect(try await store.passkey(credential: [1, 2]) == first)
            #expect(try await store.passkey(credential: [2]) == nil)
            #expect(try await store.passkeys(of: ann) == [second, first])
            #expect(try await store.passkeys(of: ben).isEmpty)
            #expect(try await store.passkey(1, of: ann) == first)
            #expect(try await store.passkey(1, of: ben) == nil)
            #expect(try await store.passkey(1)?.account == ann)
            #expect(try await store.passkey(5) == nil)
        }
    }

    @Test("S25 a passkey's counter only goes up, whoever comes first", arguments: StoreKind.allCases)
    func counting(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            let store = scenario.store
            _ = try await store.addPasskey(KeyFixture.passkey(1, of: scenario.ann, credential: [1]))
            #expect(try await !store.notePasskeyUse(1, signCount: 3, isBackedUp: true, now: 20))
            #expect(try await !store.notePasskeyUse(1, signCount: 0, isBackedUp: true, now: 20))
            #expect(try await store.notePasskeyUse(1, signCount: .max, isBackedUp: true, now: 21))
            #expect(try await !store.notePasskeyUse(2, signCount: 9, isBackedUp: true, now: 21))
            let used = try #require(try await store.passkey(1, of: scenario.ann))
            #expect(used.signCount == .max && used.isBackedUp && used.lastUsedAt == 21)

            var still = KeyFixture.passkey(2, of: scenario.ann, credential: [2])
            still.signCount = 0
            _ = try await store.addPasskey(still)
            #expect(try await store.notePasskeyUse(2, signCount: 0, isBackedUp: false, now: 22))
            #expect(try await store.notePasskeyUse(2, signCount: 0, isBackedUp: false, now: 23))
        }
    }

    @Test("S25 passkeys are renamed and removed by their own account alone", arguments: StoreKind.allCases)
    func removing(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            let (store, ann, ben) = (scenario.store, scenario.ann, scenario.ben)
            _ = try await store.addPasskey(KeyFixture.passkey(1, of: ann, credential: [1]))
            #expect(try await store.renamePasskey(1, of: ben, to: "mine", now: 30) == nil)
            #expect(try await store.renamePasskey(1, of: ann, to: "phone", now: 30)?.name == "phone")
            #expect(try await !store.deletePasskey(1, of: ben, now: 31))
            #expect(try await store.deletePasskey(1, of: ann, now: 31))
            #expect(try await !store.deletePasskey(1, of: ann, now: 31))
            #expect(try await store.passkey(credential: [1]) == nil)
            #expect(try await scenario.feed() == ["put passkey 1", "put passkey 1", "delete passkey 1"])
            let events = try await store.audit(of: ann, before: nil, limit: 10).map { [$0.event.rawValue, $0.detail] }
            #expect(events == [["passkey-removed", "phone"], ["passkey-added", "secret key"]])
        }
    }

    @Test("S25 an account has at most so many passkeys", arguments: StoreKind.allCases)
    func most(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            for number in 1...UInt64(PasskeyRecord.most) {
                let passkey = KeyFixture.passkey(
                    PasskeyID(high: 0, low: number), of: scenario.ann, credential: [UInt8(number)])
                #expect(try await scenario.store.addPasskey(passkey) == .added)
            }
            let further = KeyFixture.passkey(99, of: scenario.ann, credential: [99])
            #expect(try await scenario.store.addPasskey(further) == .full)
        }
    }

    @Test("S25 an identity is of one account, by issuer and subject", arguments: StoreKind.allCases)
    func linking(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            let (store, ann, ben) = (scenario.store, scenario.ann, scenario.ben)
            let identity = KeyFixture.identity(1, of: ann, subject: "7")
            #expect(try await store.linkIdentity(identity) == .linked)
            #expect(try await store.linkIdentity(KeyFixture.identity(2, of: ann, subject: "7")) == .existing)
            #expect(try await store.linkIdentity(KeyFixture.identity(3, of: ben, subject: "7")) == .taken)
            var other = KeyFixture.identity(4, of: ben, subject: "7")
            other.issuer = "https://other.example"
            #expect(try await store.linkIdentity(other) == .linked)
            #expect(try await store.identity(issuer: identity.issuer, subject: "7") == identity)
            #expect(try await store.identity(issuer: identity.issuer, subject: "8") == nil)
            #expect(try await store.identities(of: ben) == [other])
            try await store.noteIdentityUse(1, now: 40)
            #expect(try await store.identities(of: ann).first?.lastUsedAt == 40)
            #expect(try await !store.unlinkIdentity(1, of: ben, now: 41))
            #expect(try await store.unlinkIdentity(1, of: ann, now: 41))
            #expect(try await store.identities(of: ann).isEmpty)
            #expect(try await scenario.feed() == ["put identity 1", "delete identity 1"])
        }
    }

    @Test("S25 an account made for an identity is there with it, or not at all", arguments: StoreKind.allCases)
    func creating(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            let store = scenario.store
            func make(_ id: AccountID, _ name: String, subject: String) async throws -> Bool {
                try await store.createAccount(
                    AccountRecord(id: id, name: name, passwordHash: nil, createdAt: 50), keepsHistory: true,
                    identity: KeyFixture.identity(IdentityID(high: 0, low: id.low), of: id, subject: subject))
            }
            #expect(try await make(11, "Zoe", subject: "z"))
            #expect(try await !make(12, "Zoe", subject: "y"))
            #expect(try await !make(13, "Yan", subject: "z"))
            #expect(try await store.account(13) == nil)
            #expect(try await store.accountCount() == 3)
            #expect(try await store.identity(issuer: "https://login.example", subject: "z")?.account == 11)
            #expect(try await store.identity(issuer: "https://login.example", subject: "y") == nil)
        }
    }

    @Test("S24 a closed account leaves neither passkey nor identity", arguments: StoreKind.allCases)
    func closing(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            let (passkey, identity) = try await KeyFixture.give(to: scenario.ann, in: scenario.store)
            _ = try await scenario.store.deleteAccount(scenario.ann, now: 60)
            #expect(try await scenario.store.passkey(credential: passkey.credential) == nil)
            #expect(try await scenario.store.identity(issuer: identity.issuer, subject: identity.subject) == nil)
        }
    }
}
