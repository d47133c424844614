import RejoinCore
import Testing

@testable import RejoinProbe

@Suite struct WorksheetTests {
    private let probe = Probe("P0.0", "Nothing", decided: "Nothing happens") { _, _ in }

    @Test func `a failed check outweighs those that held, and says what was seen instead`() {
        let book = Notebook()
        book.check(true, "one", otherwise: "not one")
        book.check(false, "two", otherwise: "three | instead")
        book.notOffered("no such thing")
        let finding = book.finding(of: probe, took: .seconds(1))
        #expect(finding.outcome == .differs)
        #expect(finding.observed == "three | instead")
    }

    @Test func `a probe that found nothing out, or broke off, is not as decided`() {
        let empty = Notebook()
        #expect(empty.finding(of: probe, took: .zero).outcome == .brokeOff)
        let broken = Notebook()
        broken.check(true, "one", otherwise: "")
        broken.breakOff("the server went away")
        #expect(broken.finding(of: probe, took: .zero).outcome == .brokeOff)
        #expect(
            !Worksheet(
                subject: "", madeAt: Timestamp(milliseconds: 0), findings: [broken.finding(of: probe, took: .zero)]
            )
            .isAcceptable)
    }

    @Test func `each doubt takes from the confidence`() {
        let book = Notebook()
        book.check(true, "one", otherwise: "")
        #expect(book.finding(of: probe, took: .zero).confidence == .high)
        book.doubt("a")
        #expect(book.finding(of: probe, took: .zero).confidence == .medium)
        book.doubt("b")
        #expect(book.finding(of: probe, took: .zero).confidence == .low)
    }

    @Test func `a probe that does not come to an end is broken off`() async throws {
        let endless = Probe("P0.1", "Endless", decided: "It ends") { _, book in
            book.check(true, "it began", otherwise: "")
            try await ContinuousClock().sleep(for: .seconds(600))
        }
        let stage = try Stage.around(Stage.Target(address: "http://127.0.0.1:1", token: "x"))
        let finding = await endless.carryOut(on: stage, within: .milliseconds(20))
        await stage.close()
        #expect(finding.outcome == .brokeOff)
        #expect(finding.observed.contains("did not come to an end"))
    }

    @Test func `the worksheet says outcome, evidence, timing and confidence, on a page and as JSON`() throws {
        let book = Notebook()
        book.check(false, "", otherwise: "a <b> | c\u{1B}[2J")
        book.note("[online] \"x\"\nsecond line")
        book.time("to the end", .milliseconds(1234))
        book.doubt("one look")
        let worksheet = Worksheet(
            subject: "a server", madeAt: Timestamp(milliseconds: 0),
            findings: [book.finding(of: probe, took: .seconds(2))])
        let page = worksheet.markdown
        #expect(page.contains("| P0.0 | Nothing | differs | medium | 2.00 s |"))
        #expect(page.contains("- to the end: 1.23 s"))
        #expect(page.contains("a \\<b> \\| c\u{FFFD}\\[2J"))
        #expect(page.contains("second line") && !page.contains("\nsecond line"))
        let json = try #require(try JSONReader.parse(Array(worksheet.json.utf8)).object)
        let first = try #require(json["probes"]?.array?.first?.object)
        #expect(json["acceptable"]?.bool == false)
        #expect(first["outcome"]?.string == "differs" && first["confidence"]?.string == "medium")
        #expect(first["timings"]?.array?.first?.object?["milliseconds"]?.integer == 1234)
        let lines = Worksheet.lines(of: worksheet.findings[0], columns: 40, isPlain: true)
        #expect(lines.count == 2 && !lines.joined().contains("\u{1B}"))
    }

    @Test func `probes are chosen by their numbers`() {
        #expect(ProbeCommand.probes(named: "p50.1, P29.6")?.map(\.number) == ["P50.1", "P29.6"])
        #expect(ProbeCommand.probes(named: "P50.1,P99") == nil)
        #expect(ProbeCommand.probes(named: ",") == nil)
    }
}
