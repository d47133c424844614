import RejoinClient

extension Probe {
    /// One conversation is open on two devices, and both are used.
    static let twoDevices = Probe(
        "P14.9", "Two devices", decided: "An answer grows on both devices, and both show the same at rest"
    ) { stage, book in
        let person = try await stage.person()
        let phone = try await stage.device("phone", of: person)
        let tablet = try await stage.device("tablet", of: person)
        let opening = try await phone.app.send(stage.shortPrompt("an island"), in: nil, model: stage.quickModel)
        let conversation = opening.conversation
        _ = await phone.watch(conversation, atMost: .seconds(30)) { $0.isOver }
        _ = await tablet.watch { $0.lists(conversation) }
        try await tablet.app.open(conversation)

        try await phone.reach()
        let runs = stage.runs
        _ = try await phone.app.send(stage.longPrompt, in: conversation, model: stage.steadyModel)
        let live = await tablet.watch(conversation, atMost: .seconds(20)) {
            $0.entries.count == 2 && ($0.state == .writing && !$0.text.isEmpty || $0.isOver)
        }
        book.time("to the first words on the other device", live.after)
        book.note("meanwhile on the other device: " + live.screen.excerpt)
        guard
            book.check(
                live.screen.entries.count == 2 && live.screen.state == .writing,
                "the words stand on the other device while they are being written",
                otherwise: "meanwhile the other device shows \(live.screen.excerpt)")
        else { return }
        let grown = await tablet.watch(conversation, atMost: .seconds(20)) {
            $0.text.count > live.screen.text.count || $0.isOver
        }
        guard
            book.check(
                grown.screen.state == .writing && grown.screen.text.count > live.screen.text.count,
                "and grow there", otherwise: "the answer does not grow on the other device: \(grown.screen.excerpt)")
        else { return }
        let here = await phone.watch(conversation, atMost: .seconds(40)) { $0.entries.count == 2 && $0.isOver }
        let there = await tablet.watch(conversation, atMost: .seconds(5)) { $0.entries == here.screen.entries }
        book.time("from the end here to the end there", there.after)
        book.check(
            here.screen.state == .done && there.came, "both show the same at rest",
            otherwise: "at rest the one shows \(here.screen.excerpt), the other \(there.screen.excerpt)")
        book.checkRuns(since: runs, on: stage)

        // The other way round, so that neither is only a reader.
        try await tablet.reach()
        do {
            _ = try await tablet.app.send(stage.shortPrompt("a strait"), in: conversation, model: stage.quickModel)
        } catch {
            book.check(false, "", otherwise: "the other device cannot go on with the conversation: \(error)")
        }
        let reply = await phone.watch(conversation, atMost: .seconds(20)) { $0.entries.count == 3 && $0.isOver }
        let both = await tablet.watch(conversation, atMost: .seconds(5)) { $0.entries == reply.screen.entries }
        book.check(
            reply.came && both.came, "what the other device asked is here too",
            otherwise: "a prompt of the other device is not here: \(reply.screen.entries.count) prompts are shown")
    }
}
