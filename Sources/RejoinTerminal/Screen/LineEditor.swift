/// A text of several lines that a person edits, character by character as a person counts them.
///
/// A value without a screen: it knows what was typed and where the cursor is; ``EditorLayout`` says where that is drawn.
package struct LineEditor: Equatable, Sendable {
    package private(set) var characters: [Character] = []
    /// The number of the character before which the cursor stands.
    package private(set) var cursor = 0
    /// What was cut last; cuts that follow each other add up.
    package private(set) var cut = ""
    private var isCutting = false
    /// The column that moving up and down keeps to.
    private var wantedColumn: Int?

    /// An empty editor.
    package init() {}

    /// An editor that holds a text, with the cursor at its end.
    package init(_ text: String) { replace(with: text) }

    package var text: String { String(characters) }

    package var isEmpty: Bool { characters.isEmpty }

    /// Where everything is drawn at a width.
    package func layout(width: Int) -> EditorLayout { EditorLayout(characters, cursor: cursor, width: width) }

    /// Puts another text in place of all; what was cut is kept.
    package mutating func replace(with text: String) {
        settle()
        characters = Array(Self.clean(text))
        cursor = characters.count
    }

    /// Inserts a text before the cursor: typed or pasted, of any number of lines.
    ///
    /// Line ends of every kind become line feeds, and control characters other than tabs are left out. Marks join the
    /// character before them.
    package mutating func insert(_ text: String) {
        settle()
        let text = Self.clean(text)
        if text.isEmpty { return }
        // The characters at the seams may become one with what is inserted.
        let start = max(cursor - 1, 0)
        let end = min(cursor + 1, characters.count)
        let before = String(characters[start..<cursor])
        let after = String(characters[cursor..<end])
        let joined = Array(before + text + after)
        let behind = Array(before + text).count
        characters.replaceSubrange(start..<end, with: joined)
        // If the last inserted one joined what follows, the cursor goes behind both.
        cursor = start + min(behind, joined.count)
    }

    package mutating func moveLeft() {
        settle()
        cursor = max(cursor - 1, 0)
    }

    package mutating func moveRight() {
        settle()
        cursor = min(cursor + 1, characters.count)
    }

    package mutating func moveWordLeft() {
        settle()
        cursor = wordStart
    }

    package mutating func moveWordRight() {
        settle()
        cursor = wordEnd
    }

    package mutating func moveToLineStart() {
        settle()
        cursor = lineStart
    }

    package mutating func moveToLineEnd() {
        settle()
        cursor = lineEnd
    }

    package mutating func moveToStart() {
        settle()
        cursor = 0
    }

    package mutating func moveToEnd() {
        settle()
        cursor = characters.count
    }

    /// Moves by lines as they are drawn at a width.
    ///
    /// - Returns: false at the first line (the last, going down), where nothing moved.
    @discardableResult
    package mutating func move(lines count: Int, width: Int) -> Bool {
        isCutting = false
        let layout = layout(width: width)
        let target = layout.cursorLine + count
        guard layout.lines.indices.contains(target) else { return false }
        let current = layout.lines[layout.cursorLine]
        let column =
            wantedColumn
            ?? characters[current.characters.lowerBound..<cursor].reduce(0) { $0 + EditorLayout.columns(of: $1) }
        wantedColumn = column
        let line = layout.lines[target]
        var position = line.characters.lowerBound
        var passed = 0
        // The end of a line that goes on belongs to the next.
        let isLast = target + 1 == layout.lines.count
        let isSoft = !isLast && layout.lines[target + 1].characters.lowerBound == line.characters.upperBound
        let end = isSoft ? max(line.characters.upperBound - 1, position) : line.characters.upperBound
        while position < end {
            let columns = EditorLayout.columns(of: characters[position])
            if passed + columns > column { break }
            passed += columns
            position += 1
        }
        cursor = position
        return true
    }

    package mutating func deleteBackward() {
        settle()
        guard cursor > 0 else { return }
        cursor -= 1
        remove(cursor..<cursor + 1)
    }

    package mutating func deleteForward() {
        settle()
        guard cursor < characters.count else { return }
        remove(cursor..<cursor + 1)
    }

    package mutating func cutWordBackward() { cutOut(wordStart..<cursor, isBackward: true) }

    package mutating func cutWordForward() { cutOut(cursor..<wordEnd, isBackward: false) }

    package mutating func cutToLineStart() {
        // At the start of a line the line feed before it goes.
        cutOut((lineStart == cursor ? max(cursor - 1, 0) : lineStart)..<cursor, isBackward: true)
    }

    package mutating func cutToLineEnd() {
        cutOut(cursor..<(lineEnd == cursor ? min(cursor + 1, characters.count) : lineEnd), isBackward: false)
    }

    /// Inserts what was cut.
    package mutating func paste() { insert(cut) }

    private mutating func cutOut(_ range: Range<Int>, isBackward: Bool) {
        let goesOn = isCutting
        settle()
        isCutting = true
        if range.isEmpty { return }
        let piece = String(characters[range])
        cut = !goesOn ? piece : isBackward ? piece + cut : cut + piece
        cursor = range.lowerBound
        remove(range)
    }

    /// Removes characters, and joins what then stands together if it must.
    private mutating func remove(_ range: Range<Int>) {
        characters.removeSubrange(range)
        let start = max(range.lowerBound - 1, 0)
        let end = min(range.lowerBound + 1, characters.count)
        let seam = Array(String(characters[start..<end]))
        if seam.count < end - start {
            characters.replaceSubrange(start..<end, with: seam)
            cursor = min(cursor, characters.count)
        }
    }

    /// Anything but a cut ends a row of cuts, and anything but moving up and down forgets the column.
    private mutating func settle() {
        isCutting = false
        wantedColumn = nil
    }

    private var lineStart: Int { characters[..<cursor].lastIndex(of: "\n").map { $0 + 1 } ?? 0 }

    private var lineEnd: Int { characters[cursor...].firstIndex(of: "\n") ?? characters.count }

    private var wordStart: Int {
        var position = cursor
        while position > 0, !Self.isOfWord(characters[position - 1]) { position -= 1 }
        while position > 0, Self.isOfWord(characters[position - 1]) { position -= 1 }
        return position
    }

    private var wordEnd: Int {
        var position = cursor
        while position < characters.count, !Self.isOfWord(characters[position]) { position += 1 }
        while position < characters.count, Self.isOfWord(characters[position]) { position += 1 }
        return position
    }

    private static func isOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    private static func clean(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            defer { isAfterReturn = scalar == "\r" }
            switch scalar.value {
            case 0x0A: if !isAfterReturn { scalars.append("\n") }
            case 0x0D, 0x2028, 0x2029: scalars.append("\n")
            case 0x09: scalars.append(scalar)
            case ..<0x20, 0x7F..<0xA0: break
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}
