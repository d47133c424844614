import CommandLineTable
import Testing

@Suite struct HelpPageTests {
    @Test func `shows every command, argument and option of the table`() {
        for (path, command) in Command.rejoin.all {
            let page = HelpPage(Command.rejoin, path: path, columns: 80).description
            #expect(page.hasPrefix("Usage: \(path)"))
            for child in command.subcommands { #expect(page.contains("  \(child.name) ")) }
            for argument in command.arguments {
                #expect(page.contains("  \(argument.name)") || page.contains("  [\(argument.name)]"))
            }
            for option in command.options { #expect(page.contains("--\(option.name)"), "\(path) \(option.name)") }
            #expect(page.contains("-h, --help"))
            #expect(page.contains("--version") == (path == "rejoin"))
        }
    }

    @Test(arguments: [48, 60, 80, 100])
    func `keeps to the width of the terminal`(columns: Int) {
        for (path, _) in Command.rejoin.all {
            let page = HelpPage(Command.rejoin, path: path, columns: columns).description
            for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
                #expect(line.count <= columns, "\(path): \(line)")
                #expect(line.last != " ", "\(path): \(line)")
            }
        }
    }

    @Test func `neither crowds nor stretches beyond what reads well`() {
        let narrow = HelpPage(Command.rejoin, path: "rejoin serve", columns: 1).description
        #expect(narrow == HelpPage(Command.rejoin, path: "rejoin serve", columns: 48).description)
        let wide = HelpPage(Command.rejoin, path: "rejoin serve", columns: 400).description
        #expect(wide == HelpPage(Command.rejoin, path: "rejoin serve", columns: 100).description)
        #expect(wide != narrow)
    }

    @Test func `loses no word to wrapping`() throws {
        let serve = try #require(Command.rejoin.all.first { $0.path == "rejoin serve" }).command
        let page = HelpPage(Command.rejoin, path: "rejoin serve", columns: 48).description
        let words = page.split { $0 == " " || $0 == "\n" }.map(String.init)
        let expected = (serve.discussion + [serve.summary]).flatMap { $0.split(separator: " ").map(String.init) }
        for word in expected { #expect(words.contains(word), "\(word)") }
    }

    @Test func `puts what is needed into the first line`() {
        func first(_ path: String) -> Substring? {
            HelpPage(Command.rejoin, path: path, columns: 80).description.split(separator: "\n").first
        }
        #expect(first("rejoin") == "Usage: rejoin COMMAND")
        #expect(first("rejoin ask") == "Usage: rejoin ask TEXT… [OPTIONS]")
        #expect(first("rejoin model get") == "Usage: rejoin model get NAME [OPTIONS]")
        #expect(first("rejoin version") == "Usage: rejoin version")
    }
}
