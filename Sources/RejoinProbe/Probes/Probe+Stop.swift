import Rehearsal
import RejoinClient

extension Probe {
    /// A person stops an answer, and comes back to it after everything was restarted.
    static let stop = Probe(
        "P50.1", "Stop",
        decided:
            "The partial answer stays and survives a restart of the client and of the server; the model is told to stop"
    ) { stage, book in
        let person = try await stage.person()
        let phone = try await stage.device("phone", of: person)
        let (abortedBefore, runsBefore) = (stage.model?.aborted ?? 0, stage.runs)
        guard let (sent, seen) = await book.begin(on: phone, stage) else { return }

        try await phone.app.stop(sent.answer)
        let stopped = await phone.watch(sent.conversation) { $0.state == .stopped }
        book.time("from Stop to a screen that says so", stopped.after)
        book.note("after Stop: " + stopped.screen.excerpt)
        let kept = stopped.screen.text
        book.check(
            stopped.came && kept.hasPrefix(seen), "the words so far stay and are marked as stopped",
            otherwise: "after Stop the screen shows \(stopped.screen.excerpt)")

        if let model = stage.model {
            let start = ContinuousClock.now
            let isTold = await model.wait(atMost: .seconds(3)) { $0.aborted > abortedBefore }
            book.time("from Stop to the model's end", start.duration(to: .now))
            book.check(isTold, "the model was told to stop", otherwise: "the model went on writing after Stop")
        } else {
            book.doubt("the model behind this server cannot be seen")
        }

        await phone.kill()
        if let house = stage.house {
            try await house.crash()
        } else {
            book.doubt("this server cannot be restarted from here")
        }
        try await phone.start()
        let back = await phone.watch(sent.conversation) { $0.isOver && $0.connection == "online" }
        book.note("after the restart: " + back.screen.excerpt)
        book.check(
            back.screen.state == .stopped && back.screen.text.hasPrefix(kept),
            "they are there after a restart of client and server",
            otherwise: "after a restart the screen shows \(back.screen.excerpt)")

        let tablet = try await stage.device("tablet", of: person)
        try await tablet.app.open(sent.conversation)
        let other = await tablet.watch(sent.conversation) { $0.isOver }
        book.note("on another device: " + other.screen.excerpt)
        book.check(
            other.screen.state == .stopped && other.screen.text.hasPrefix(kept),
            "another device shows the same",
            otherwise: "another device shows \(other.screen.excerpt), where this one showed \(kept.count) characters")
        book.checkRuns(since: runsBefore, on: stage)
    }
}

extension Notebook {
    /// Sends a prompt that is answered at some length, and waits until words stand on the screen.
    ///
    /// - Returns: what was sent and the words seen; nil if none came, which is written down.
    func begin(
        on device: Device, _ stage: Stage
    ) async -> (sent: ConversationClient.Sent, seen: String)? {
        do {
            let sent = try await device.app.send(stage.longPrompt, in: nil, model: stage.steadyModel)
            let writing = await device.watch(sent.conversation, atMost: .seconds(30)) {
                $0.text.count >= 20 || $0.isOver
            }
            guard
                check(
                    writing.screen.state == .writing, "an answer was under way",
                    otherwise: "no answer came under way: \(writing.screen.excerpt)")
            else { return nil }
            time("to the first words", writing.after)
            return (sent, writing.screen.text)
        } catch {
            breakOff("the prompt was not taken: \(error)")
            return nil
        }
    }

    /// Holds the number of times that the model was asked against one.
    func checkRuns(since before: Int?, on stage: Stage) {
        guard let before, let now = stage.runs else { return doubt("how often the model ran cannot be seen") }
        check(now == before + 1, "the model ran once", otherwise: "the model ran \(now - before) times for one prompt")
    }

    /// Holds a whole answer against what the model said, where that is known, and against what was seen before.
    func checkWhole(_ screen: Screen, since seen: String, on stage: Stage, _ claim: String) {
        note("in the end: " + screen.excerpt)
        let isWhole = stage.steadyText.map { $0 == screen.text } ?? screen.text.hasPrefix(seen)
        check(
            screen.state == .done && isWhole, claim,
            otherwise: "in the end the screen shows \(screen.excerpt)"
                + (isWhole || screen.text.hasPrefix(seen) ? "" : ", and not the words that stood there before"))
        check(
            screen.entries.count == 1 && screen.entries.last?.versions == 1, "no second answer appeared",
            otherwise:
                "there are \(screen.entries.last?.versions ?? 0) versions of the answer to \(screen.entries.count) prompts"
        )
        if stage.steadyText == nil { doubt("what the model said can only be compared with what was seen") }
    }
}
