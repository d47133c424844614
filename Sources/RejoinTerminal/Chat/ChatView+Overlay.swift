import RejoinCore

extension ChatView {
    /// Keys while something lies over the conversation.
    mutating func handleOverlay(_ key: Key) -> [ChatAction] {
        switch overlay {
        case .help(let top): handleHelp(key, top: top)
        case .search(let search): return handleSearch(key, search)
        case .delete(let id, _):
            overlay = nil
            if key == Key(.character("y")) || key == Key(.character("Y")) { return [.delete(id)] }
            say("nothing was deleted")
        case .rename(let id, let editor): return handleRename(key, id, editor)
        case nil: break
        }
        return []
    }

    private mutating func handleHelp(_ key: Key, top: Int) {
        switch key {
        case Key(.up): overlay = .help(top: max(top - 1, 0))
        case Key(.down): overlay = .help(top: min(top + 1, Help.lines.count - 1))
        case Key(.pageUp): overlay = .help(top: max(top - 10, 0))
        case Key(.pageDown): overlay = .help(top: min(top + 10, Help.lines.count - 1))
        default: overlay = nil
        }
    }

    private mutating func handleSearch(_ key: Key, _ search: SearchView) -> [ChatAction] {
        var search = search
        defer { if case .search = overlay { overlay = .search(search) } }
        switch key {
        case Key(.escape): overlay = nil
        case Key(.up): search.move(by: -1)
        case Key(.down), Key(.tab): search.move(by: 1)
        case Key(.enter):
            guard search.hits.indices.contains(search.position) else { return [] }
            let hit = search.hits[search.position]
            overlay = nil
            return goTo(hit)
        default:
            let before = search.words.text
            guard search.words.edit(key), search.words.text != before else { return [] }
            search.position = 0
            return [.search(search.words.text)]
        }
        return []
    }

    private mutating func goTo(_ hit: SearchView.Hit) -> [ChatAction] {
        guard let turn = hit.turn else {
            leaveMessages()
            return [.open(hit.conversation)]
        }
        focus = .messages
        selected = .prompt(turn)
        return [.open(hit.conversation), .reveal]
    }

    /// Shows what was found, if it is still what is looked for.
    package mutating func show(hits: [SearchView.Hit], for words: String) {
        guard case .search(var search) = overlay, search.words.text == words else { return }
        search.hits = hits
        search.found = words
        search.position = min(search.position, max(hits.count - 1, 0))
        overlay = .search(search)
    }

    private mutating func handleRename(_ key: Key, _ id: ConversationID, _ editor: LineEditor) -> [ChatAction] {
        var editor = editor
        switch key {
        case Key(.escape):
            overlay = nil
            return []
        case Key(.enter):
            overlay = nil
            let title = editor.text
            return title.allSatisfy(\.isWhitespace) ? [] : [.rename(id, title)]
        default:
            _ = editor.edit(key)
            overlay = .rename(id, editor)
            return []
        }
    }
}

extension SearchView {
    mutating func move(by step: Int) { position = min(max(position + step, 0), max(hits.count - 1, 0)) }
}
