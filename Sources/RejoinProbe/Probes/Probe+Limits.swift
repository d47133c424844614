import RejoinClient
import RejoinCore

extension Probe {
    /// A person runs into a limit, and asks again.
    static let limits = Probe(
        "P50.8", "Limits", decided: "The server's figure, with its age and its reset time; the client never decides"
    ) { stage, book in
        let person = try await stage.person()
        let phone = try await stage.device("phone", of: person)
        try await phone.app.refreshLimits()
        guard let shown = try await phone.app.limits() else {
            book.check(false, "", otherwise: "no limits are shown")
            return
        }
        book.note("\(shown.items.count) figures, read \(shown.asOf)")
        for item in shown.items {
            book.note(
                "\(item.capability): \(item.remaining.map(String.init) ?? "?") left, again from \(item.resetsAt?.description ?? "?")"
            )
            guard item.limit != nil else { continue }
            book.check(
                item.remaining != nil && item.resetsAt != nil, "\(item.capability) has a figure and a reset time",
                otherwise: "\(item.capability) is limited, and its figure or reset time is missing")
        }
        if shown.items.isEmpty {
            book.doubt("this server counts nothing for the account, so there is no figure to hold up")
        }
        guard let model = stage.limitedModel else {
            book.doubt("no limit could be run into")
            book.check(true, "the figures are the server's, with their age", otherwise: "")
            return
        }
        // Twice: a client that decided by itself would not ask again.
        for ask in 1...2 {
            let runs = stage.runs ?? 0
            let sent = try await phone.app.send(stage.shortPrompt("a limit"), in: nil, model: model)
            let refused = await phone.watch(sent.conversation, atMost: .seconds(20)) { $0.isOver }
            if ask == 1 { book.time("to the refusal", refused.after) }
            book.note("at the limit: " + refused.screen.excerpt)
            book.check(
                refused.screen.state == .refused, "the refusal is shown as one",
                otherwise: "at the limit the screen shows \(refused.screen.excerpt)")
            book.check(
                refused.screen.entries.last?.remark?.contains("again from") == true,
                "with the moment from which it may be asked again",
                otherwise: "no reset time is shown: \(refused.screen.excerpt)")
            book.check(
                refused.screen.entries.last?.prompt.isEmpty == false, "and the prompt is still there",
                otherwise: "the prompt is gone")
            book.check(
                (stage.runs ?? 1) > runs, "the server was asked, the client did not decide",
                otherwise: "the client refused by itself")
        }
    }
}
