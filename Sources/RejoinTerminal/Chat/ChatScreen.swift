/// Draws a chat: the view in, a screen out.
///
/// What it keeps between frames only saves work.
package struct ChatScreen: Sendable {
    private var transcript: Transcript

    /// Starts with nothing laid out.
    ///
    /// - Parameter hasLinks: whether text can lead to an address on this terminal.
    package init(hasLinks: Bool = false) { transcript = Transcript(hasLinks: hasLinks) }

    /// How many layouts have been made or added to so far.
    package var laidOut: Int { transcript.laidOut }

    /// The screen that a view is.
    package mutating func draw(_ view: ChatView) -> Grid {
        var grid = Grid(size: view.size)
        let frame = ChatFrame(view)
        if let list = frame.list { ListPane.draw(view, into: &grid, columns: list) }
        if let separator = frame.separator {
            for row in 0..<view.size.rows { grid.write("│", row: row, column: separator, style: .dim) }
        }
        guard let pane = frame.pane else { return grid }
        drawHeader(view, frame, into: &grid, columns: pane)
        switch view.overlay {
        case .help(let top): HelpPane.draw(top: top, into: &grid, rows: frame.body, columns: pane)
        case .search(let search): SearchPane.draw(search, into: &grid, rows: frame.body, columns: pane)
        case .delete, .rename, nil:
            if view.exchanges.isEmpty {
                drawWelcome(view, into: &grid, rows: frame.body, columns: pane)
            } else {
                transcript.draw(view, into: &grid, rows: frame.body, columns: pane)
            }
        }
        drawStatus(view, frame, into: &grid, columns: pane)
        ComposerPane.draw(view, into: &grid, rows: frame.composer, columns: pane)
        return grid
    }

    /// Moves the conversation by lines.
    package mutating func scroll(_ view: inout ChatView, by lines: Int) {
        let frame = ChatFrame(view)
        guard let pane = frame.pane, !view.exchanges.isEmpty else { return }
        transcript.scroll(&view, by: lines, rows: frame.body.count, columns: pane)
    }

    /// Brings the message under the cursor onto the screen.
    package mutating func reveal(_ view: inout ChatView) {
        let frame = ChatFrame(view)
        guard let pane = frame.pane, let selected = view.selected else { return }
        transcript.reveal(selected, in: &view, rows: frame.body.count, columns: pane)
    }

    private func drawHeader(_ view: ChatView, _ frame: ChatFrame, into grid: inout Grid, columns: Range<Int>) {
        if let row = frame.header {
            var title = view.title.isEmpty ? "New conversation" : HarmlessText.line(view.title)
            if view.isTemporary { title = "(temporary) " + title }
            let model = view.model == "auto" ? "" : HarmlessText.line(view.model)
            let end = columns.upperBound - 1
            let room = end - CharacterWidth.of(model) - (model.isEmpty ? 0 : 2)
            grid.write(
                Clipped.text(title, to: room - columns.lowerBound - 1), row: row, column: columns.lowerBound + 1,
                style: .bold)
            grid.write(model, row: row, column: max(room + 2, columns.lowerBound), end: end, style: .dim)
        }
        if let row = frame.banner, let words = StatusLine.banner(view) {
            let style = Style(.black, on: .yellow)
            grid.fill(row: row, columns: columns, style: style)
            grid.write(
                Clipped.text(words, to: columns.count - 2), row: row, column: columns.lowerBound + 1,
                style: style)
        }
    }

    private func drawWelcome(_ view: ChatView, into grid: inout Grid, rows: Range<Int>, columns: Range<Int>) {
        guard rows.count > 2 else { return }
        let words = view.conversation == nil ? "Ask something; F1 shows the keys." : "Nothing has been said here yet."
        grid.write(
            Clipped.text(words, to: columns.count - 3), row: rows.lowerBound + 1, column: columns.lowerBound + 2,
            style: .dim)
    }

    private mutating func drawStatus(
        _ view: ChatView, _ frame: ChatFrame, into grid: inout Grid, columns: Range<Int>
    ) {
        guard let row = frame.status else { return }
        let end = columns.upperBound - 1
        var hint = "F1 help"
        var hintStyle = Style.dim
        if !view.exchanges.isEmpty, transcript.hasMoreBelow(view, rows: frame.body.count, columns: columns) {
            hint = "↓ Ctrl-End: latest"
            hintStyle = Style(.cyan, .bold)
        }
        let (words, style) = StatusLine.words(view)
        let room = columns.count - 2
        let hintWidth = CharacterWidth.of(hint)
        // What is going on matters more than where help is.
        let showsHint = CharacterWidth.of(words) + 2 + hintWidth <= room
        grid.write(Clipped.text(words, to: room), row: row, column: columns.lowerBound + 1, end: end, style: style)
        if showsHint { grid.write(hint, row: row, column: end - hintWidth, end: end, style: hintStyle) }
    }
}

/// Where the parts of the screen are.
struct ChatFrame {
    var list: Range<Int>?
    var separator: Int?
    /// The columns of the conversation; nil while the list has the whole screen.
    var pane: Range<Int>?
    var header: Int?
    var banner: Int?
    var body: Range<Int>
    var status: Int?
    var composer: Range<Int>

    init(_ view: ChatView) {
        let size = view.size
        if view.isWide {
            list = 0..<ChatView.listWidth - 1
            separator = ChatView.listWidth - 1
            pane = ChatView.listWidth..<size.columns
        } else if view.focus == .list, view.overlay == nil || view.overlay?.isAboutList == true {
            list = 0..<size.columns
        } else {
            pane = 0..<size.columns
        }
        var top = 0
        if size.rows >= 6 {
            header = 0
            top = 1
        }
        if StatusLine.banner(view) != nil, size.rows >= 4 {
            banner = top
            top += 1
        }
        // The prompt has a third of the screen at most.
        let wanted: Int
        if case .rename = view.overlay {
            wanted = 1
        } else {
            wanted = view.composer.layout(width: view.composerWidth).lines.count
        }
        let composerRows = min(wanted, max(size.rows / 3, 1))
        composer = size.rows - composerRows..<size.rows
        var bottom = composer.lowerBound
        if size.rows >= 3 {
            bottom -= 1
            status = bottom
        }
        body = min(top, bottom)..<bottom
    }
}

extension ChatView.Overlay {
    /// Whether it is a question about a line of the list.
    var isAboutList: Bool {
        switch self {
        case .delete, .rename: true
        case .help, .search: false
        }
    }
}

/// Text that must fit.
enum Clipped {
    /// The text, or as much of it as fits with an ellipsis behind.
    static func text(_ text: String, to width: Int) -> String {
        if CharacterWidth.of(text) <= width { return text }
        var shown = ""
        var used = 1
        for character in text {
            used += CharacterWidth.of(character)
            if used > width { break }
            shown.append(character)
        }
        return width > 0 ? shown + "…" : ""
    }
}
