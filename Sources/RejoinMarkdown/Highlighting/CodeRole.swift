/// What a part of code is, for its colour: the writers say what that looks like.
public enum CodeRole: UInt8, CaseIterable, Sendable {
    /// One role each; the names say what the languages call them.
    case plain, keyword, type, literal, string, number, comment, attribute, tag, key, variable, inserted, deleted,
        heading

    /// A short name, for classes of style sheets; empty for what has no colour.
    public var name: StaticString {
        switch self {
        case .plain: ""
        case .keyword: "keyword"
        case .type: "type"
        case .literal: "literal"
        case .string: "string"
        case .number: "number"
        case .comment: "comment"
        case .attribute: "attribute"
        case .tag: "tag"
        case .key: "key"
        case .variable: "variable"
        case .inserted: "inserted"
        case .deleted: "deleted"
        case .heading: "heading"
        }
    }
}

/// A part of a line of code.
public struct CodeSpan: Equatable, Sendable {
    /// What it is.
    public var role: CodeRole
    /// Where it begins in the line.
    public var start: Int
    /// Where it ends.
    public var end: Int
}
