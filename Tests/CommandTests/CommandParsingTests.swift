import CommandLineTable
import Testing

@Suite struct CommandParsingTests {
    private func run(_ line: String...) throws -> Invocation<RejoinAction> {
        guard case .run(let invocation) = try Command.rejoin.parse(line) else {
            throw UsageError(path: "test", "not a run: \(line)")
        }
        return invocation
    }

    private func mistake(_ line: String...) -> String? {
        do throws(UsageError) {
            _ = try Command.rejoin.parse(line)
            return nil
        } catch {
            return "\(error.path): \(error.message)"
        }
    }

    @Test func `reads values after a space and after an equals sign`() throws {
        let invocation = try run("serve", "--data", "/srv/rejoin", "--listen=127.0.0.1:0")
        #expect(invocation.action == .serve)
        #expect(invocation.path == "rejoin serve")
        #expect(invocation.options == ["data": "/srv/rejoin", "listen": "127.0.0.1:0"])
    }

    @Test func `keeps an equals sign inside a value`() throws {
        #expect(try run("ask", "--server=http://h/?a=b", "hi")[option: "server"] == "http://h/?a=b")
    }

    @Test func `finds commands inside commands`() throws {
        let invocation = try run("account", "add", "ada", "--data", "d")
        #expect(invocation.action == .accountAdd)
        #expect(invocation.path == "rejoin account add")
        #expect(invocation[argument: "NAME"] == "ada")
    }

    @Test func `joins the words of a question, wherever options stand`() throws {
        let invocation = try run("ask", "why", "--model", "small", "is", "it", "so")
        #expect(invocation[argument: "TEXT"] == "why is it so")
        #expect(invocation[option: "model"] == "small")
    }

    @Test func `takes everything after two dashes as words`() throws {
        let invocation = try run("ask", "--", "--model", "-h", "--")
        #expect(invocation.arguments["TEXT"] == ["--model", "-h", "--"])
        #expect(invocation.options.isEmpty)
    }

    @Test func `takes a lone dash as a word and as a value`() throws {
        #expect(try run("ask", "-")[argument: "TEXT"] == "-")
        #expect(try run("ask", "--token-file", "-", "hi")[option: "token-file"] == "-")
    }

    @Test(arguments: [
        (["--help"], "rejoin"), (["-h"], "rejoin"), (["serve", "--help"], "rejoin serve"),
        (["account", "-h"], "rejoin account"), (["account", "add", "--help"], "rejoin account add"),
        (["ask", "--model", "m", "-h"], "rejoin ask"),
    ])
    func `asks for the help page of the command so far`(line: [String], path: String) throws {
        #expect(try Command.rejoin.parse(line) == .help(path: path))
    }

    @Test func `asks for the version at the outermost command alone`() throws {
        #expect(try Command.rejoin.parse(["--version"]) == .version)
        #expect(mistake("serve", "--version") == "rejoin serve: unknown option \"--version\"")
    }

    @Test func `every command of the table can be reached`() throws {
        let reached = Command.rejoin.all.compactMap(\.command.action)
        #expect(Set(reached.map { "\($0)" }) == Set(RejoinAction.allCases.map { "\($0)" }))
        #expect(reached.count == RejoinAction.allCases.count)
    }

    // MARK: Refusals

    @Test(arguments: [
        (["srve"], "rejoin: unknown command \"srve\"; did you mean \"serve\"?"),
        (["acount", "add"], "rejoin: unknown command \"acount\"; did you mean \"account\"?"),
        (["account", "ad"], "rejoin account: unknown command \"ad\"; did you mean \"add\"?"),
        (["frobnicate"], "rejoin: unknown command \"frobnicate\""),
        (["--verison"], "rejoin: unknown option \"--verison\"; did you mean \"--version\"?"),
        (["serve", "--lsten", "x"], "rejoin serve: unknown option \"--lsten\"; did you mean \"--listen\"?"),
        (["serve", "--Data=x"], "rejoin serve: unknown option \"--Data\"; did you mean \"--data\"?"),
        (["serve", "-x"], "rejoin serve: unknown option \"-x\""),
        (
            ["completion", "bsh"],
            "rejoin completion: SHELL is one of bash, zsh, fish, not \"bsh\"; did you mean \"bash\"?"
        ),
        (
            ["serve", "--durability", "ful"],
            "rejoin serve: --durability is one of normal, full, not \"ful\"; did you mean \"full\"?"
        ),
    ])
    func `names the nearest right name`(line: [String], words: String) {
        #expect(throws: UsageError.self) { try Command.rejoin.parse(line) }
        do throws(UsageError) {
            _ = try Command.rejoin.parse(line)
        } catch {
            #expect("\(error.path): \(error.message)" == words)
        }
    }

    @Test func `refuses what is missing`() {
        let names = [
            "serve", "ask", "chat", "probe", "login", "logout", "rewrite", "classify", "group", "extract", "consent",
            "limits", "privacy", "memory", "audit", "devices", "people", "invites", "assist", "account", "export",
            "import", "backup", "restore", "doctor", "model", "completion", "man", "version",
        ]
        #expect(mistake() == "rejoin: name a command: " + names.joined(separator: ", "))
        #expect(mistake("account") == "rejoin account: name a command: add, list, plan, invite, role, password, delete")
        #expect(mistake("account", "add") == "rejoin account add: NAME is missing")
        #expect(mistake("people", "role", "ann") == "rejoin people role: ROLE is missing")
        #expect(mistake("ask", "--model", "m") == "rejoin ask: TEXT is missing")
        #expect(mistake("serve", "--data") == "rejoin serve: --data needs a value: --data DIR")
        #expect(mistake("serve", "--data", "--listen") == "rejoin serve: --data needs a value: --data DIR")
        #expect(mistake("serve", "--data=") == "rejoin serve: the value of --data is empty")
    }

    @Test func `refuses what is too much`() {
        #expect(mistake("serve", "--data", "a", "--data=b") == "rejoin serve: --data is given twice")
        #expect(mistake("account", "add", "ada", "bob") == "rejoin account add: unexpected \"bob\"")
        #expect(mistake("serve", "now") == "rejoin serve: unexpected \"now\"")
    }

    private static let small = Command(
        "tool", summary: "A tool.",
        subcommands: [
            Command(
                "go", action: "go", summary: "Go.",
                options: [
                    Option("to", "PLACE", "Where to.", isRequired: true),
                    Option(switch: "fast", short: "f", "At once."),
                ])
        ])

    @Test func `sets switches by long and short name, once and without a value`() throws {
        func parse(_ line: String...) throws(UsageError) -> CommandRequest<String> { try Self.small.parse(line) }
        guard case .run(let invocation) = try parse("go", "-f", "--to", "x") else {
            Issue.record("not a run")
            return
        }
        #expect(invocation.switches == ["fast"])
        #expect(throws: UsageError(path: "tool go", "--fast is given twice")) {
            try parse("go", "-f", "--fast", "--to=x")
        }
        #expect(throws: UsageError(path: "tool go", "--fast takes no value")) { try parse("go", "--fast=1", "--to=x") }
        #expect(throws: UsageError(path: "tool go", "--to PLACE is needed")) { try parse("go") }
    }

    @Test func `says where to read on, and leaves with EX_USAGE`() {
        #expect(
            "\(UsageError(path: "rejoin ask", "TEXT is missing"))"
                == "rejoin ask: TEXT is missing\nSee \"rejoin ask --help\".")
        #expect(UsageError.exitCode == 64)
    }
}
