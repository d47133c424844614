import RejoinClient

extension Probe {
    /// A conversation begins on one device while the list is open on another.
    static let secondDevice = Probe(
        "P50.5", "Second device",
        decided: "A new conversation appears with no gesture within 2 s while the list is open"
    ) { stage, book in
        let person = try await stage.person()
        let phone = try await stage.device("phone", of: person)
        let tablet = try await stage.device("tablet", of: person)
        let ready = await tablet.watch { $0.connection == "online" }
        guard book.check(ready.came, "both are online", otherwise: "the tablet says \(ready.screen.connection)") else {
            return
        }
        let sent = try await phone.app.send(stage.shortPrompt("a ferry"), in: nil, model: stage.quickModel)
        let there = await tablet.watch(atMost: .seconds(6)) { $0.lists(sent.conversation) }
        book.time("to the new line on the other device", there.after)
        book.note("the tablet lists \(there.screen.list.count) conversations")
        guard
            book.check(
                there.came && there.after <= .seconds(2), "the new conversation appeared on the other device by itself",
                otherwise: there.came
                    ? "it took more than 2 s to appear on the other device"
                    : "the new conversation did not appear on the other device")
        else { return }
        _ = await phone.watch(sent.conversation, atMost: .seconds(30)) { $0.isOver }
        try await phone.app.rename(sent.conversation, to: "Crossings")
        let renamed = await tablet.watch(atMost: .seconds(6)) { screen in
            screen.list.contains { $0.id == sent.conversation && $0.title == "Crossings" }
        }
        book.time("to the new title on the other device", renamed.after)
        book.check(renamed.came, "so did its new title", otherwise: "a new title did not appear on the other device")
        try await phone.app.delete(sent.conversation)
        let gone = await tablet.watch(atMost: .seconds(6)) { !$0.lists(sent.conversation) }
        book.time("to its going on the other device", gone.after)
        book.check(
            renamed.came && gone.came, "and its deletion", otherwise: "a deletion did not reach the other device")
    }
}
