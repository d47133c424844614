import Testing

/// The checks are only as good as the reading: each of these is a way in which they could be blind.
@Suite struct SourceFileTests {
    private func line(_ text: String) -> SourceFile.Line { SourceFile(path: "Sources/M/F.swift", text: text).lines[0] }

    @Test func `tells code, texts and comments apart`() {
        let mixed = line(#"let a = "try! // no" // SAFETY: said"#)
        #expect(mixed.code == #"let a = "" "#)
        #expect(mixed.literals == "try! // no")
        #expect(mixed.comment == "// SAFETY: said")
    }

    @Test func `sees code inside an interpolation, and texts inside that`() {
        let nested = line(#"print("a \(f("b)")!) c")"#)
        #expect(nested.code == #"print("\(f("")!)")"#)
        #expect(nested.literals == "a b) c")
    }

    @Test func `reads raw and many-line texts to their ends`() {
        #expect(line(##"let a = #"x " \( y"# + b!"##).code == ##"let a = #""# + b!"##)
        let lines = SourceFile(path: "f", text: "let a = \"\"\"\n  x \"quoted\" y!\n  \"\"\"\nb!").lines
        #expect(lines[1].literals == "  x \"quoted\" y!")
        #expect(lines[1].code.isEmpty)
        #expect(lines[3].code == "b!")
    }

    @Test func `leaves out names in backticks and nested comments`() {
        #expect(line("func `it's \"odd\"!`() { /* a /* b */ c! */ d }").code == "func () {  d }")
    }

    @Test func `finds imports whatever their access`() {
        let text =
            "import A\npackage import B\npublic import C\n@testable import D\n@_exported public import E\n// import F"
        #expect(SourceFile(path: "f", text: text).imports == ["A", "B", "C", "D", "E"])
    }

    @Test func `finds a reason beside a line or right above it`() {
        let text = """
            // SAFETY: because
            final class A: @unchecked Sendable {}
            final class B: @unchecked Sendable {}  // SAFETY: because
            // SAFETY: of something else

            final class C: @unchecked Sendable {}
            /// Words for a reader.
            let d = e!
            """
        let file = SourceFile(path: "f", text: text)
        #expect(file.isExplained(at: 1, by: "SAFETY:"))
        #expect(file.isExplained(at: 2, by: "SAFETY:"))
        #expect(!file.isExplained(at: 5, by: "SAFETY:"))
        #expect(!file.isExplained(at: 7))
        let inside = SourceFile(path: "f", text: "class A: @unchecked Sendable {\n    // SAFETY: because\n}")
        #expect(inside.isExplained(at: 0, by: "SAFETY:"))
    }
}
