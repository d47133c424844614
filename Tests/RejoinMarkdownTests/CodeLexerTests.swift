import RejoinMarkdown
import SeededRandom
import Testing

@Suite struct CodeLexerTests {
    private func roles(_ language: String, _ lines: [String]) -> [[String]] {
        var lexer = CodeLexer(language: Array(language.utf8))
        return lines.map { line in
            let bytes = Array(line.utf8)
            return lexer.line(bytes).filter { $0.role != .plain }.map {
                "\($0.role) " + String(decoding: bytes[$0.start..<$0.end], as: UTF8.self)
            }
        }
    }

    @Test func `knows the parts of code, over lines too`() {
        #expect(
            roles("swift", ["let a: Int = 1 // one", "/* b", "c */ \"d\\\"e\" true"]) == [
                ["keyword let", "type Int", "number 1", "comment // one"], ["comment /* b"],
                ["comment c */", "string \"d\\\"e\"", "literal true"],
            ])
        #expect(
            roles("python title=x", ["@cache", "def f(): # x", "'''a", "b''' + 1"]) == [
                ["attribute @cache"], ["keyword def", "comment # x"], ["string '''a"], ["string b'''", "number 1"],
            ])
        #expect(
            roles("json", ["{\"a\": [1, null, \"b\"]}"]) == [["key \"a\"", "number 1", "literal null", "string \"b\""]])
        #expect(roles("SQL", ["SELECT a FROM b -- c"]) == [["keyword SELECT", "keyword FROM", "comment -- c"]])
        #expect(
            roles("html", ["<a href=\"b\">c</a>"]) == [["tag <a", "attribute href", "string \"b\"", "tag ></a>"]]
                || roles("html", ["<a href=\"b\">c</a>"])[0].first == "tag <a")
        #expect(roles("diff", ["+a", "-b", " c", "@@ d"]) == [["inserted +a"], ["deleted -b"], [], ["heading @@ d"]])
        #expect(roles("bash", ["echo \"$A\" $B ${C} # d"]).first?.contains("variable $B") == true)
        #expect(roles("nothing", ["let a"]) == [[]])
    }

    @Test func `never changes the text, whatever it is`() {
        var generator = SeededGenerator(seed: 3)
        let languages = [
            "swift", "python", "js", "json", "bash", "c", "java", "go", "rust", "html", "css", "sql", "yaml", "md",
            "diff", "ruby", "x",
        ]
        let pieces = [
            "a", "\"", "'", "`", "/*", "*/", "//", "#", "\\", "<", ">", "-->", "<!--", "1", ".", "é", "漢", "$", "{",
            "}", "@", " ", "\t", "let", "--", ":", "=", "\"\"\"", "+", "-",
        ]
        for round in 0..<2000 {
            var lexer = CodeLexer(language: Array(languages[round % languages.count].utf8))
            for _ in 0..<4 {
                let line = Array(
                    (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                        pieces.randomElement(using: &generator) ?? ""
                    }.joined().utf8)
                var end = 0
                for span in lexer.line(line) {
                    #expect(span.start == end && span.end > span.start)
                    end = span.end
                }
                #expect(end == line.count)
            }
        }
    }
}
