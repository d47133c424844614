import RejoinClient
import RejoinCore

extension ChatView {
    /// Keys while a prompt is being written.
    mutating func handleComposer(_ key: Key) -> [ChatAction] {
        let width = composerWidth
        switch key {
        case Key(.enter): return submit()
        case Key(.enter, .alt), Key(.enter, .shift), Key(.enter, .control), .control("j"):
            composer.insert("\n")
            return [.saveDraft]
        case Key(.escape):
            if let stop = stopRunning() { return [stop] }
            guard editing != nil else { return [] }
            editing = nil
            composer.replace(with: "")
            say("the prompt stays as it was")
            return [.saveDraft]
        case .control("d"):
            if composer.isEmpty { return [.quit] }
            composer.deleteForward()
            return [.saveDraft]
        case Key(.up):
            if !composer.move(lines: -1, width: width) { recall(history.older(than: composer.text)) }
            return []
        case Key(.down):
            if !composer.move(lines: 1, width: width) { recall(history.newer()) }
            return []
        default:
            guard composer.edit(key) else { return [] }
            return [.saveDraft]
        }
    }

    private mutating func recall(_ prompt: String?) {
        guard let prompt else { return }
        composer.replace(with: prompt)
    }

    private mutating func submit() -> [ChatAction] {
        let text = composer.text
        if text.allSatisfy(\.isWhitespace) || isSending { return [] }
        scroll = .following
        let action: ChatAction = editing.map { .edit($0, text) } ?? .send(text)
        // What is typed from now on is the next one.
        isSending = true
        history.add(text)
        composer.replace(with: "")
        editing = nil
        return [action]
    }

    /// The prompt that was sent is in the store, or its words are where they were.
    package mutating func submitted() { isSending = false }

    /// Columns that the composer's text has.
    var composerWidth: Int { max(paneWidth - 3, 2) }

    /// Columns of the part of the screen that holds the conversation.
    var paneWidth: Int { isWide ? size.columns - Self.listWidth : size.columns }

    /// Columns of the list beside the conversation, with the line between them.
    static let listWidth = 34
}

extension LineEditor {
    /// Does what a key does in every field of text.
    ///
    /// - Returns: whether it was such a key.
    mutating func edit(_ key: Key) -> Bool {
        switch key {
        case Key(.left), .control("b"): moveLeft()
        case Key(.right): moveRight()
        case Key(.left, .alt), Key(.left, .control), .alt("b"): moveWordLeft()
        case Key(.right, .alt), Key(.right, .control), .alt("f"): moveWordRight()
        case Key(.home), .control("a"): moveToLineStart()
        case Key(.end), .control("e"): moveToLineEnd()
        case Key(.backspace), .control("h"): deleteBackward()
        case Key(.delete): deleteForward()
        case .control("w"), Key(.backspace, .alt), Key(.backspace, .control): cutWordBackward()
        case .alt("d"), Key(.delete, .control), Key(.delete, .alt): cutWordForward()
        case .control("u"): cutToLineStart()
        case .control("k"): cutToLineEnd()
        case .control("y"): paste()
        default:
            guard case .character(let scalar) = key.code, key.modifiers.subtracting(.shift).isEmpty else {
                return false
            }
            insert(String(scalar))
        }
        return true
    }
}
