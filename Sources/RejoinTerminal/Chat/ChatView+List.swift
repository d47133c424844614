import RejoinCore

extension ChatView {
    /// Keys while the cursor is in the list.
    mutating func handleList(_ key: Key) -> [ChatAction] {
        switch key {
        case Key(.up), Key(.character("k")): return moveInList(by: -1)
        case Key(.down), Key(.character("j")): return moveInList(by: 1)
        case Key(.home):
            listPosition = 0
            return []
        case Key(.end): return moveInList(by: list.count)
        case Key(.escape), Key(.character("q")):
            focus = .composer
            return []
        case Key(.character("n")):
            focus = .composer
            return [.open(nil)]
        case Key(.character("/")):
            overlay = .search(SearchView())
            return []
        case Key(.character("?")):
            overlay = .help(top: 0)
            return []
        default: break
        }
        guard list.indices.contains(listPosition) else { return [] }
        let row = list[listPosition]
        switch key {
        case Key(.enter), Key(.right):
            focus = .composer
            return [.open(row.id)]
        case Key(.character("d")), Key(.delete): overlay = .delete(row.id, title: row.title)
        case Key(.character("r")): overlay = .rename(row.id, LineEditor(row.title))
        case Key(.character("p")): return [.pin(row.id, !row.isPinned)]
        default: break
        }
        return []
    }

    private mutating func moveInList(by step: Int) -> [ChatAction] {
        listPosition = min(max(listPosition + step, 0), max(list.count - 1, 0))
        return listPosition + 20 > list.count ? [.listMore] : []
    }

    /// Shows another list, with the cursor on the conversation it was on.
    package mutating func show(list new: [ConversationRow]) {
        let id = list.indices.contains(listPosition) ? list[listPosition].id : nil
        list = new
        listPosition = id.flatMap { id in new.firstIndex { $0.id == id } } ?? min(listPosition, max(new.count - 1, 0))
    }
}
