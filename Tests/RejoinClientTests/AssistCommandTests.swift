import Foundation
import RejoinAssist
import RejoinCore
import RejoinTerminal
import Synchronization
import Testing

/// The assistant's commands with a person at a scripted terminal, a scripted model, and real files.
@Suite(.timeLimit(.minutes(1))) struct AssistCommandTests {
    /// A folder with files, a model that says what it is told to, and what goes between.
    private struct Desk {
        /// Goes with the desk.
        private let owned: Folder
        var folder: String { owned.path }
        let terminal: ScriptedTerminal
        let front: AssistFront

        init(
            _ input: [String] = [], isAttended: Bool = true, environment: [String: String] = ["NO_COLOR": "1"],
            says: @escaping @Sendable (ModelTask) -> [ScriptedEngine.Step]
        ) throws {
            owned = try Folder()
            terminal = ScriptedTerminal(input, isInteractive: isAttended, isInputPiped: !isAttended)
            let engine = ScriptedEngine(
                availability: .ready(CapabilityRecord(capabilities: [.text, .structuredOutput])), script: says)
            let time = Timestamp(milliseconds: 1_800_000_000_000)
            front = AssistFront(terminal: terminal, environment: environment, ledger: MemoryCommitLedger()) { ask in
                let service = LocalService(engine: engine)
                return Assistant(
                    runners: .init(local: service),
                    environment: { RouteEnvironment(local: { await service.availability }) },
                    surroundings: AssistantSurroundings(
                        now: { time }, elapsed: { .zero }, random: { .random(in: .min ... .max) }), ask: ask)
            }
        }

        func write(_ name: String, _ text: String) throws -> String {
            let path = folder + "/" + name
            try Data(text.utf8).write(to: URL(filePath: path))
            return path
        }

        func read(_ name: String) -> String? {
            FileManager.default.contents(atPath: folder + "/" + name).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Says the text in capital letters.
    private static let shouting: @Sendable (ModelTask) -> [ScriptedEngine.Step] = { task in
        var json = JSONWriter()
        json.beginObject()
        json.member("text", task.prompt.uppercased())
        json.endObject()
        return [.say(String(decoding: json.bytes, as: UTF8.self))]
    }

    @Test("R48 of a file's paragraphs only the accepted are written, the rest stays byte for byte, and a copy is kept")
    func rewrite() async throws {
        let desk = try Desk(["y", "n", "e my own words", "y"], says: Self.shouting)
        let before = "\n  first part\tof it\n\n\nsecond part\n \nthird part\n\n"
        let path = try desk.write("note.txt", before)
        #expect(await RewriteCommand(desk.front).run(AssistOptions(file: path), tone: .plain) == 0)
        #expect(desk.read("note.txt") == "\n  FIRST PART\tOF IT\n\n\nsecond part\n \nmy own words\n\n")
        #expect(desk.read("note.txt.before") == before)
        #expect(desk.terminal.error.contains("[-first part") && desk.terminal.error.contains("{+FIRST PART"))
        #expect(desk.terminal.output.isEmpty)
    }

    @Test func `a command puts its assistant together once, however many parts it asks about`() async throws {
        let desk = try Desk(isAttended: false, says: Self.shouting)
        let path = try desk.write("note.txt", "one\n\ntwo\n\nthree\n")
        let count = Mutex(0)
        let front = AssistFront(terminal: desk.terminal, environment: [:], ledger: MemoryCommitLedger()) { ask in
            count.withLock { $0 += 1 }
            return await desk.front.makeAssistant(ask)
        }
        #expect(await RewriteCommand(front).run(AssistOptions(file: path), tone: .plain) == 0)
        #expect(count.withLock { $0 } == 1)
        #expect(desk.terminal.error.contains("{+THREE+}"))
    }

    @Test("R48 where nobody can be asked the difference is shown and nothing is written")
    func unattended() async throws {
        let desk = try Desk(isAttended: false, says: Self.shouting)
        let path = try desk.write("note.txt", "hello\n")
        #expect(await RewriteCommand(desk.front).run(AssistOptions(file: path), tone: .plain) == 0)
        #expect(desk.read("note.txt") == "hello\n" && desk.read("note.txt.before") == nil)
        #expect(desk.terminal.error.contains("{+HELLO+}"))
    }

    @Test("R48 a file that was changed while it was being looked at is not written over")
    func changedMeanwhile() async throws {
        let desk = try Desk(["y"], says: Self.shouting)
        let path = try desk.write("note.txt", "hello\n")
        let inner = desk
        let front = AssistFront(
            terminal: desk.terminal, environment: ["NO_COLOR": "1"], ledger: MemoryCommitLedger()
        ) { ask in
            let assistant = await inner.front.makeAssistant(ask)
            // While the model works, another program writes.
            try? Data("other\n".utf8).write(to: URL(filePath: path))
            return assistant
        }
        #expect(await RewriteCommand(front).run(AssistOptions(file: path), tone: .plain) == ExitCode.failed)
        #expect(desk.read("note.txt") == "other\n" && desk.read("note.txt.before") == nil)
        #expect(desk.terminal.error.contains("changed meanwhile"))
    }

    @Test func `text on standard input is rewritten to standard output`() async throws {
        let desk = try Desk(["one", "", "two"], isAttended: false, says: Self.shouting)
        #expect(await RewriteCommand(desk.front).run(AssistOptions(file: "-"), tone: .plain) == 0)
        #expect(desk.terminal.output == "ONE\n\nTWO\n")
    }

    @Test("R48 of a table's proposals the selected are written into its group column, and edits are checked again")
    func classify() async throws {
        let desk = try Desk(["2", "e 1 nowhere", "e 1 bath", "y"]) { _ in [.say(#"{"1":"Food","2":"Food"}"#)] }
        let path = try desk.write("items.csv", "title,price\nSoap,1\nBread,2\n")
        let groups = try desk.write("groups.txt", "Food: milk; eggs\nBath\n")
        #expect(await SortCommand(desk.front).classify(AssistOptions(file: path), groups: groups) == 0)
        #expect(desk.read("items.csv") == "title,price,group\nSoap,1,Bath\nBread,2,\n")
        #expect(desk.read("items.csv.before") == "title,price\nSoap,1\nBread,2\n")
        #expect(desk.terminal.error.contains("cannot stand there"))
    }

    @Test("R43 a model that names no group of the person's changes nothing, and says so")
    func invented() async throws {
        let desk = try Desk(["y"]) { _ in [.say(#"{"1":"Cars"}"#)] }
        let path = try desk.write("items.csv", "title\nSoap\n")
        let groups = try desk.write("groups.txt", "Food\nBath\n")
        #expect(await SortCommand(desk.front).classify(AssistOptions(file: path), groups: groups) == 0)
        #expect(desk.read("items.csv") == "title\nSoap\n")
        #expect(desk.terminal.error.contains("nothing to change"))
    }

    @Test("R48 nothing of a document is selected beforehand, and what is accepted is written in one form")
    func extract() async throws {
        let desk = try Desk(["y", "a", "1", "y"]) { _ in
            [
                .say(
                    #"{"merchant":"Corner Shop","date":"12.10.2026","total":"3,68 €","tax":null,"category":"groceries"}"#
                )
            ]
        }
        let path = try desk.write("receipt.txt", "Corner Shop, 12.10.2026, 3,68 €")
        #expect(await ExtractCommand(desk.front).run(Expense.self, AssistOptions(file: path)) == 0)
        #expect(desk.terminal.error.contains("Nothing is selected"))
        let json = try JSONReader.parse(Array(desk.terminal.output.utf8))
        #expect(json.object?["total"]?.string == "3.68 EUR" && json.object?["date"]?.string == "2026-10-12")
        #expect(json.object?["merchant"] == nil)
    }

    @Test func `the end of input, and a new file that is there already, write nothing`() async throws {
        let says: @Sendable (ModelTask) -> [ScriptedEngine.Step] = { _ in [.say(#"{"total":"3.68 EUR"}"#)] }
        let left = try Desk([], says: says)
        let path = try left.write("receipt.txt", "3.68 EUR")
        let out = left.folder + "/out.json"
        _ = await ExtractCommand(left.front).run(Expense.self, AssistOptions(file: path, output: out))
        #expect(left.read("out.json") == nil)
        let taken = try Desk(["a", "y"], says: says)
        let there = try taken.write("out.json", "mine")
        let receipt = try taken.write("receipt.txt", "3.68 EUR")
        let code = await ExtractCommand(taken.front).run(Expense.self, AssistOptions(file: receipt, output: there))
        #expect(code == ExitCode.failed && taken.read("out.json") == "mine")
    }

    @Test func `what a model or a file says cannot steer the terminal`() async throws {
        let desk = try Desk(["n"]) { _ in [.say(#"{"text":"wow \u001b[2Jgone"}"#)] }
        let path = try desk.write("note.txt", "hello there")
        _ = await RewriteCommand(desk.front).run(AssistOptions(file: path), tone: .plain)
        #expect(!desk.terminal.error.contains("\u{1B}"))
    }

    @Test func `the decision is explained in a sentence and in a line without a word of the file`() async throws {
        let desk = try Desk(["n"], says: Self.shouting)
        let path = try desk.write("note.txt", "canary")
        _ = await RewriteCommand(desk.front).run(AssistOptions(file: path, explains: true), tone: .plain)
        let explanation = desk.terminal.error.prefix { $0 != "[" }
        #expect(explanation.contains("Runs on this device.") && explanation.contains("run=on-device"))
        #expect(!explanation.contains("canary"))
    }
}
