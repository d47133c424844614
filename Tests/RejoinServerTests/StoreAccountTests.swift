import RejoinCore
import RejoinServer
import Testing

@Suite struct StoreAccountTests {
    @Test(arguments: StoreKind.allCases)
    func `finds an account by id and by name in any case`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            let zoe = AccountRecord(id: 7, name: "Zoë", passwordHash: "hash", createdAt: 5)
            #expect(try await scenario.store.createAccount(zoe))
            #expect(try await scenario.store.account(7) == zoe)
            #expect(try await scenario.store.account(named: "ZOË") == zoe)
            #expect(try await scenario.store.account(named: "nobody") == nil)
            #expect(try await scenario.store.account(8) == nil)
            #expect(try await scenario.store.accountCount() == 3)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `refuses a name that is taken in another case and changes nothing`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            let other = AccountRecord(id: 7, name: "ANN", passwordHash: nil, createdAt: 5)
            #expect(try await !scenario.store.createAccount(other))
            #expect(try await scenario.store.account(7) == nil)
            #expect(try await scenario.store.account(named: "ann")?.id == scenario.ann)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `signs devices in and out`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let phone = SessionRecord(id: 1, account: scenario.ann, device: "phone", createdAt: 9)
            let desk = SessionRecord(id: 2, account: scenario.ann, device: "desk", createdAt: 8)
            try await scenario.store.openSession(phone, tokenHash: [1])
            try await scenario.store.openSession(desk, tokenHash: [2])
            #expect(try await scenario.store.session(tokenHash: [1]) == phone)
            #expect(try await scenario.store.session(tokenHash: [3]) == nil)
            #expect(try await scenario.store.sessions(of: scenario.ann) == [desk, phone])
            #expect(try await scenario.store.sessions(of: scenario.ben).isEmpty)

            #expect(try await !scenario.store.closeSession(1, of: scenario.ben))
            #expect(try await scenario.store.closeSession(1, of: scenario.ann))
            #expect(try await !scenario.store.closeSession(1, of: scenario.ann))
            #expect(try await scenario.store.session(tokenHash: [1]) == nil)
            #expect(try await scenario.feed() == ["put device 1", "put device 2", "delete device 1"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `refuses a session whose token or account cannot be`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            let session = SessionRecord(id: 1, account: scenario.ann, device: "phone", createdAt: 9)
            try await scenario.store.openSession(session, tokenHash: [1])
            let sameToken = SessionRecord(id: 2, account: scenario.ben, device: "desk", createdAt: 9)
            await #expect(throws: StoreFailure.self) {
                try await scenario.store.openSession(sameToken, tokenHash: [1])
            }
            let noAccount = SessionRecord(id: 3, account: 99, device: "desk", createdAt: 9)
            await #expect(throws: StoreFailure.self) {
                try await scenario.store.openSession(noAccount, tokenHash: [3])
            }
            #expect(try await scenario.store.session(tokenHash: [1]) == session)
            #expect(try await scenario.store.session(tokenHash: [3]) == nil)
            #expect(try await scenario.feed(of: scenario.ben).isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a sign-in code works once, before it expires`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { scenario in
            try await scenario.store.saveSignInCode(hash: [1], account: scenario.ann, expiresAt: 100)
            try await scenario.store.saveSignInCode(hash: [2], account: scenario.ann, expiresAt: 200)
            #expect(try await scenario.store.redeemSignInCode(hash: [9], now: 50) == nil)
            #expect(try await scenario.store.redeemSignInCode(hash: [1], now: 99) == scenario.ann)
            #expect(try await scenario.store.redeemSignInCode(hash: [1], now: 99) == nil)
            #expect(try await scenario.store.redeemSignInCode(hash: [2], now: 200) == nil)
        }
    }
}
