/// A Swift file with its code, texts and comments told apart, so that a check of one does not trip over another.
struct SourceFile {
    /// One line.
    struct Line {
        var number: Int
        /// The code, with the contents of texts and of names in backticks left out.
        var code = ""
        /// What texts on this line say.
        var literals = ""
        /// The comment on this line, its slashes included.
        var comment = ""
    }

    let path: String
    let lines: [Line]

    init(path: String, text: String) {
        self.path = path
        var scanner = SourceScanner(text)
        self.lines = scanner.scan()
        self.imports = lines.compactMap { Self.module(importedBy: $0.code) }
    }

    /// The folder of the module that the file belongs to: `Sources/<module>/…`.
    var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

    /// The modules that the file imports.
    let imports: [String]

    private static func module(importedBy code: String) -> String? {
        let modifiers: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
        let words = code.split(separator: " ").drop { $0.hasPrefix("@") || modifiers.contains($0) }
        return words.first == "import" ? words.dropFirst().first.map(String.init) : nil
    }

    /// Whether a line has a comment beside it, or lines of comment right above it.
    ///
    /// A word that is looked for may also stand in the first line below, inside of what the line opens.
    func isExplained(at index: Int, by word: String = "//") -> Bool {
        if lines[index].comment.contains(word) { return true }
        if word != "//", lines.indices.contains(index + 1), lines[index + 1].comment.contains(word) { return true }
        var above = index - 1
        while above >= 0, lines[above].code.allSatisfy(\.isWhitespace), !lines[above].comment.isEmpty {
            if lines[above].comment.contains(word), !lines[above].comment.hasPrefix("///") || word != "//" {
                return true
            }
            above -= 1
        }
        return false
    }

    /// The places of lines whose code matches, as an editor opens them.
    func places(where condition: (Int, Line) -> Bool) -> [String] {
        lines.enumerated().filter { condition($0.offset, $0.element) }.map { "\(path):\($0.element.number)" }
    }
}

/// Tells code, texts and comments of Swift apart, one byte at a time.
private struct SourceScanner {
    private enum State: Equatable {
        /// Code; inside an interpolation it ends with the parenthesis that closes it.
        case code(openParentheses: Int, isInterpolation: Bool)
        case text(hashes: Int, isMultiline: Bool)
        case lineComment
        case blockComment(depth: Int)
        case backticks
    }

    private enum Kind { case code, literal, comment }

    private let bytes: [UInt8]
    private var index = 0
    private var states: [State] = [.code(openParentheses: 0, isInterpolation: false)]
    private var code: [UInt8] = []
    private var literals: [UInt8] = []
    private var comment: [UInt8] = []

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func scan() -> [SourceFile.Line] {
        var lines: [SourceFile.Line] = []
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") {
                if states.last == .lineComment { states.removeLast() }
                lines.append(takeLine(lines.count + 1))
                index += 1
                continue
            }
            switch states[states.count - 1] {
            case .code(let open, let isInterpolation): scanCode(open, isInterpolation)
            case .text(let hashes, let isMultiline): scanText(hashes, isMultiline)
            case .lineComment: emit(.comment)
            case .blockComment(let depth):
                if begins("/*") {
                    states[states.count - 1] = .blockComment(depth: depth + 1)
                    emit(.comment, 2)
                } else if begins("*/") {
                    emit(.comment, 2)
                    states.removeLast()
                    if depth > 1 { states.append(.blockComment(depth: depth - 1)) }
                } else {
                    emit(.comment)
                }
            case .backticks:
                if bytes[index] == UInt8(ascii: "`") { states.removeLast() }
                index += 1
            }
        }
        return lines + [takeLine(lines.count + 1)]
    }

    private mutating func takeLine(_ number: Int) -> SourceFile.Line {
        defer { (code, literals, comment) = ([], [], []) }
        return SourceFile.Line(
            number: number, code: String(decoding: code, as: UTF8.self),
            literals: String(decoding: literals, as: UTF8.self), comment: String(decoding: comment, as: UTF8.self))
    }

    private mutating func scanCode(_ open: Int, _ isInterpolation: Bool) {
        let byte = bytes[index]
        if byte == UInt8(ascii: "/"), begins("//") {
            states.append(.lineComment)
            emit(.comment, 2)
        } else if byte == UInt8(ascii: "/"), begins("/*") {
            states.append(.blockComment(depth: 1))
            emit(.comment, 2)
        } else if byte == UInt8(ascii: "`") {
            states.append(.backticks)
            index += 1
        } else if byte == UInt8(ascii: "#") || byte == UInt8(ascii: "\"") {
            let hashes = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
            guard index + hashes < bytes.count, bytes[index + hashes] == UInt8(ascii: "\"") else {
                return emit(.code, hashes)
            }
            let isMultiline = begins("\"\"\"", at: index + hashes)
            states.append(.text(hashes: hashes, isMultiline: isMultiline))
            emit(.code, hashes + (isMultiline ? 3 : 1))
        } else {
            if byte == UInt8(ascii: "(") {
                states[states.count - 1] = .code(openParentheses: open + 1, isInterpolation: isInterpolation)
            } else if byte == UInt8(ascii: ")") {
                if isInterpolation, open == 0 {
                    states.removeLast()
                } else {
                    states[states.count - 1] = .code(openParentheses: open - 1, isInterpolation: isInterpolation)
                }
            }
            emit(.code)
        }
    }

    private mutating func scanText(_ hashes: Int, _ isMultiline: Bool) {
        let byte = bytes[index]
        let fence = String(repeating: "#", count: hashes)
        let end = (isMultiline ? "\"\"\"" : "\"") + fence
        if byte == UInt8(ascii: "\\"), begins("\\" + fence + "(") {
            states.append(.code(openParentheses: 0, isInterpolation: true))
            emit(.code, 2 + hashes)
        } else if byte == UInt8(ascii: "\\"), begins("\\" + fence) {
            emit(.literal, 2 + hashes)
        } else if byte == UInt8(ascii: "\""), begins(end) {
            states.removeLast()
            emit(.code, end.utf8.count)
        } else {
            emit(.literal)
        }
    }

    private func begins(_ text: String, at start: Int? = nil) -> Bool {
        bytes[(start ?? index)...].starts(with: text.utf8)
    }

    /// Moves over some bytes of one kind, up to the end of the line.
    private mutating func emit(_ kind: Kind, _ count: Int = 1) {
        for _ in 0..<count where index < bytes.count && bytes[index] != UInt8(ascii: "\n") {
            switch kind {
            case .code: code.append(bytes[index])
            case .literal: literals.append(bytes[index])
            case .comment: comment.append(bytes[index])
            }
            index += 1
        }
    }
}
