/// What a part of code is, for its colour: the writers say what that looks like.
package enum CodeRole: UInt8, CaseIterable, Sendable {
    case plain, keyword, type, literal, string, number, comment, attribute, tag, key, variable, inserted, deleted,
        heading

    /// A short name, for classes of style sheets; empty for what has no colour.
    package var name: StaticString {
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
package struct CodeSpan: Equatable, Sendable {
    /// What it is.
    package var role: CodeRole
    /// Where it begins in the line.
    package var start: Int
    /// Where it ends.
    package var end: Int
}
