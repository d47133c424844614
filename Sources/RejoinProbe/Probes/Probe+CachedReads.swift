import RejoinClient

extension Probe {
    /// A person opens the app without a network.
    static let cachedReads = Probe(
        "P12.1", "Cached reads",
        decided: "The list, opened conversations and the search work without a network, after a restart of the app"
    ) { stage, book in
        let person = try await stage.person()
        let phone = try await stage.device("phone", of: person)
        let sent = try await phone.app.send(
            "What does the word anemometer mean? Answer in one short sentence.", in: nil, model: stage.quickModel)
        let read = await phone.watch(sent.conversation, atMost: .seconds(30)) { $0.isOver }
        guard
            book.check(
                read.screen.state == .done, "there was something to read",
                otherwise: "there was nothing to read: \(read.screen.excerpt)")
        else { return }
        await phone.kill()
        phone.network.goDown()
        phone.reachability.set(isReachable: false)
        let start = ContinuousClock.now
        try await phone.start()
        let cold = await phone.watch(sent.conversation, atMost: .seconds(3)) {
            $0.lists(sent.conversation) && !$0.entries.isEmpty
        }
        book.time("from opening the app to a page that can be read", start.duration(to: .now))
        book.note("without a network: " + cold.screen.excerpt)
        book.check(
            cold.screen.lists(sent.conversation), "the list is there",
            otherwise: "the list has \(cold.screen.list.count) lines, and not this one")
        book.check(
            cold.screen.entries == read.screen.entries, "the conversation can be read, word for word",
            otherwise: "the conversation shows \(cold.screen.excerpt)")
        let hits = (try? await phone.app.search("anemomet")) ?? []
        book.check(
            hits.contains { $0.conversation == sent.conversation }, "and found",
            otherwise: "the search finds \(hits.count) places, and not this one")
    }
}
