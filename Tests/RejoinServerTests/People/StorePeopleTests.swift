import RejoinCore
import RejoinServer
import Testing

/// The verbs about people, the same over every store.
@Suite struct StorePeopleTests {
    private func account(_ id: AccountID, _ name: String, _ role: Role = .member, at: Timestamp = 5) -> AccountRecord {
        AccountRecord(id: id, name: name, passwordHash: nil, createdAt: at, role: role)
    }

    @Test(arguments: StoreKind.allCases)
    func `the first account is the owner whatever it was given, and others are what they are given`(
        kind: StoreKind
    ) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            #expect(try await scenario.store.account(scenario.ann)?.role == .owner)
            #expect(try await scenario.store.account(scenario.ben)?.role == .member)
            #expect(try await scenario.store.createAccount(account(7, "Cem", .owner)))
            #expect(try await scenario.store.account(7)?.role == .owner)
        }
    }

    @Test(
        "S19 there is always an owner: the last one neither loses the role nor leaves others without",
        arguments: StoreKind.allCases)
    func lastOwner(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            let store = scenario.store
            #expect(try await store.isLastOwner(scenario.ann))
            #expect(try await store.setRole(.member, of: scenario.ann, now: 9) == .lastOwner)
            #expect(try await store.account(scenario.ann)?.role == .owner)
            #expect(try await store.setRole(.owner, of: 99, now: 9) == .notFound)
            #expect(try await store.setRole(.owner, of: scenario.ben, now: 9) == .changed)
            #expect(try await !store.isLastOwner(scenario.ann))
            #expect(try await store.setRole(.member, of: scenario.ann, now: 10) == .changed)
            #expect(try await store.audit(of: scenario.ann, before: nil, limit: 9).first?.event == .roleChanged)
            // Closed without being asked whether it may go: the oldest that is left takes over.
            _ = try await store.deleteAccount(scenario.ben, now: 11)
            #expect(try await store.account(scenario.ann)?.role == .owner)
            // Alone, an owner may go: nobody is left behind.
            #expect(try await !store.isLastOwner(scenario.ann))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an invitation creates as many accounts as it is good for, and none after its end`(
        kind: StoreKind
    ) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            let store = scenario.store
            let invite = InviteRecord(id: 1, maker: scenario.ann, createdAt: 1, expiresAt: 100, uses: 2)
            try await store.createInvite(invite, codeHash: [1])
            #expect(try await store.invite(codeHash: [1]) == invite)
            #expect(try await store.register(account(7, "cem"), invite: [9], now: 5) == .refused(nil))
            // A name that is taken takes no use.
            #expect(try await store.register(account(7, "BEN"), invite: [1], now: 5) == .nameTaken)
            #expect(try await store.invite(codeHash: [1])?.used == 0)
            #expect(try await store.register(account(7, "cem"), invite: [1], now: 5) == .created)
            #expect(try await store.register(account(8, "dan"), invite: [1], now: 6) == .created)
            #expect(try await store.register(account(9, "eva"), invite: [1], now: 7) == .refused(.used))
            #expect(try await store.account(9) == nil)
            #expect(try await store.account(8)?.role == .member)

            let late = InviteRecord(id: 2, maker: scenario.ann, createdAt: 2, expiresAt: 100, uses: 1)
            try await store.createInvite(late, codeHash: [2])
            #expect(try await store.register(account(9, "eva"), invite: [2], now: 100) == .refused(.expired))
            #expect(try await store.revokeInvite(2, now: 50))
            #expect(try await store.revokeInvite(2, now: 60))
            #expect(try await !store.revokeInvite(3, now: 50))
            #expect(try await store.register(account(9, "eva"), invite: [2], now: 51) == .refused(.revoked))
            #expect(try await store.invites().map(\.id) == [2, 1])
            #expect(try await store.invites().first?.revokedAt == 50)
            try await store.expirePeople(now: Timestamp(milliseconds: 101 + InviteRecord.listedAfter))
            #expect(try await store.invites().isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a first password leaves the devices alone, a second one signs all but one out`(
        kind: StoreKind
    ) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            let store = scenario.store
            for id in 1...3 {
                let session = SessionRecord(
                    id: SessionID(high: 0, low: UInt64(id)), account: scenario.ann, device: "d\(id)",
                    createdAt: Timestamp(milliseconds: Int64(id)))
                try await store.openSession(session, tokenHash: [UInt8(id)])
            }
            #expect(try await store.setPassword(hash: "one", of: scenario.ann, keeping: 1, now: 20) == [])
            #expect(try await store.sessions(of: scenario.ann).count == 3)
            #expect(try await store.setPassword(hash: "two", of: scenario.ann, keeping: 2, now: 21) == [1, 3])
            #expect(try await store.sessions(of: scenario.ann).map(\.id) == [2])
            #expect(try await store.session(tokenHash: [1]) == nil)
            #expect(try await store.account(scenario.ann)?.passwordHash == "two")
            #expect(try await store.setPassword(hash: "x", of: 99, keeping: nil, now: 22) == nil)
            #expect(
                try await scenario.feed() == [
                    "put device 1", "put device 2", "put device 3", "delete device 1", "delete device 3",
                ])
            let events = try await store.audit(of: scenario.ann, before: nil, limit: 4).map(\.event)
            #expect(events == [.signedOut, .signedOut, .passwordChanged, .passwordChanged])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `devices are renamed, seen and signed out together, each by its own account alone`(
        kind: StoreKind
    ) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            let store = scenario.store
            for (id, owner) in [(1, scenario.ann), (2, scenario.ann), (3, scenario.ben)] {
                let session = SessionRecord(
                    id: SessionID(high: 0, low: UInt64(id)), account: owner, device: "d",
                    createdAt: Timestamp(milliseconds: Int64(id)))
                try await store.openSession(session, tokenHash: [UInt8(id)])
            }
            #expect(try await store.renameSession(1, of: scenario.ann, to: "Desk", now: 9))
            #expect(try await !store.renameSession(3, of: scenario.ann, to: "Mine", now: 9))
            try await store.noteSeen([1: 500, 2: 0, 77: 8])
            let sessions = try await store.sessions(of: scenario.ann)
            #expect(sessions.map(\.device) == ["Desk", "d"])
            #expect(sessions.map(\.seenAt) == [500, 2])
            #expect(try await store.signedIn(among: [1, 3, 77]) == [1, 3])
            #expect(try await store.closeSessions(of: scenario.ann, but: 1, now: 10) == [2])
            #expect(try await store.closeSessions(of: scenario.ann, but: 1, now: 10) == [])
            #expect(try await store.signedIn(among: [1, 2, 3]) == [1, 3])
            #expect(
                try await scenario.feed() == ["put device 1", "put device 2", "put device 1", "delete device 2"])
        }
    }

    @Test(
        "S25 attempts count before they are judged, so that many at once are no way round",
        arguments: StoreKind.allCases)
    func attempts(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            let store = scenario.store
            let (name, place) = (Attempts.Key(hash: [1], free: 2), Attempts.Key(hash: [2], free: 3))
            // Twenty at one moment: as many as are free are taken, and the one that makes the next wait.
            var taken = 0
            for _ in 1...20 where try await store.beginAttempt([name, place], now: 1000) == nil { taken += 1 }
            #expect(taken == 3)
            #expect(try await store.beginAttempt([name, place], now: 1000) == 3000)
            // What was refused was not counted: two seconds later there is one more, and then four seconds to wait.
            #expect(try await store.beginAttempt([name, place], now: 3000) == nil)
            #expect(try await store.beginAttempt([name, place], now: 3001) == 7000)
            // The place has a wait of its own now, from its fourth on.
            #expect(try await store.beginAttempt([Attempts.Key(hash: [3], free: 2), place], now: 3001) == 5000)
            try await store.forgiveAttempt(cleared: [name], eased: [place])
            #expect(try await store.beginAttempt([name, place], now: 3002) == nil)
            // A day later all is forgotten.
            let later = Timestamp(milliseconds: 3003 + Attempts.memory)
            for _ in 1...3 { #expect(try await store.beginAttempt([name], now: later) == nil) }
            try await store.expirePeople(now: Timestamp(milliseconds: later.milliseconds + Attempts.memory + 1))
            #expect(try await store.beginAttempt([name], now: later) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `addresses are familiar to one account, the newest hundred, for ninety days`(kind: StoreKind) async throws {
        try await StoreScenario.run(kind) { (scenario) async throws in
            let store = scenario.store
            for number in 0..<(FamiliarAddresses.perAccount + 2) {
                try await store.noteFamiliar(
                    [UInt8(number)], to: scenario.ann, at: Timestamp(milliseconds: Int64(number)))
            }
            #expect(try await !store.isFamiliar([0], to: scenario.ann))
            #expect(try await !store.isFamiliar([1], to: scenario.ann))
            #expect(try await store.isFamiliar([2], to: scenario.ann))
            #expect(try await !store.isFamiliar([2], to: scenario.ben))
            try await store.noteFamiliar([2], to: scenario.ann, at: 1000)
            try await store.expirePeople(now: Timestamp(milliseconds: 500 + FamiliarAddresses.memory))
            #expect(try await store.isFamiliar([2], to: scenario.ann))
            #expect(try await !store.isFamiliar([50], to: scenario.ann))
            _ = try await store.deleteAccount(scenario.ann, now: 1001)
            #expect(try await !store.isFamiliar([2], to: scenario.ann))
        }
    }
}
