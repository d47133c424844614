/// What a response is for, which decides what happens to a preview when it breaks.
public enum ResponseKind: Sendable, Hashable, CaseIterable {
    /// Text to read: what is on screen stays, and is marked.
    case prose
    /// A plan to apply: a broken preview is thrown away.
    case actionable
}
