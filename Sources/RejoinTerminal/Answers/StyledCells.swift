import RejoinMarkdown

/// Puts lines of an answer into the cells of a terminal: orders them from left to right, and gives meanings a look.
enum StyledCells {
    /// The cells of a line.
    ///
    /// - Parameters:
    ///   - width: columns of a line: one from right to left stands at their right edge.
    ///   - hasLinks: whether links lead somewhere on this terminal.
    static func cells(of line: StyledLine, width: Int, hasLinks: Bool, links: inout LinkTable) -> [Cell] {
        var cells: [Cell] = []
        var characters: [Character] = []
        var styles: [Style] = []
        var next = 0
        while next < line.runs.count {
            // Runs that stand in one paragraph, or in one cell of a row, are ordered together.
            let first = line.runs[next]
            characters.removeAll(keepingCapacity: true)
            styles.removeAll(keepingCapacity: true)
            while next < line.runs.count, line.runs[next].cell == first.cell {
                let run = line.runs[next]
                var style = style(of: run)
                if hasLinks, let address = run.link { style.link = links.number(of: address) }
                for character in run.text {
                    characters.append(character)
                    styles.append(style)
                }
                next += 1
            }
            cells += LineOfText.cells(of: characters, isRightToLeft: first.isRightToLeft) { styles[$0] }
        }
        guard line.isRightToLeft else { return cells }
        return Array(repeating: Cell(), count: max(width - cells.count, 0)) + cells
    }

    /// How a meaning looks in sixteen colours; without them what is left must still be told apart.
    static func style(of run: StyledRun) -> Style {
        let meaning = run.style
        var style = Style.plain
        if meaning.contains(.strong) || meaning.contains(.heading) { style.attributes.insert(.bold) }
        if meaning.contains(.emphasis) || meaning.contains(.math) { style.attributes.insert(.italic) }
        if meaning.contains(.strikethrough) { style.attributes.insert(.strikethrough) }
        if meaning.contains(.mark) || meaning.contains(.source) { style.attributes.insert(.dim) }
        if meaning.contains(.link) { style.attributes.insert(.underline) }
        if meaning.contains(.code) {
            style.foreground = colour(of: run.role) ?? (run.role == .plain && !meaning.contains(.block) ? .cyan : nil)
            if run.role == .comment { style.attributes.insert(.dim) }
        } else if meaning.contains(.heading) {
            style.foreground = .magenta
        } else if meaning.contains(.alert) {
            style.foreground = .yellow
        } else if meaning.contains(.link) {
            style.foreground = .cyan
        }
        return style
    }

    private static func colour(of role: CodeRole) -> Style.Colour? {
        switch role {
        case .plain, .comment, .variable: nil
        case .keyword, .tag: .magenta
        case .type, .attribute, .key, .heading: .cyan
        case .string, .inserted: .green
        case .literal, .number: .yellow
        case .deleted: .red
        }
    }
}
