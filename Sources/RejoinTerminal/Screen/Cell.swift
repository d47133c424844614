/// One column of one row: a character in a style, or the right half of a wide one.
package struct Cell: Equatable, Sendable {
    package let character: Character
    package var style: Style
    /// 1 or 2; 0 in the right half of a wide character.
    package let width: UInt8
    /// Whether terminals disagree about how wide the character is.
    let isDisputed: Bool

    /// An empty cell.
    package init(style: Style = .plain) {
        self.init(character: " ", style: style, width: 1, isDisputed: false)
    }

    private init(character: Character, style: Style, width: UInt8, isDisputed: Bool) {
        self.character = character
        self.style = style
        self.width = width
        self.isDisputed = isDisputed
    }

    /// The cells of a text, from left to right as it stands; what has no width is left out.
    ///
    /// A text that begins with a combining mark gets a circle for it to stand on, and a character of more marks than any
    /// script needs loses the rest.
    package static func cells(of text: some Sequence<Character>, style: Style) -> [Cell] {
        var cells: [Cell] = []
        for character in text { append(character, style: style, to: &cells) }
        return cells
    }

    /// How many columns a character takes when it is drawn.
    package static func columns(of character: Character) -> Int {
        if character.isASCII { return character.asciiValue.map { $0 >= 0x20 && $0 < 0x7F ? 1 : 0 } ?? 0 }
        let width = CharacterWidth.of(character)
        return width == 0 && standsOnCircle(character) ? 1 : width
    }

    /// Whether it is a combining mark without anything to stand on.
    private static func standsOnCircle(_ character: Character) -> Bool {
        guard let first = character.unicodeScalars.first else { return false }
        return [.nonspacingMark, .enclosingMark].contains(first.properties.generalCategory)
            && !first.properties.isDefaultIgnorableCodePoint
    }

    /// Appends the cells of one character.
    static func append(_ character: Character, style: Style, to cells: inout [Cell]) {
        if character.isASCII, let value = character.asciiValue {
            if value >= 0x20, value < 0x7F {
                cells.append(Cell(character: character, style: style, width: 1, isDisputed: false))
            }
            return
        }
        var character = character
        var width = CharacterWidth.of(character)
        if width == 0 {
            guard standsOnCircle(character) else { return }
            character = Character("\u{25CC}" + String(character))
            width = 1
        }
        if character.unicodeScalars.count > maximumScalars {
            character = Character(String(String.UnicodeScalarView(character.unicodeScalars.prefix(maximumScalars))))
        }
        let isDisputed = CharacterWidth.isDisputed(character)
        cells.append(Cell(character: character, style: style, width: UInt8(width), isDisputed: isDisputed))
        if width == 2 { cells.append(Cell(character: " ", style: style, width: 0, isDisputed: isDisputed)) }
    }

    /// Families of four with their colours of skin have eleven, flags of regions seven.
    private static let maximumScalars = 24
}
