import RejoinCore
import RejoinTestKit
import Testing

@testable import RejoinClient

@Suite(.timeLimit(.minutes(1))) @MainActor struct AccountModelTests {
    @Test("A58 A61 figures are the server's, each for its own capability, and sending does not change them")
    func figures() async throws {
        try await ModelScreen.open(pace: .atOnce) { screen in
            let limits = [
                Limit(capability: "messages", limit: 10, remaining: 0, asOf: screen.clock.wall),
                Limit(capability: "images", limit: 5, remaining: 5, asOf: screen.clock.wall),
            ]
            screen.server.setLimits(limits)
            let model = LimitsModel(client: screen.chat, options: screen.options)
            screen.run { await model.run() }
            await model.refresh()
            try await screen.shows("the figures") { model.state == .current(limits) }
            #expect(model.limit(of: "images")?.remaining == 5)
            #expect(model.ageWords == nil)
            let (_, composer) = screen.conversation()
            let answer = try await screen.ask("Hello", composer)
            try await screen.shows("it is answered all the same", by: .milliseconds(50)) {
                answer.answer.state.end?.state == .done
            }
            #expect(model.limit(of: "messages")?.remaining == 0)
            #expect(model.limit(of: "messages")?.limit == 10)
        }
    }

    @Test("A59 offline a figure shows its age or is hidden, and is never one of now") func age() {
        let then = Timestamp(milliseconds: 1_800_000_000_000)
        let snapshot = LimitsSnapshot(items: [Limit(capability: "messages", remaining: 3)], asOf: then)
        let now = then.advanced(byMilliseconds: 300_000)
        let offline = ConnectionState.offline(since: then)
        func state(_ connection: ConnectionState, _ now: Timestamp, _ stale: ModelOptions.StaleLimits)
            -> LimitsModel.State
        {
            LimitsModel.state(of: snapshot, connection, now: now, stale)
        }
        #expect(state(.online, now, .hidden) == .current(snapshot.items))
        for connection in [offline, .reconnecting(attempt: 1), .signedOut] {
            #expect(
                state(connection, now, .shownWithAge) == .aged(snapshot.items, since: then, age: .seconds(300)))
            #expect(state(connection, now, .hidden) == .hidden)
        }
        let old = then.advanced(byMilliseconds: 7_200_000)
        #expect(state(.online, old, .hidden) == .hidden, "what nobody asked about for hours is not of now either")
        #expect(
            state(offline, then.advanced(byMilliseconds: -5), .shownWithAge)
                == .aged(
                    snapshot.items, since: then, age: .zero))
    }

    @Test("A59 the age is shown once the network goes") func goesOffline() async throws {
        try await ModelScreen.open { screen in
            screen.server.setLimits([Limit(capability: "messages", remaining: 3)])
            let model = LimitsModel(client: screen.chat, options: screen.options)
            screen.run { await model.run() }
            await model.refresh()
            try await screen.shows("the figures") { !model.items.isEmpty }
            screen.reachability.set(isReachable: false)
            try await screen.shows("the age") { model.ageWords != nil }
            try await screen.shows("the age grows", by: .seconds(30)) { model.ageWords == "as of 2 minutes ago" }
        }
    }

    @Test func `the list shows what happens elsewhere, pages, and searches`() async throws {
        try await ModelScreen.open(pace: .atOnce) { screen in
            screen.options.pageSize = 2
            let list = ConversationListModel(client: screen.chat, options: screen.options)
            screen.run { await list.run() }
            try await screen.shows("an empty list") { list.state == .list([], .nothing) }
            for words in ["red apples", "green pears", "blue plums"] {
                screen.clock.advance(by: .seconds(1))
                try await screen.chat.send(words, in: nil)
            }
            try await screen.shows("a page and more", by: .milliseconds(50)) {
                if case .list(let lines, .more) = list.state { lines.count == 2 } else { false }
            }
            list.more()
            try await screen.shows("all") {
                if case .list(let lines, .nothing) = list.state { lines.count == 3 } else { false }
            }
            list.query = "pears"
            try await screen.shows("what was found") {
                if case .found(let hits, for: "pears") = list.state { !hits.isEmpty } else { false }
            }
            list.query = ""
            try await screen.shows("the list again") { list.conversations.count == 3 }
            await list.delete(try #require(list.conversations.first?.id))
            try await screen.shows("one less", by: .milliseconds(50)) { list.conversations.count == 2 }
            await list.rename(try #require(list.conversations.first?.id), to: "  ")
            #expect(list.notice?.refusal.code == .invalid)
        }
    }

    @Test func `the account says how it stands, one thing at a time`() async throws {
        try await ModelScreen.open { screen in
            let account = AccountModel(client: screen.chat, options: screen.options)
            screen.run { await account.run() }
            try await screen.shows("online", by: .milliseconds(50)) { account.state == .signedIn(.online) }
            #expect(account.banner == nil)
            await account.readDevices()
            #expect(account.devices == .known([]))
            screen.reachability.set(isReachable: false)
            try await screen.shows("offline") { account.banner?.hasPrefix("Offline.") == true }
            screen.reachability.set(isReachable: true)
            screen.server.signOut()
            screen.network.breakLines()
            try await screen.shows("no longer known", by: .milliseconds(100)) { account.state == .expired }
            await account.signOut()
            #expect(account.state == .signedOut)
        }
    }
}
