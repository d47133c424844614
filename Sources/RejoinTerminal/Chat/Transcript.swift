import RejoinClient
import RejoinCore

/// The messages of a path as lines, laid out where they are seen and nowhere else.
///
/// Nothing here walks the whole conversation: a frame costs what is on the screen. Layouts are kept by message and width, and
/// one of an answer that grows is only added to.
struct Transcript: Sendable {
    fileprivate enum Key: Hashable {
        case prompt(TurnID)
        case answer(AnswerID)
    }

    /// Prompts are shown as they were written, answers as what their Markdown means.
    private enum Layout {
        case prompt(TextLayout)
        case answer(AnswerLayout)

        var width: Int {
            switch self {
            case .prompt(let layout): layout.width
            case .answer(let layout): layout.width
            }
        }

        var lineCount: Int {
            switch self {
            case .prompt(let layout): layout.lineCount
            case .answer(let layout): layout.lineCount
            }
        }

        func cells(line number: Int, links: inout LinkTable) -> [Cell] {
            switch self {
            case .prompt(let layout): layout.cells(line: number)
            case .answer(let layout): layout.cells(line: number, links: &links)
            }
        }
    }

    private struct Entry {
        var layout: Layout
        /// How far an answer was when it was laid out; nil for prompts.
        var state: AnswerState?
        var lastFrame: Int
    }

    private struct AnswerState: Equatable {
        var seq: Int
        var isOver: Bool
    }

    private let hasLinks: Bool
    private var links = LinkTable()

    /// Starts with nothing laid out.
    ///
    /// - Parameter hasLinks: whether text can lead to an address on this terminal.
    init(hasLinks: Bool) { self.hasLinks = hasLinks }

    private var entries: [Key: Entry] = [:]
    private var frame = 0
    /// How many layouts were made or added to: what tests count.
    private(set) var laidOut = 0

    /// Layouts that are kept although they are not on the screen.
    private static let keptLayouts = 96

    /// Where on the conversation the screen begins.
    struct Top: Equatable {
        var message: Int
        var line: Int
    }

    /// Draws the messages into rows of a part of the screen.
    mutating func draw(_ view: ChatView, into grid: inout Grid, rows: Range<Int>, columns: Range<Int>) {
        frame += 1
        let width = Self.textWidth(columns)
        var top = top(of: view, rows: rows.count, width: width)
        var row = rows.lowerBound
        let count = view.exchanges.count * 2
        while row < rows.upperBound, top.message < count {
            let isSelected = view.focus == .messages && view.selected == view.message(at: top.message)
            let lines = message(at: top.message, of: view, width: width)
            while top.line < lines.count, row < rows.upperBound {
                // The blank line between messages is not part of the marked one.
                if isSelected, top.line < lines.count - 1 {
                    grid.write("▌", row: row, column: columns.lowerBound, style: Style(.cyan, .bold))
                }
                draw(lines, line: top.line, into: &grid, row: row, columns: columns)
                top.line += 1
                row += 1
            }
            top = Top(message: top.message + 1, line: 0)
        }
        grid.links = links
        forgetOld()
    }

    private mutating func draw(_ lines: MessageLines, line: Int, into grid: inout Grid, row: Int, columns: Range<Int>) {
        let start = columns.lowerBound + 2
        let end = columns.upperBound - 1
        guard line > 0 else {
            var column = grid.write(lines.label, row: row, column: start, end: end, style: lines.labelStyle)
            if let versions = lines.versions {
                column = grid.write("  " + versions, row: row, column: column, end: end, style: Style(.yellow))
            }
            return
        }
        if line <= lines.bodyCount {
            let cells = entries[lines.key]?.layout.cells(line: line - 1, links: &links) ?? []
            grid.put(cells, row: row, column: start, end: end)
        } else if line <= lines.bodyCount + lines.notes.count {
            let note = lines.notes[line - lines.bodyCount - 1]
            grid.write(note.words, row: row, column: start, end: end, style: note.style)
        }
    }

    /// Moves the conversation by lines; at its end it follows again.
    mutating func scroll(_ view: inout ChatView, by lines: Int, rows: Int, columns: Range<Int>) {
        let width = Self.textWidth(columns)
        var top = top(of: view, rows: rows, width: width)
        var left = lines
        while left < 0 {
            if top.line > 0 {
                let step = min(top.line, -left)
                top.line -= step
                left += step
            } else if top.message > 0 {
                top.message -= 1
                top.line = height(at: top.message, of: view, width: width)
            } else {
                break
            }
        }
        while left > 0, top.message < view.exchanges.count * 2 {
            let rest = height(at: top.message, of: view, width: width) - top.line
            let step = min(rest, left)
            top.line += step
            left -= step
            if step == rest { top = Top(message: top.message + 1, line: 0) }
        }
        view.scroll =
            fills(rows, from: top, of: view, width: width) ? .at(message: top.message, line: top.line) : .following
    }

    /// Brings a message onto the screen, if it is not there whole.
    mutating func reveal(_ id: MessageID, in view: inout ChatView, rows: Int, columns: Range<Int>) {
        guard let index = view.index(of: id) else { return }
        let width = Self.textWidth(columns)
        let top = top(of: view, rows: rows, width: width)
        if index < top.message || index == top.message && top.line > 0 {
            view.scroll = .at(message: index, line: 0)
            return
        }
        var used = -top.line
        for message in top.message...index {
            used += height(at: message, of: view, width: width)
            if used > rows { break }
        }
        if used <= rows { return }
        if height(at: index, of: view, width: width) >= rows {
            view.scroll = .at(message: index, line: 0)
        } else {
            let top = self.top(endingWith: index, of: view, rows: rows, width: width)
            view.scroll = .at(message: top.message, line: top.line)
        }
        if !fills(rows, from: self.top(of: view, rows: rows, width: width), of: view, width: width) {
            view.scroll = .following
        }
    }

    /// Whether there is more below what is shown.
    mutating func hasMoreBelow(_ view: ChatView, rows: Int, columns: Range<Int>) -> Bool {
        guard case .at = view.scroll else { return false }
        let width = Self.textWidth(columns)
        let end = top(endingWith: view.exchanges.count * 2 - 1, of: view, rows: rows, width: width)
        let top = top(of: view, rows: rows, width: width)
        return top.message < end.message || top.message == end.message && top.line < end.line
    }

    /// Room for text: margins beside it, and lines no longer than can be read.
    private static func textWidth(_ columns: Range<Int>) -> Int { max(min(columns.count - 3, 100), 2) }

    private mutating func top(of view: ChatView, rows: Int, width: Int) -> Top {
        if case .at(let message, let line) = view.scroll {
            let message = min(max(message, 0), max(view.exchanges.count * 2 - 1, 0))
            let top = Top(message: message, line: min(max(line, 0), height(at: message, of: view, width: width)))
            if fills(rows, from: top, of: view, width: width) { return top }
        }
        return top(endingWith: view.exchanges.count * 2 - 1, of: view, rows: rows, width: width)
    }

    private mutating func top(endingWith last: Int, of view: ChatView, rows: Int, width: Int) -> Top {
        var left = rows
        var message = last
        while message >= 0 {
            let height = height(at: message, of: view, width: width)
            if height >= left { return Top(message: message, line: height - left) }
            left -= height
            message -= 1
        }
        return Top(message: 0, line: 0)
    }

    /// Whether what follows a place fills the rows.
    private mutating func fills(_ rows: Int, from top: Top, of view: ChatView, width: Int) -> Bool {
        var left = rows + top.line
        for message in top.message..<max(view.exchanges.count * 2, top.message) {
            left -= height(at: message, of: view, width: width)
            if left <= 0 { return true }
        }
        return false
    }

    private mutating func height(at index: Int, of view: ChatView, width: Int) -> Int {
        message(at: index, of: view, width: width).count
    }

    private mutating func message(at index: Int, of view: ChatView, width: Int) -> MessageLines {
        guard view.exchanges.indices.contains(index / 2) else { return .none }
        let exchange = view.exchanges[index / 2]
        if index % 2 == 0 {
            let key = Key.prompt(exchange.turn)
            return MessageLines(
                promptOf: exchange, key: key, bodyCount: layOutPrompt(key, exchange.prompt, width: width), width: width)
        }
        let key = Key.answer(exchange.answer.id)
        return MessageLines(
            answerOf: exchange, key: key, bodyCount: layOutAnswer(key, exchange, width: width), width: width)
    }

    /// - Returns: how many lines the text has.
    private mutating func layOutPrompt(_ key: Key, _ prompt: String, width: Int) -> Int {
        if let entry = entries[key], entry.layout.width == width {
            entries[key]?.lastFrame = frame
            return entry.layout.lineCount
        }
        let layout = Layout.prompt(TextLayout(prompt, width: width))
        laidOut += 1
        entries[key] = Entry(layout: layout, state: nil, lastFrame: frame)
        return layout.lineCount
    }

    private mutating func layOutAnswer(_ key: Key, _ exchange: ExchangeView, width: Int) -> Int {
        let state = AnswerState(seq: exchange.answer.seq, isOver: !exchange.mayGrow)
        if let entry = entries[key], entry.layout.width == width, entry.state == state {
            entries[key]?.lastFrame = frame
            return entry.layout.lineCount
        }
        var layout: AnswerLayout
        // Taken out, so that what grows is not copied.
        if let entry = entries.removeValue(forKey: key), case .answer(let kept) = entry.layout, kept.width == width {
            layout = kept
        } else {
            layout = AnswerLayout(width: width, showsAddresses: !hasLinks)
        }
        layout.update(exchange.answer.words, isOver: state.isOver)
        laidOut += 1
        entries[key] = Entry(layout: .answer(layout), state: state, lastFrame: frame)
        return layout.lineCount
    }

    private mutating func forgetOld() {
        links.trim()
        if entries.count > Self.keptLayouts { entries = entries.filter { $0.value.lastFrame > frame - 30 } }
    }

    /// The lines of one message: a label, its text, what there is to say about it, and a blank.
    struct MessageLines {
        struct Note {
            let words: String
            let style: Style
        }

        fileprivate var key = Key.prompt(TurnID(high: 0, low: 0))
        var label = ""
        var labelStyle = Style.plain
        var versions: String?
        var bodyCount = 0
        var notes: [Note] = []
        /// All lines; 0 for a message that is not there.
        var count = 0

        static let none = MessageLines()

        private init() {}

        fileprivate init(promptOf exchange: ExchangeView, key: Key, bodyCount: Int, width: Int) {
            self.key = key
            label = "You"
            labelStyle = Style(.cyan, .bold)
            versions = exchange.branches?.label
            self.bodyCount = bodyCount
            if let words = MessageWords.note(onPrompt: exchange.phase) { add(words, Style(.yellow), width: width) }
            count = bodyCount + notes.count + 2
        }

        fileprivate init(answerOf view: ExchangeView, key: Key, bodyCount: Int, width: Int) {
            self.key = key
            label = view.answer.model.map { HarmlessText.line($0.model) } ?? "Answer"
            labelStyle = Style(.green, .bold)
            versions = view.versions?.label
            self.bodyCount = bodyCount
            for (words, isTrouble) in MessageWords.notes(on: view, isEmpty: bodyCount == 0) {
                add(words, isTrouble ? Style(.yellow) : .dim, width: width)
            }
            count = bodyCount + notes.count + 2
        }

        private mutating func add(_ words: String, _ style: Style, width: Int) {
            let layout = TextLayout(words, width: width)
            for line in 0..<layout.lineCount { notes.append(Note(words: layout.text(line: line), style: style)) }
        }
    }
}
