import CommandLineTable
import Testing

@Suite struct CompletionScriptTests {
    /// The words that a shell offers for a line with its cursor at the end.
    private func offered(_ line: [String]) throws -> [String] {
        let bash = try #require(ShellTool("bash"))
        let words = line.map { "'\($0)'" }.joined(separator: " ")
        let script =
            "source %; COMP_WORDS=(\(words)); COMP_CWORD=\(line.count - 1); _rejoin; "
            + "for word in \"${COMPREPLY[@]}\"; do echo \"$word\"; done"
        let result = try bash.run(["-c", script], on: CompletionScript(Command.rejoin, shell: .bash).description)
        #expect(result.status == 0)
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: CompletionScript.Shell.allCases)
    func `is a script that its shell accepts`(shell: CompletionScript.Shell) throws {
        // Bash is everywhere; the other two are checked where they are installed.
        guard let tool = ShellTool(shell.rawValue) else {
            #expect(shell != .bash)
            return
        }
        let result = try tool.run(["-n", "%"], on: CompletionScript(Command.rejoin, shell: shell).description)
        #expect(result.status == 0, "\(result.output)")
    }

    @Test(arguments: CompletionScript.Shell.allCases)
    func `knows every command, option and closed value of the table`(shell: CompletionScript.Shell) {
        let script = CompletionScript(Command.rejoin, shell: shell).description
        for (path, command) in Command.rejoin.all {
            #expect(script.contains(command.name), "\(path)")
            for option in command.options {
                #expect(script.contains(shell == .fish ? "-l \(option.name)" : "--\(option.name)"), "\(path)")
                if case .oneOf(let allowed) = option.value { #expect(script.contains(allowed.joined(separator: " "))) }
            }
        }
    }

    @Test func `bash offers commands, then options, then values`() throws {
        #expect(try offered(["rejoin", "ser"]) == ["serve"])
        let account = ["add", "list", "plan", "invite", "role", "password", "delete"]
        #expect(try offered(["rejoin", "account", ""]) == account + ["--help"])
        #expect(try offered(["rejoin", "serve", "--d"]) == ["--data", "--durability"])
        #expect(try offered(["rejoin", "serve", "--durability", ""]) == ["normal", "full"])
        #expect(try offered(["rejoin", "serve", "--data", "/us"]) == ["/usr"])
        #expect(try offered(["rejoin", "completion", "f"]) == ["fish"])
        #expect(try offered(["rejoin", "serve", "--listen", ""]) == [])
    }

    @Test func `fish offers commands and options`() throws {
        guard let fish = ShellTool("fish") else { return }
        let script = CompletionScript(Command.rejoin, shell: .fish).description
        func offered(_ line: String) throws -> [Substring] {
            try fish.run(["--no-config", "-c", "source %; complete -C '\(line)'"], on: script).output
                .split(separator: "\n").compactMap { $0.split(separator: "\t").first }
        }
        #expect(try offered("rejoin ser") == ["serve"])
        let account: Set<Substring> = ["add", "list", "plan", "invite", "role", "password", "delete"]
        #expect(try Set(offered("rejoin account ")) == account)
        #expect(try offered("rejoin serve --du") == ["--durability"])
        #expect(try Set(offered("rejoin serve --durability ")) == ["normal", "full"])
    }

    @Test func `quotes what a shell would read as its own`() {
        let command = Command(
            "tool", summary: "Tools.", subcommands: [Command("x", action: 1, summary: "It's [a]: $(b) `c`.")])
        for shell in CompletionScript.Shell.allCases {
            guard let tool = ShellTool(shell.rawValue) else { continue }
            let script = CompletionScript(command, shell: shell).description
            #expect(throws: Never.self) {
                let result = try tool.run(["-n", "%"], on: script)
                #expect(result.status == 0, "\(result.output)")
            }
        }
    }
}
