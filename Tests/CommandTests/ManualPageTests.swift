import CommandLineTable
import RejoinServer
import Testing

@Suite struct ManualPageTests {
    private static let page = ManualPage(
        Command.rejoin, version: "1.2.3",
        sections: [.init("ENVIRONMENT", entries: ConfigurationReference.variables)]
    ).description

    @Test func `tells of every command, option and variable`() {
        let page = Self.page.replacing("\\-", with: "-")
        #expect(page.hasPrefix(".TH REJOIN 1 \"\" \"rejoin 1.2.3\""))
        for (path, command) in Command.rejoin.all where command.action != nil {
            #expect(page.contains(".SS \(path)"))
            for option in command.options { #expect(page.contains("--\(option.name)")) }
        }
        for variable in ConfigurationReference.variables { #expect(page.contains(".B \(variable.term)\n")) }
    }

    @Test func `holds nothing that roff would read as its own`() {
        for line in Self.page.split(separator: "\n") where line.hasPrefix(".") {
            let request = line.split(separator: " ").first.map(String.init) ?? ""
            #expect([".TH", ".SH", ".SS", ".PP", ".TP", ".B"].contains(request), "\(line)")
        }
        #expect(Self.page.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `escapes backslashes, hyphens, control lines and letters beyond ASCII`() {
        let command = Command(
            "tool", summary: "Tools.", discussion: [".so /etc/passwd", "a\\b - c…"],
            subcommands: [Command("x", action: 1, summary: "'x")])
        let lines = ManualPage(command, version: "1").description.split(separator: "\n")
        #expect(lines.contains("\\&.so /etc/passwd"))
        #expect(lines.contains("a\\eb \\- c\\[u2026]"))
        #expect(lines.contains("\\&'x"))
    }

    @Test func `is drawn without a warning`() throws {
        guard let groff = ShellTool("groff") else { return }
        let result = try groff.run(["-man", "-Tutf8", "-ww", "-P-c", "%"], on: Self.page)
        #expect(result.status == 0)
        #expect(result.output.contains("The token stands alone on standard output"))
        #expect(!result.output.contains("warning:"), "\(result.output)")
    }
}
