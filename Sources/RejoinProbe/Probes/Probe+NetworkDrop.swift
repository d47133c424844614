import RejoinClient

extension Probe {
    /// The network goes in the middle of an answer, and comes back; the person does nothing.
    static let networkDrop = Probe(
        "P50.3", "Network drop",
        decided: "The partial text stays; the rest arrives after reconnecting with no retry, no gap and no repeat"
    ) { stage, book in
        let person = try await stage.person()
        let phone = try await stage.device("phone", of: person)
        let runs = stage.runs
        guard let (sent, seen) = await book.begin(on: phone, stage) else { return }
        phone.network.goDown()
        // Long enough for the app to notice, short enough for the answer to be still under way.
        let down = await phone.watch(sent.conversation, atMost: .milliseconds(800)) {
            $0.isOver || !$0.text.hasPrefix(seen)
        }
        book.note("without a network: " + down.screen.excerpt)
        book.check(
            !down.came, "the words so far stay while there is no network",
            otherwise: "without a network the screen shows \(down.screen.excerpt)")
        let kept = down.screen.text
        phone.network.heal()
        let back = await phone.watch(sent.conversation, atMost: .seconds(30)) {
            $0.text.count > kept.count || $0.isOver
        }
        book.time("from the network's return to the next words", back.after)
        // Once more, without a pause: only the open lines break.
        phone.network.cut()
        let end = await phone.watch(sent.conversation, atMost: .seconds(30)) { $0.isOver }
        book.checkWhole(end.screen, since: kept, on: stage, "the rest arrived by itself, without gap or repeat")
        book.checkRuns(since: runs, on: stage)
    }
}
