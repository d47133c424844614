import RejoinTerminal

/// A terminal of the few sequences that the painter uses, written without a look at it.
///
/// Its opinion of wide characters can be that of newer terminals (whole characters) or of older ones (the sum of the
/// code points), and it blanks what is left of a character that is overwritten by half.
struct TinyTerminal {
    enum Opinion { case characters, codePoints }

    struct Spot: Equatable {
        var text = " "
        var look = ""
    }

    let size: Size
    let opinion: Opinion
    private(set) var spots: [[Spot]]
    private(set) var cursor = (row: 0, column: 0)
    private(set) var isCursorVisible = true
    private(set) var isInsideUpdate = false
    private(set) var unknown: [String] = []
    private var look = ""

    init(size: Size, opinion: Opinion = .characters) {
        self.size = size
        self.opinion = opinion
        spots = Array(repeating: Array(repeating: Spot(text: "?", look: "?"), count: size.columns), count: size.rows)
    }

    mutating func feed(_ output: String) {
        var rest = Substring(output)
        while let character = rest.first {
            if character == "\u{1B}" {
                rest.removeFirst()
                guard rest.first == "[" else {
                    unknown.append(String(rest.prefix(3)))
                    return
                }
                rest.removeFirst()
                let parameters = rest.prefix { !("@"..."~").contains($0) }
                rest = rest.dropFirst(parameters.count)
                obey(rest.removeFirst(), String(parameters))
                continue
            }
            switch opinion {
            case .characters: print(String(character), width: CharacterWidth.of(character))
            case .codePoints:
                for scalar in character.unicodeScalars { print(String(scalar), width: CharacterWidth.of(scalar)) }
            }
            rest.removeFirst()
        }
    }

    private mutating func print(_ text: String, width: Int) {
        guard width > 0 else {
            if cursor.column > 0 { spots[cursor.row][cursor.column - 1].text += text }
            return
        }
        guard cursor.column + width <= size.columns else { return }
        clearHalf(cursor.column)
        clearHalf(cursor.column + width)
        spots[cursor.row][cursor.column] = Spot(text: text, look: look)
        if width == 2 { spots[cursor.row][cursor.column + 1] = Spot(text: "", look: look) }
        cursor.column = min(cursor.column + width, size.columns - 1)
    }

    /// Whoever writes at the right half of a wide character destroys it.
    private mutating func clearHalf(_ column: Int) {
        guard column > 0, column < size.columns, spots[cursor.row][column].text.isEmpty else { return }
        spots[cursor.row][column - 1].text = " "
        spots[cursor.row][column].text = " "
    }

    private mutating func obey(_ command: Character, _ parameters: String) {
        switch (command, parameters) {
        case ("H", _):
            let numbers = parameters.split(separator: ";").compactMap { Int($0) }
            cursor = (min(numbers[0], size.rows) - 1, min(numbers[1], size.columns) - 1)
        case ("J", "2"): for row in 0..<size.rows { erase(row, from: 0) }
        case ("K", ""):
            clearHalf(cursor.column)
            erase(cursor.row, from: cursor.column)
        case ("m", _):
            let codes = parameters.split(separator: ";")
            look = codes.dropFirst().joined(separator: ";")
            if codes.first != "0" { unknown.append(parameters + "m") }
        case ("h", "?25"): isCursorVisible = true
        case ("l", "?25"): isCursorVisible = false
        case ("h", "?2026"): isInsideUpdate = true
        case ("l", "?2026"): isInsideUpdate = false
        default: unknown.append(parameters + String(command))
        }
    }

    private mutating func erase(_ row: Int, from column: Int) {
        for column in column..<size.columns { spots[row][column] = Spot(text: " ", look: look) }
    }
}
