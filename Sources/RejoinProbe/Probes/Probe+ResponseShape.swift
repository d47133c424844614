import RejoinClient

extension Probe {
    /// A person watches words come, over a good link, one that stops for a while, and a weak one.
    static let responseShape = Probe(
        "P29.6", "Response shape",
        decided: "Words come as they are made; a link that stops or is weak delays them and loses none"
    ) { stage, book in
        let person = try await stage.person()
        let phone = try await stage.device("phone", of: person)

        let good = try await phone.watchGrowth(stage)
        book.time("to the first piece", good.first)
        book.time("from the first piece to the end", good.rest)
        book.note("over a good link: \(good.words); \(good.steps) steps, \(good.rate) characters a second")
        book.check(
            good.screen.state == .done && good.steps >= 5, "the answer grew piece by piece",
            otherwise: "the answer came in \(good.steps) steps: \(good.screen.excerpt)")
        book.check(
            good.first < (good.first + good.rest) / 2, "the first piece came long before the last",
            otherwise:
                "the first piece came after \(good.first.inSeconds), the last after \((good.first + good.rest).inSeconds)"
        )

        guard let (sent, _) = await book.begin(on: phone, stage) else { return }
        phone.network.stall()
        let held = await phone.look(at: sent.conversation).text
        let still = await phone.watch(sent.conversation, atMost: .milliseconds(1500)) {
            $0.isOver || !$0.text.hasPrefix(held)
        }
        book.note("over a link that stands still: " + still.screen.excerpt)
        book.check(
            !still.came, "a link that stands still takes nothing away",
            otherwise: "over a link that stands still the screen shows \(still.screen.excerpt)")
        phone.network.heal()
        let on = await phone.watch(sent.conversation, atMost: .seconds(40)) { $0.isOver }
        book.time("from the link's return to the whole answer", on.after)
        book.checkWhole(on.screen, since: held, on: stage, "afterwards the rest comes by itself")

        phone.network.throttle(bytesPerSecond: 600)
        let weak = try await phone.watchGrowth(stage)
        book.note("over a weak link: \(weak.words); \(weak.steps) steps, longest pause \(weak.longestPause.inSeconds)")
        book.time("to the first piece over a weak link", weak.first)
        book.time("from the first piece to the end over a weak link", weak.rest)
        book.time("the longest pause over a weak link", weak.longestPause)
        book.check(
            weak.screen.state == .done && weak.steps >= 5 && stage.steadyText.map { $0 == weak.screen.text } ?? true,
            "over a weak link it grows too, and is whole",
            otherwise: "over a weak link it came in \(weak.steps) steps: \(weak.screen.excerpt)")
    }
}

/// How an answer grew on the screen.
private struct Growth {
    var first = Duration.zero
    var rest = Duration.zero
    var longestPause = Duration.zero
    /// How often the words were more than before.
    var steps = 0
    var screen = Screen()

    var words: String { "first piece after \(first.inSeconds), the rest in \(rest.inSeconds)" }

    /// Characters a second from the first piece on.
    var rate: Int {
        let seconds = rest / Duration.seconds(1)
        return seconds > 0 ? Int(Double(screen.text.count) / seconds) : 0
    }
}

extension Device {
    /// Asks for a long answer and watches it grow to its end.
    fileprivate func watchGrowth(_ stage: Stage) async throws -> Growth {
        let start = ContinuousClock.now
        let sent = try await app.send(stage.longPrompt, in: nil, model: stage.steadyModel)
        var growth = Growth()
        var last: ContinuousClock.Instant?
        var length = 0
        let end = await watch(sent.conversation, atMost: .seconds(60)) { screen in
            let now = ContinuousClock.now
            if screen.text.count > length {
                length = screen.text.count
                growth.steps += 1
                if let last {
                    growth.longestPause = max(growth.longestPause, last.duration(to: now))
                } else {
                    growth.first = start.duration(to: now)
                }
                last = now
            }
            return screen.isOver
        }
        growth.rest = start.duration(to: .now) - growth.first
        growth.screen = end.screen
        return growth
    }
}

extension Duration {
    /// In seconds with two digits, for a person.
    var inSeconds: String {
        let hundredths = Int((self / Duration.milliseconds(10)).rounded())
        let rest = abs(hundredths) % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
    }
}
