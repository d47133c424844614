/// One line of characters made ready for a terminal that draws from left to right.
package enum LineOfText {
    /// The cells of a line in the order in which they are drawn.
    ///
    /// - Parameters:
    ///   - characters: the line in the order in which it is read.
    ///   - isRightToLeft: the direction of the paragraph that it belongs to.
    package static func cells(
        of characters: some Collection<Character>, isRightToLeft: Bool, style: Style
    ) -> [Cell] {
        cells(of: characters, isRightToLeft: isRightToLeft) { _ in style }
    }

    /// The same with a style for each character, by its number in the line.
    package static func cells(
        of characters: some Collection<Character>, isRightToLeft: Bool, style: (Int) -> Style
    ) -> [Cell] {
        var cells: [Cell] = []
        guard let ordered = ordered(Array(characters), isRightToLeft: isRightToLeft) else {
            for (number, character) in characters.enumerated() {
                Cell.append(character, style: style(number), to: &cells)
            }
            return cells
        }
        for (character, number) in ordered { Cell.append(character, style: style(number), to: &cells) }
        return cells
    }

    /// The characters from left to right, mirrored where needed, each with its place in the reading order; nil when the
    /// line is drawn as it is read.
    static func ordered(_ characters: [Character], isRightToLeft: Bool) -> [(Character, Int)]? {
        guard isRightToLeft || characters.contains(where: { DirectionClass.turns(DirectionClass($0)) }) else {
            return nil
        }
        // Marks of direction and other things without a picture have done their work once the levels are known.
        let kinds = characters.map { DirectionClass($0) }
        let direction = LineDirection(
            kinds: kinds, scalars: characters.map { $0.unicodeScalars.first ?? "\0" }, isRightToLeft: isRightToLeft)
        return direction.order.map { number in
            let character = characters[number]
            return (direction.levels[number] % 2 == 1 ? mirrored(character) : character, number)
        }
    }

    private static func mirrored(_ character: Character) -> Character {
        guard let first = character.unicodeScalars.first, let mirror = Mirroring(first)?.mirror else {
            return character
        }
        var scalars = String.UnicodeScalarView([mirror])
        scalars.append(contentsOf: character.unicodeScalars.dropFirst())
        return Character(String(scalars))
    }
}
