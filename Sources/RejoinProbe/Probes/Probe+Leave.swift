import Rehearsal
import RejoinClient

extension Probe {
    /// A person leaves in the middle of an answer, once to another app and once for good, and comes back.
    static let leave = Probe(
        "P50.2", "Leave",
        decided: "The answer is complete (or continues) on return, without a new request and without a second run"
    ) { stage, book in
        let person = try await stage.person()
        let phone = try await stage.device("phone", of: person)
        for isForGood in [false, true] {
            let way = isForGood ? "after the app was ended" : "after the app was in the background"
            let runs = stage.runs
            let finished = stage.model?.finished ?? 0
            guard let (sent, seen) = await book.begin(on: phone, stage) else { return }
            // A killed app may lose what came within the last flush interval, and the person is reading meanwhile.
            try await ContinuousClock().sleep(for: phone.app.configuration.flushInterval * 2)
            if isForGood { await phone.kill() } else { try phone.app.enterBackground() }
            if let model = stage.model {
                let isWhole = await model.wait(atMost: .seconds(10)) { $0.finished > finished }
                guard
                    book.check(
                        isWhole, "the model wrote on without a reader",
                        otherwise: "the model did not finish while nobody was looking")
                else { return }
            } else {
                try await ContinuousClock().sleep(for: .seconds(5))
            }
            if isForGood { try await phone.start() } else { try phone.app.enterForeground() }
            let first = await phone.look(at: sent.conversation)
            book.check(
                first.text.hasPrefix(seen) && first.state != .failed, "what was read is there at once \(way)",
                otherwise: "\(way) the screen shows \(first.excerpt) at first")
            let back = await phone.watch(sent.conversation, atMost: .seconds(20)) { $0.isOver }
            book.time("to the whole answer \(way)", back.after)
            book.checkWhole(back.screen, since: seen, on: stage, "the answer is whole \(way)")
            book.checkRuns(since: runs, on: stage)
        }
    }
}
