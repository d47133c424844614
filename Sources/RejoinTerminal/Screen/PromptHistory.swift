/// What was asked before, for going back to it with the arrow keys; what was being typed is kept meanwhile.
package struct PromptHistory: Equatable, Sendable {
    private var entries: [String]
    private var position: Int?
    private var unfinished = ""

    /// Begins with prompts, the oldest first.
    package init(_ entries: [String] = []) { self.entries = entries }

    /// Notes a prompt that was sent.
    package mutating func add(_ prompt: String) {
        position = nil
        unfinished = ""
        if entries.last != prompt { entries.append(prompt) }
        if entries.count > 500 { entries.removeFirst(entries.count - 500) }
    }

    /// The prompt before the one that is shown; nil at the oldest.
    ///
    /// - Parameter current: what stands in the editor now.
    package mutating func older(than current: String) -> String? {
        let next = (position ?? entries.count) - 1
        guard entries.indices.contains(next) else { return nil }
        if position == nil { unfinished = current }
        position = next
        return entries[next]
    }

    /// The prompt after the one that is shown, and at last what was being typed; nil when that is shown already.
    package mutating func newer() -> String? {
        guard let shown = position else { return nil }
        guard entries.indices.contains(shown + 1) else {
            position = nil
            return unfinished
        }
        position = shown + 1
        return entries[shown + 1]
    }

    /// Stays with what is shown: it is being edited.
    package mutating func leave() { position = nil }
}
