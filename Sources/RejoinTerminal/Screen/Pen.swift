/// Sets looks and links on a terminal, and knows which are set.
struct Pen {
    private let hasColour: Bool
    private let links: LinkTable
    private var style: Style?
    private var link: UInt16 = 0

    /// Takes up a pen of which nothing is known, but that no link is open.
    init(hasColour: Bool, links: LinkTable) {
        self.hasColour = hasColour
        self.links = links
    }

    /// Goes on in a style.
    mutating func set(_ wanted: Style, into output: inout String) {
        var look = hasColour ? wanted : wanted.withoutColour
        look.link = 0
        if style != look {
            output += look.sequence
            style = look
        }
        guard link != wanted.link else { return }
        // Parts of a link on several lines are one link to the terminal by their number.
        if let address = links.address(wanted.link) {
            output += "\u{1B}]8;id=\(wanted.link);\(address)\u{1B}\\"
        } else {
            output += "\u{1B}]8;;\u{1B}\\"
        }
        link = wanted.link
    }

    /// A line of cells as text, which leaves no look and no link behind.
    static func text(of cells: [Cell], hasColour: Bool, links: LinkTable) -> String {
        var pen = Pen(hasColour: hasColour, links: links)
        pen.style = .plain
        var output = ""
        for cell in cells where cell.width > 0 {
            pen.set(cell.style, into: &output)
            output.append(cell.character)
        }
        pen.set(.plain, into: &output)
        return output
    }
}
