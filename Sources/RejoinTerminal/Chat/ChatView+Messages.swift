import RejoinClient
import RejoinCore

extension ChatView {
    /// Keys while the cursor is on a message.
    mutating func handleMessages(_ key: Key) -> [ChatAction] {
        guard let selected, let index = index(of: selected) else {
            leaveMessages()
            return []
        }
        let exchange = exchanges[index / 2]
        switch key {
        case Key(.up), Key(.character("k")): return moveSelection(from: index, by: -1)
        case Key(.down), Key(.character("j")): return moveSelection(from: index, by: 1)
        case Key(.home):
            self.selected = message(at: 0)
            return [.reveal]
        case Key(.end):
            self.selected = nil
            return focusMessages()
        case Key(.left): return choose(versions(of: exchange, selected)?.choice.previous)
        case Key(.right): return choose(versions(of: exchange, selected)?.choice.next)
        case Key(.character("e")), Key(.enter): return beginEditing(exchange)
        case Key(.character("r")):
            scroll = .following
            return again(exchange)
        case Key(.character("c")), Key(.character("y")):
            let text = selected.isPrompt ? exchange.prompt : exchange.answer.text
            return text.isEmpty ? [] : [.copy(text)]
        case Key(.character("x")):
            return exchange.controls.contains(.cancel) ? [.stop(exchange.answer.id)] : []
        case Key(.character("?")):
            overlay = .help(top: 0)
            return []
        case Key(.character("/")):
            overlay = .search(SearchView())
            return []
        case Key(.escape):
            if let stop = stopRunning() { return [stop] }
            leaveMessages()
            return []
        case Key(.character("q")), Key(.character("i")):
            leaveMessages()
            return []
        default: return []
        }
    }

    /// The versions that the arrows choose among on a message; an answer without any offers those of its prompt.
    private func versions(of exchange: ExchangeView, _ message: MessageID) -> Versions? {
        message.isPrompt ? exchange.branches : exchange.versions ?? exchange.branches
    }

    private mutating func choose(_ answer: AnswerID?) -> [ChatAction] {
        guard let answer else { return [] }
        return [.select(answer), .reveal]
    }

    private mutating func moveSelection(from index: Int, by step: Int) -> [ChatAction] {
        if let next = message(at: index + step) {
            selected = next
            return [.reveal]
        }
        // Below the last one is the composer.
        if step > 0 { leaveMessages() }
        return []
    }

    /// Takes a prompt into the composer, to be written anew beside the old one.
    private mutating func beginEditing(_ exchange: ExchangeView) -> [ChatAction] {
        composer.replace(with: exchange.prompt)
        editing = exchange.turn
        leaveMessages()
        say("Enter sends this in place of the earlier prompt, which stays reachable; Esc leaves it")
        return [.saveDraft]
    }
}
