import RejoinClient

extension Probe {
    /// One of two people who share a device signs out.
    static let signOut = Probe(
        "P21.6", "Sign-out",
        decided:
            "Nothing of the account is left on the device, its token is worth nothing, and the other account is untouched"
    ) { stage, book in
        let leaving: Person
        let staying: Person
        if let target = stage.target {
            guard let spare = target.spareToken else {
                return book.notOffered("not asked: it would sign out the given token, and there is no second one")
            }
            staying = try await stage.person()
            leaving = Person(token: spare, account: IDSource.system.make())
        } else {
            leaving = try await stage.person()
            staying = try await stage.person()
        }
        let phone = try await stage.device("phone", of: leaving)
        let other = try await stage.device("other", of: staying, on: "phone")
        let secret = try await phone.app.send(stage.shortPrompt("a secret"), in: nil, model: stage.quickModel)
        _ = await phone.watch(secret.conversation, atMost: .seconds(30)) { $0.isOver }
        let theirs = try await other.app.send(stage.shortPrompt("a garden"), in: nil, model: stage.quickModel)
        let before = await other.watch(theirs.conversation, atMost: .seconds(30)) { $0.isOver }

        let start = ContinuousClock.now
        try await phone.app.signOut()
        book.time("to sign out", start.duration(to: .now))
        let gone = await phone.look(at: secret.conversation)
        book.note("after signing out: [\(gone.connection)] \(gone.list.count) conversations")
        book.check(
            gone.connection == "signed out" && gone.list.isEmpty && gone.entries.isEmpty,
            "the screen is empty and says signed out",
            otherwise: "the screen says \(gone.connection) and lists \(gone.list.count) conversations")

        // The app is opened again with what a thief could have kept: the token.
        phone.network.goDown()
        await phone.kill()
        try await phone.start()
        let dark = await phone.look(at: secret.conversation)
        book.check(
            dark.list.isEmpty && dark.entries.isEmpty, "nothing is left on the device",
            otherwise: "the device still lists \(dark.list.count) conversations")
        phone.network.heal()
        let refused = await phone.watch(secret.conversation, atMost: .seconds(8)) {
            $0.connection == "signed out" || !$0.list.isEmpty
        }
        book.note("with the old token: [\(refused.screen.connection)] \(refused.screen.list.count) conversations")
        book.check(
            refused.screen.connection == "signed out" && refused.screen.list.isEmpty,
            "the token is worth nothing afterwards",
            otherwise:
                "with the old token the screen says \(refused.screen.connection), and lists \(refused.screen.list.count) conversations"
        )

        let after = await other.look(at: theirs.conversation)
        book.check(
            after == before.screen, "the other account on the device is untouched",
            otherwise: "the other account now shows \(after.excerpt)")
        await other.kill()
        try await other.start()
        let again = await other.look(at: theirs.conversation)
        book.check(
            again.list == before.screen.list && again.entries == before.screen.entries,
            "also after a restart", otherwise: "after a restart the other account shows \(again.excerpt)")
    }
}
