import RejoinCore
import TestSupport
import Testing

@testable import RejoinServer

/// Guessing at names and passwords, with a clock that a test moves.
@Suite(.timeLimit(.minutes(2))) struct SlowingTests {
    private let clock = ManualClock()
    private let store = MemoryStore()

    private func accounts() -> Accounts { Accounts(store: store, surroundings: clock.surroundings) }

    private func attempt(
        _ accounts: Accounts, _ name: String, _ password: String, from address: String
    ) async throws -> Problem? {
        do {
            _ = try await accounts.signIn(name: name, password: password, device: "test", address: address)
            return nil
        } catch let problem as Problem {
            return problem
        }
    }

    @Test(
        "S25 guessing at a name waits longer and longer, also after a restart, and the right password opens when it is over"
    )
    func perName() async throws {
        let first = accounts()
        _ = try await first.create(name: "ann", password: "correct horse")
        for number in 1...6 {
            let problem = try await attempt(first, "Ann", "wrong \(number)", from: "192.0.2.\(number)")
            #expect(problem?.kind == .unauthenticated)
        }
        let blocked = try await attempt(first, "ann", "correct horse", from: "192.0.2.99")
        #expect(blocked?.kind == .limitReached && blocked?.retryAfter == 2)
        // A restart is no way round: what was tried is in the store.
        let second = accounts()
        #expect(try await attempt(second, "ANN ", "correct horse", from: "192.0.2.98")?.retryAfter == 2)
        clock.advance(by: .seconds(2))
        #expect(try await attempt(second, "ann", "correct horse", from: "192.0.2.99") == nil)
        // Being right cleared the name.
        #expect(try await attempt(second, "ann", "wrong", from: "192.0.2.97")?.kind == .unauthenticated)
    }

    @Test("S25 who guesses from elsewhere does not shut the person out of an address that was signed in from before")
    func familiar() async throws {
        let accounts = accounts()
        _ = try await accounts.create(name: "ann", password: "correct horse")
        #expect(try await attempt(accounts, "ann", "correct horse", from: "2001:db8:1:2::7") == nil)
        for number in 1...7 {
            _ = try await attempt(accounts, "ann", "wrong", from: "192.0.2.\(number)")
        }
        #expect(try await attempt(accounts, "ann", "correct horse", from: "198.51.100.1")?.kind == .limitReached)
        // Another address of the same household.
        #expect(try await attempt(accounts, "ann", "correct horse", from: "2001:db8:1:2:aaaa::1") == nil)
        // Whoever guesses in the household is slowed there, and the name elsewhere has its own count.
        for _ in 1...6 { _ = try await attempt(accounts, "ann", "wrong", from: "2001:db8:1:2::9") }
        #expect(try await attempt(accounts, "ann", "correct horse", from: "2001:db8:1:2::9")?.kind == .limitReached)
    }

    @Test("S25 one address that tries many names is slowed, of IPv6 the whole /64")
    func perAddress() async throws {
        let accounts = accounts()
        var kinds: [Problem.Kind?] = []
        for number in 1...22 {
            kinds.append(try await attempt(accounts, "name\(number)", "x", from: "2001:db8:5:6::\(number)")?.kind)
        }
        #expect(kinds.prefix(21).allSatisfy { $0 == .unauthenticated })
        #expect(kinds.last == .limitReached)
        #expect(try await attempt(accounts, "other", "x", from: "2001:db8:5:7::1")?.kind == .unauthenticated)
    }

    @Test("S25 a flood of sign-ins is turned away at the door with a time to come back, and costs no attempt")
    func flood() async throws {
        let accounts = accounts()
        _ = try await accounts.create(name: "ann", password: "correct horse")
        let problems = try await withThrowingTaskGroup(of: Problem?.self) { group in
            for number in 1...100 {
                group.addTask { try await attempt(accounts, "n\(number)", "x", from: "198.51.100.\(number)") }
            }
            return try await group.reduce(into: [Problem?]()) { $0.append($1) }
        }
        let refused = problems.filter { $0?.kind == .temporarilyUnavailable }
        #expect(problems.count { $0?.kind == .unauthenticated } >= HashLine.length)
        #expect(refused.count >= 50 && refused.allSatisfy { ($0?.retryAfter ?? 0) > 0 })
        #expect(try await attempt(accounts, "ann", "correct horse", from: "192.0.2.1") == nil)
    }

    @Test("S25 the password until now is guessed at as slowly, and only the hash is kept")
    func changing() async throws {
        let accounts = accounts()
        let ann = try await accounts.create(name: "ann", password: "correct horse")
        let hash = try #require(try await store.account(ann.id)?.passwordHash)
        #expect(hash.hasPrefix("$argon2id$") && !hash.contains("horse"))
        let (session, _) = try await accounts.openSession(of: ann.id, device: "one")
        func change(_ current: String?, _ new: String) async throws -> Problem? {
            do {
                try await accounts.changePassword(of: session, current: current, new: new)
                return nil
            } catch let problem as Problem { return problem }
        }
        #expect(try await change(nil, "battery staple")?.field == "current")
        #expect(try await change("correct horse", "short")?.field == "new")
        for _ in 1...6 { #expect(try await change("wrong", "battery staple")?.field == "current") }
        #expect(try await change("correct horse", "battery staple")?.kind == .limitReached)
        clock.advance(by: .seconds(2))
        #expect(try await change("correct horse", "battery staple") == nil)
        #expect(try await attempt(accounts, "ann", "correct horse", from: "192.0.2.1")?.kind == .unauthenticated)
        #expect(try await attempt(accounts, "ann", "battery staple", from: "192.0.2.1") == nil)
    }
}
