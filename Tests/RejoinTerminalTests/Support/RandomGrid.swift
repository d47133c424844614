import RejoinTerminal
import SeededRandom

extension Grid {
    /// A screen of anything, or of a few changes to another.
    static func random(
        size: Size, changing old: Grid? = nil, disputed: Bool, using generator: inout SeededGenerator
    ) -> Grid {
        var grid = old ?? Grid(size: size)
        var texts = ["a", "word", "漢字", " ", "    ", "e\u{301}", "ש", "x漢y", "│", "a much longer piece of text"]
        if disputed { texts += ["👩‍👩‍👧", "❤\u{FE0F}", "👍🏽", "🇩🇪", "का", "😀"] }
        let styles: [Style] = [
            .plain, .plain, .bold, .dim, Style(.red), Style(nil, on: .blue, .reverse), Style(.brightCyan),
        ]
        for _ in 0..<Int.random(in: 0...(old == nil ? size.rows * 4 : 4), using: &generator) {
            grid.write(
                texts.randomElement(using: &generator) ?? "", row: Int.random(in: 0..<size.rows, using: &generator),
                column: Int.random(in: 0..<size.columns, using: &generator),
                style: styles.randomElement(using: &generator) ?? .plain)
        }
        if Bool.random(using: &generator) {
            let row = Int.random(in: 0..<size.rows, using: &generator)
            let start = Int.random(in: 0..<size.columns, using: &generator)
            grid.fill(row: row, columns: start..<size.columns)
        }
        grid.cursor =
            Bool.random(using: &generator)
            ? Place(
                row: Int.random(in: 0..<size.rows, using: &generator),
                column: Int.random(in: 0..<size.columns, using: &generator)) : nil
        return grid
    }
}
