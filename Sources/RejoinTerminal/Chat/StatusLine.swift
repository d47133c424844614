import RejoinClient
package import RejoinCore

/// The line between the conversation and the prompt: what is going on, in one sentence.
enum StatusLine {
    /// What stands there now.
    static func words(_ view: ChatView) -> (words: String, style: Style) {
        if case .delete(_, let title) = view.overlay {
            let name = title.isEmpty ? "this conversation" : "“" + HarmlessText.line(title) + "”"
            return ("Delete \(name)?  y deletes it for good, any other key keeps it", Style(.red, .bold))
        }
        if let notice = view.notice { return (notice.words, Style(.yellow)) }
        if let running = view.running, let words = progress(of: running, in: view) { return (words, Style(.green)) }
        if case .waiting = view.exchanges.last?.phase { return ("waiting for the server", Style(.yellow)) }
        if view.editing != nil { return ("writing an earlier prompt anew  ·  Esc leaves it", Style(.yellow)) }
        if view.focus == .messages { return ("↑↓ message  ←→ version  e edit  r again  c copy  Esc", .dim) }
        if view.focus == .list { return ("Enter open  n new  r rename  p pin  d delete  Esc", .dim) }
        if view.isTemporary { return ("temporary: this conversation leaves nothing behind", Style(.magenta)) }
        if let limits = view.limits { return (HarmlessText.line(limits), .dim) }
        return ("", .dim)
    }

    private static func progress(of exchange: ExchangeView, in view: ChatView) -> String? {
        guard var words = MessageWords.progress(of: exchange) else { return nil }
        if let model = exchange.answer.model { words = HarmlessText.line(model.model) + ": " + words }
        if let started = exchange.startedAt {
            words += "  ·  " + MessageWords.age(view.now.milliseconds - started.milliseconds)
        }
        return words + "  ·  Esc stops"
    }

    /// What is said across the screen while the server is away; nil while it is there.
    static func banner(_ view: ChatView) -> String? {
        switch view.connection {
        case .online: nil
        case .reconnecting: "Connecting …"
        case .offline(let since):
            "Offline for \(MessageWords.age(view.now.milliseconds - since.milliseconds))"
                + "  ·  what is here can be read, prompts wait"
        case .signedOut: "Signed out  ·  start again with a token to go on"
        }
    }
}

extension ChatView {
    /// When the clock alone will change what is shown; nil while nothing does.
    package var nextChange: Timestamp? {
        var next: Timestamp?
        func consider(_ moment: Timestamp) { next = min(next ?? moment, moment) }
        if let notice { consider(notice.until) }
        if let started = running?.startedAt { consider(Self.tick(after: now, since: started)) }
        if case .offline(let since) = connection { consider(Self.tick(after: now, since: since)) }
        return next
    }

    /// When an age is written differently: each second of the first minute, each minute after it.
    private static func tick(after now: Timestamp, since start: Timestamp) -> Timestamp {
        let age = max(now.milliseconds - start.milliseconds, 0)
        let step: Int64 = age < 60_000 ? 1000 : 60_000
        return start.advanced(byMilliseconds: (age / step + 1) * step)
    }
}
