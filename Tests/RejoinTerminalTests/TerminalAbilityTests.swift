import RejoinTerminal
import Testing

@Suite struct TerminalAbilityTests {
    @Test(arguments: [
        (["TERM": "xterm-256color"], false), (["TERM": "xterm-256color", "VTE_VERSION": "7200"], true),
        (["TERM": "xterm-kitty"], true), (["TERM": "tmux-256color", "VTE_VERSION": "7200"], false),
        (["TERM": "dumb", "TERM_PROGRAM": "vscode"], false), (["TERM": "xterm", "FORCE_HYPERLINK": "1"], true),
        (["TERM": "xterm-kitty", "FORCE_HYPERLINK": "0"], false), ([:], false),
    ])
    func `links are written where they are known to be understood`(environment: [String: String], hasLinks: Bool) {
        #expect(TerminalAbility(environment: environment).hasLinks == hasLinks)
    }

    @Test func `a link is opened and closed around its text`() {
        var grid = Grid(size: Size(columns: 8, rows: 1))
        var links = LinkTable()
        var style = Style.plain
        style.link = links.number(of: "https://x.y")
        grid.write("ab", row: 0, column: 0, style: style)
        grid.links = links
        var painter = Painter(hasColour: true)
        let output = painter.paint(grid)
        #expect(output.contains("\u{1B}]8;id=1;https://x.y\u{1B}\\ab\u{1B}]8;;\u{1B}\\"))
        #expect(painter.paint(grid) == "")
    }
}
