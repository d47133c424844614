import RejoinClient

extension Probe {
    /// A person writes in airplane mode.
    static let airplane = Probe(
        "P50.4", "Airplane mode",
        decided: "What the device can do is answered on the device, the rest is refused before sending, with the reason"
    ) { stage, book in
        let person = try await stage.person()
        let phone = try await stage.device("phone", of: person)
        let old = try await phone.app.send(stage.shortPrompt("a harbour"), in: nil, model: stage.quickModel)
        let done = await phone.watch(old.conversation, atMost: .seconds(30)) { $0.isOver }
        let runs = stage.runs

        phone.network.goDown()
        phone.reachability.set(isReachable: false)
        let dark = await phone.watch(old.conversation) { $0.connection == "offline" }
        book.time("to a screen that says offline", dark.after)
        book.check(
            dark.came, "the screen says that there is no connection", otherwise: "it says \(dark.screen.connection)")
        book.check(
            dark.screen.entries == done.screen.entries, "what was there can be read",
            otherwise: "the screen shows \(dark.screen.excerpt)")
        book.note("nothing can be answered on this device: its client has no model")

        let words = stage.shortPrompt("a lighthouse")
        try await phone.app.saveDraft(words, for: nil)
        let start = ContinuousClock.now
        var refusal: ClientRefusal?
        do { _ = try await phone.app.send(words, in: nil, model: stage.quickModel) } catch let no as ClientRefusal {
            refusal = no
        }
        book.time("to the refusal", start.duration(to: .now))
        book.note(refusal.map { "sending: \"\($0)\"" } ?? "sending: taken")
        book.check(
            refusal?.code == .offline, "the prompt was refused before sending, with the reason",
            otherwise: refusal.map { "the prompt was refused for another reason: \($0)" }
                ?? "the prompt was taken without a connection")
        let draft = try await phone.app.draft(for: nil)?.text
        book.check(
            draft == words, "its words are still in the composer", otherwise: "the composer holds \(draft ?? "nothing")"
        )
        let list = await phone.look().list

        phone.network.heal()
        phone.reachability.set(isReachable: true)
        let back = await phone.watch(atMost: .seconds(20)) { $0.connection == "online" }
        book.time("to a screen that says online", back.after)
        // What was queued in secret would go out now.
        let later = await phone.watch(atMost: .seconds(1)) { $0.list.count != list.count || $0.list.count > 1 }
        book.check(
            stage.target != nil || !later.came, "nothing was sent afterwards that was refused before",
            otherwise: "after the return of the network there are \(later.screen.list.count) conversations")
        if let runs, let now = stage.runs {
            book.check(now == runs, "the model was not asked", otherwise: "the model was asked \(now - runs) times")
        } else {
            book.doubt("how often the model ran cannot be seen")
        }
    }
}
