import RejoinClient
import RejoinCore

extension ChatView {
    /// Takes what comes from the terminal.
    ///
    /// - Returns: what must be done elsewhere, in order.
    package mutating func handle(_ input: Input) -> [ChatAction] {
        defer { if input != .key(.control("c")) { isLeaving = false } }
        switch input {
        case .wheel(let direction): return wheel(direction)
        case .paste(let text): return paste(text)
        case .key(let key):
            switch key {
            case .control("z"): return [.suspend]
            case .control("l"): return [.repaint]
            case .control("c"): return interrupt()
            default: break
            }
            if overlay != nil { return handleOverlay(key) }
            if let actions = handleEverywhere(key) { return actions }
            switch focus {
            case .composer: return handleComposer(key)
            case .messages: return handleMessages(key)
            case .list: return handleList(key)
            }
        }
    }

    private mutating func wheel(_ direction: Int) -> [ChatAction] {
        switch overlay {
        case .help(let top):
            overlay = .help(top: max(top + direction * 3, 0))
            return []
        case .search(var search):
            search.move(by: direction)
            overlay = .search(search)
            return []
        case .delete, .rename: return []
        case nil: return [.scroll(direction * 3)]
        }
    }

    private mutating func paste(_ text: String) -> [ChatAction] {
        switch overlay {
        case .search(var search):
            search.words.insert(String(text.map { $0.isNewline ? " " : $0 }))
            overlay = .search(search)
            return [.search(search.words.text)]
        case .rename(let id, var editor):
            editor.insert(String(text.map { $0.isNewline ? " " : $0 }))
            overlay = .rename(id, editor)
            return []
        case .help, .delete: return []
        case nil:
            focus = .composer
            composer.insert(text)
            return [.saveDraft]
        }
    }

    /// Ctrl-C gives up one thing after the other: what lies above, the answer, what was typed, and then the program.
    private mutating func interrupt() -> [ChatAction] {
        if overlay != nil {
            overlay = nil
            return []
        }
        if let stop = stopRunning() { return [stop] }
        if focus != .composer {
            leaveMessages()
            return []
        }
        if !composer.isEmpty || editing != nil {
            composer.replace(with: "")
            editing = nil
            return [.saveDraft]
        }
        if isLeaving { return [.quit] }
        isLeaving = true
        say("Ctrl-C again leaves", forSeconds: 3)
        return []
    }

    /// Asks for the end of what is under way; nil where nothing is.
    mutating func stopRunning() -> ChatAction? {
        running.map { .stop($0.answer.id) }
    }

    mutating func leaveMessages() {
        focus = .composer
        selected = nil
    }

    /// Keys that mean the same wherever the cursor is; nil for all others.
    private mutating func handleEverywhere(_ key: Key) -> [ChatAction]? {
        switch key {
        case Key(.function(1)):
            overlay = .help(top: 0)
            return []
        case .control("f"), Key(.function(3)):
            overlay = .search(SearchView())
            return []
        case .control("n"):
            leaveMessages()
            return [.open(nil)]
        case .control("t"):
            guard conversation == nil else {
                say("only a new conversation can be temporary (Ctrl-N begins one)")
                return []
            }
            isTemporary.toggle()
            say(isTemporary ? "this conversation will leave nothing behind" : "this conversation will be kept")
            return []
        case .control("r"): return regenerateLast()
        case .control("o"), Key(.function(2)):
            focusList()
            return []
        case .control("x"): return copyLast()
        case Key(.tab): return cycle(forward: true)
        case Key(.tab, .shift): return cycle(forward: false)
        case Key(.pageUp): return [.scroll(-max(size.rows - 8, 1))]
        case Key(.pageDown): return [.scroll(max(size.rows - 8, 1))]
        case Key(.up, .control), Key(.up, .shift): return [.scroll(-1)]
        case Key(.down, .control), Key(.down, .shift): return [.scroll(1)]
        case Key(.end, .control):
            scroll = .following
            return []
        case Key(.home, .control):
            scroll = .at(message: 0, line: 0)
            return []
        default: return nil
        }
    }

    private mutating func cycle(forward: Bool) -> [ChatAction] {
        let order: [Focus] = [.composer, .messages, .list]
        let next = ((order.firstIndex(of: focus) ?? 0) + (forward ? 1 : 2)) % 3
        switch order[next] {
        case .composer: leaveMessages()
        case .messages:
            guard !exchanges.isEmpty else {
                focusList()
                return []
            }
            return focusMessages()
        case .list:
            selected = nil
            focusList()
        }
        return []
    }

    /// Puts the cursor on the last message.
    mutating func focusMessages() -> [ChatAction] {
        focus = .messages
        if selected == nil { selected = exchanges.last.map { .answer($0.turn) } }
        return [.reveal]
    }

    mutating func focusList() {
        focus = .list
        selected = nil
        if let conversation, let row = list.firstIndex(where: { $0.id == conversation }) { listPosition = row }
    }

    private mutating func regenerateLast() -> [ChatAction] {
        guard let last = exchanges.last else {
            say("nothing to answer again")
            return []
        }
        scroll = .following
        return again(last)
    }

    /// Another answer where there is one, another try where the prompt did not get through.
    mutating func again(_ exchange: ExchangeView) -> [ChatAction] {
        let controls = exchange.controls
        if controls.contains(.retry) { return [.retry(exchange.turn)] }
        if controls.contains(.regenerate) { return [.regenerate(exchange.turn)] }
        say(
            controls.contains(.cancel)
                ? "this prompt is still on its way" : "this answer is still being written (Esc stops it)")
        return []
    }

    private mutating func copyLast() -> [ChatAction] {
        guard let exchange = exchanges.last(where: { !$0.answer.words.isEmpty }) else {
            say("nothing to copy")
            return []
        }
        return [.copy(exchange.answer.text)]
    }
}
