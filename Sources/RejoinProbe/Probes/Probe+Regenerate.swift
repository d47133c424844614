import RejoinClient

extension Probe {
    /// A person asks for another answer, and wants the first one back.
    static let regenerate = Probe(
        "P50.6", "Regenerate", decided: "A tree: every version is kept and can be switched to"
    ) { stage, book in
        let person = try await stage.person()
        let phone = try await stage.device("phone", of: person)
        let sent = try await phone.app.send(stage.shortPrompt("a tide"), in: nil, model: stage.quickModel)
        let first = await phone.watch(sent.conversation, atMost: .seconds(30)) { $0.isOver }
        guard
            book.check(
                first.screen.state == .done, "there was a first answer",
                otherwise: "there was no first answer: \(first.screen.excerpt)")
        else { return }
        let runs = stage.runs
        stage.changeTheModelsMind()
        try await phone.reach()
        _ = try await phone.app.regenerate(sent.turn)
        let second = await phone.watch(sent.conversation, atMost: .seconds(30)) {
            $0.isOver && $0.entries.last?.version == 2
        }
        book.time("to the second version", second.after)
        book.note("after Regenerate: " + second.screen.excerpt)
        book.check(
            second.came && second.screen.entries.last?.versions == 2 && second.screen.entries.count == 1,
            "a second version stands beside the first",
            otherwise: "after Regenerate the screen shows \(second.screen.excerpt)")
        book.checkRuns(since: runs, on: stage)
        if second.screen.text == first.screen.text { book.doubt("the model said the same twice") }

        try await phone.app.select(sent.answer)
        let switched = await phone.watch(sent.conversation, atMost: .seconds(5)) { $0.entries.last?.version == 1 }
        book.check(
            switched.came && switched.screen.text == first.screen.text, "the first can be switched to, word for word",
            otherwise: "after switching back the screen shows \(switched.screen.excerpt)")
        let tablet = try await stage.device("tablet", of: person)
        try await tablet.app.open(sent.conversation)
        let other = await tablet.watch(sent.conversation, atMost: .seconds(6)) {
            $0.entries.last?.version == 1 && $0.entries.last?.versions == 2
        }
        book.note("on another device: " + other.screen.excerpt)
        book.check(
            other.came && other.screen.text == first.screen.text, "another device has both, and shows the same one",
            otherwise:
                "another device shows \(other.screen.excerpt), with \(other.screen.entries.last?.versions ?? 0) versions"
        )
        await phone.kill()
        try await phone.start()
        let back = await phone.look(at: sent.conversation)
        book.check(
            back.entries == switched.screen.entries, "both are there after a restart",
            otherwise: "after a restart the screen shows \(back.excerpt)")
    }
}
