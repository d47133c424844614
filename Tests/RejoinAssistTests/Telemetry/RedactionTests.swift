import RejoinAssist
import SeededRandom
import Testing

@Suite struct RedactionTests {
    @Test(
        "R60 what could be somebody's is taken out of a diagnostic, and the program's own words stay",
        arguments: [
            ("decode failed after 3 tries", "decode failed after 3 tries"),
            (#"cannot find "Anna's will" in the list"#, "cannot find [quoted] in the list"),
            ("couldn't read 'My Diary 2025', it's gone", "couldn't read [quoted], it's gone"),
            ("title “Dear “John”” was refused", "title [quoted] was refused"),
            ("label «privé» too long", "label [quoted] too long"),
            (#"unclosed "rest of a letter to"#, "unclosed [quoted]"),
            (#"escaped "a \" b" end"#, "escaped [quoted] end"),
            ("mail from anna.b@example.com failed", "mail from [address] failed"),
            ("open /home/anna/will.txt failed", "open [path] failed"),
            (#"open C:\Users\Anna\will.txt failed"#, "open [path] failed"),
            ("see https://example.com/u/anna?x=1 now", "see [path] now"),
            ("in ~/Letters today", "in [path] today"),
            ("file will-2025.docx missing", "file [file] missing"),
            ("card 4111111111111111 declined", "card [number] declined"),
            ("call +4917012345 back", "call +[number] back"),
            ("iban DE89370400440532013000 bad", "iban [secret] bad"),
            ("key sk-live0123456789 bad", "key [secret] bad"),
            ("password=hunter2 given", "password=[secret] given"),
            ("password: hunter2 given", "password: [secret] given"),
            ("Authorization: Bearer abc.def given", "Authorization: [secret] [secret] given"),
            ("Bearer abc.def given", "Bearer [secret] given"),
            ("", ""),
        ])
    func examples(text: String, redacted: String) {
        #expect(Redaction.redact(text).text == redacted)
    }

    @Test("R60 paths with spaces and numbers in groups go as a whole")
    func spread() {
        for (text, gone) in [
            ("open /Users/Anna Maria Berg/will failed", ["Anna", "Maria", "Berg", "will"]),
            ("card 4111 1111 1111 1111 declined", ["4111", "1111"]), ("call +49 170 1234 567 back", ["170", "1234"]),
        ] {
            let redacted = Redaction.redact(text).text
            for word in gone { #expect(!redacted.contains(word), "\(redacted)") }
            #expect(redacted.contains("failed") || redacted.contains("declined") || redacted.contains("back"))
        }
    }

    @Test("R60 a canary in quotes, in a path, an address or after a secret's name never comes through")
    func canary() {
        var generator = SeededGenerator(seed: 60)
        let frames = [
            ("\"", "\""), ("“", "”"), ("«", "»"), ("'", "'"), ("`", "`"), ("/tmp/", ""), ("~/", "/x"), ("x@", ".org"),
            ("https://h/", ""), ("token=", ""), ("Password: ", ""), ("C:\\", ""), ("„", "“"), ("bearer ", ""),
        ]
        let fillers = ["failed", "at", "3", "it's", "", "\n", "—", "[x]", "né", "ok."]
        for _ in 0..<5000 {
            let frame = generator.pick(frames)
            let words = (0..<6).map { _ in generator.pick(fillers) }
            let text =
                words.prefix(3).joined(separator: " ") + " " + frame.0 + "CANARY" + frame.1 + " "
                + words.suffix(3).joined(separator: "\t")
            let redacted = Redaction.redact(text).text
            if redacted.contains("CANARY") { Issue.record("came through in \(text) as \(redacted)") }
        }
    }

    @Test("R60 no text traps, whatever it is, and what comes out has no quotes with words in them")
    func anything() {
        var generator = SeededGenerator(seed: 61)
        let pieces = [
            "\"", "'", "\\", "/", "@", " ", "=", ":", "a", "9", "é", "👩‍👩‍👧", "\u{301}", "“", "»", "\n", "-", ".",
        ]
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 0...30, using: &generator)).map { _ in generator.pick(pieces) }.joined()
            _ = Redaction.redact(text)
        }
        #expect(Redaction.redact(String(repeating: "a ", count: 100_000)).text.count <= Redaction.maximumLength)
    }
}
