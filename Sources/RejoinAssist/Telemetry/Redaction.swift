/// Text for a diagnostic report from which everything private has been taken out; only ``Redaction`` makes it.
///
/// What is sent as a report takes this and no `String`, so that nothing goes out that has not been through here.
public struct RedactedText: Sendable, Hashable {
    /// The text.
    public let text: String

    init(redacted text: String) {
        self.text = text
    }
}

/// Takes out of a text what could be somebody's: quoted words, secrets, addresses, paths and long numbers.
///
/// It takes out too much rather than too little. What is left are the words of whoever wrote the program.
public enum Redaction {
    /// The longest text that is kept; what comes after it goes.
    public static let maximumLength = 16_384

    /// Takes out everything private.
    public static func redact(_ text: String) -> RedactedText {
        let unquoted = withoutQuotes(Array(text.prefix(maximumLength)))
        return RedactedText(redacted: withoutPrivateWords(unquoted))
    }

    // MARK: Quotes

    private static let closing: [Character: Set<Character>] = [
        "\"": ["\""], "`": ["`"], "“": ["”"], "”": ["”"], "„": ["“", "”"], "«": ["»"], "»": ["«"], "‹": ["›"],
        "›": ["‹"], "‘": ["’"], "’": ["’"], "‚": ["‘", "’"], "「": ["」"], "『": ["』"], "'": ["'"],
    ]

    /// The text with a placeholder for everything in quotes; a quote that is never closed reaches to the end.
    private static func withoutQuotes(_ characters: [Character]) -> [Character] {
        var result: [Character] = []
        var index = 0
        while index < characters.count {
            let character = characters[index]
            guard let ends = closing[character], opens(characters, at: index) else {
                result.append(character)
                index += 1
                continue
            }
            // A quote inside a quote of the same kind ends before the outer one does.
            var depth = 1
            index += 1
            while index < characters.count, depth > 0 {
                if characters[index] == "\\" {
                    index += 1
                } else if ends.contains(characters[index]), closes(characters, at: index) {
                    depth -= 1
                } else if characters[index] == character, !ends.contains(character) {
                    depth += 1
                }
                index += 1
            }
            result += placeholder("quoted")
        }
        return result
    }

    /// An apostrophe inside a word opens nothing.
    private static func opens(_ characters: [Character], at index: Int) -> Bool {
        guard characters[index] == "'" || characters[index] == "’", index > 0 else { return true }
        return !isWord(characters[index - 1])
    }

    /// An apostrophe inside a word closes nothing either.
    private static func closes(_ characters: [Character], at index: Int) -> Bool {
        guard characters[index] == "'" || characters[index] == "’", index + 1 < characters.count else { return true }
        return !isWord(characters[index + 1])
    }

    private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    private static func placeholder(_ kind: String) -> [Character] { Array("[\(kind)]") }

    // MARK: Words

    /// How many plain words may stand between two that look like parts of one path with spaces in it.
    private static let pathGap = 3

    private static func withoutPrivateWords(_ characters: [Character]) -> String {
        var words = characters.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace).map(Array.init)
        let spaces = characters.filter(\.isWhitespace)
        hideNumberGroups(in: &words)
        var lastPath: Int?
        var hidesNext = 0
        for index in words.indices {
            let word = words[index]
            if word.isEmpty { continue }
            if hidesNext > 0, !isPlaceholder(word) {
                hidesNext -= 1
                let announces = isScheme(word)
                words[index] = placeholder("secret")
                // "Authorization: Bearer abc": the scheme's own word comes before the secret.
                if announces { hidesNext = 1 }
                lastPath = nil
                continue
            }
            hidesNext = 0
            if isPath(word) {
                if let start = lastPath, index - start <= pathGap + 1 {
                    for between in start..<index where !words[between].isEmpty { words[between] = [] }
                    words[index] = placeholder("path")
                } else {
                    words[index] = placeholder("path")
                }
                lastPath = index
                continue
            }
            let (kept, announces) = cleaned(word)
            words[index] = kept
            if announces { hidesNext = 1 }
        }
        var result = ""
        for (index, word) in words.enumerated() {
            result += String(word)
            if index < spaces.count { result.append(spaces[index]) }
        }
        return result
    }

    /// Groups of digits with spaces between, as cards and telephones are written: together they are one number.
    private static func hideNumberGroups(in words: inout [[Character]]) {
        var start = 0
        while start < words.count {
            var end = start
            var digits = 0
            while end < words.count, isDigitGroup(words[end]) {
                digits += words[end].count(where: \.isNumber)
                end += 1
            }
            if end - start > 1, digits >= 5 {
                words[start] = placeholder("number")
                for index in (start + 1)..<end { words[index] = [] }
            }
            start = max(end, start + 1)
        }
    }

    private static func isDigitGroup(_ word: [Character]) -> Bool {
        word.contains(where: \.isNumber) && !word.contains(where: \.isLetter)
    }

    private static func isPlaceholder(_ word: [Character]) -> Bool { word.first == "[" && word.contains("]") }

    private static func isScheme(_ word: [Character]) -> Bool {
        ["bearer", "basic", "token"].contains(String(word.filter(\.isLetter)).lowercased())
    }

    /// Anything with a slash, and a drive's letter; addresses of the web too.
    private static func isPath(_ word: [Character]) -> Bool {
        if word.contains("/") || word.contains("\\") || word.first == "~" { return true }
        return word.count > 1 && word[0].isLetter && word[1] == ":" && word.count == 2
    }

    /// A word without what is private in it, and whether it says that a secret comes next.
    private static func cleaned(_ word: [Character]) -> (kept: [Character], announces: Bool) {
        if word.contains("@") { return (placeholder("address"), false) }
        let lowered = String(word).lowercased()
        if let mark = word.firstIndex(where: { $0 == "=" || $0 == ":" }) {
            let name = lowered.prefix(mark)
            if secretNames.contains(where: name.contains) {
                let hasValue = word[(mark + 1)...].contains(where: isWord)
                return (Array(word[...mark]) + (hasValue ? placeholder("secret") : []), !hasValue)
            }
        }
        let bare = lowered.filter(isWord)
        if ["bearer", "basic"].contains(bare) || secretNames.contains(bare) { return (word, true) }
        if looksSecret(word) { return (placeholder("secret"), false) }
        if isFileName(word) { return (placeholder("file"), false) }
        return (withoutLongNumbers(word), false)
    }

    private static let secretNames = [
        "password", "passwd", "passphrase", "secret", "token", "apikey", "api-key", "api_key", "authorization",
        "cookie",
        "credential", "private-key", "private_key", "session",
    ]

    private static let secretStarts = ["sk-", "pk-", "ghp_", "gho_", "xox", "eyj", "akia", "rj_", "glpat-"]

    /// Something that no person would write: a known beginning, or a long run of letters and digits together.
    private static func looksSecret(_ word: [Character]) -> Bool {
        let core = word.drop { !isWord($0) }
        let lowered = String(core).lowercased()
        if core.count >= 8, secretStarts.contains(where: lowered.hasPrefix) { return true }
        for part in core.split(whereSeparator: { !isWord($0) && $0 != "_" && $0 != "-" && $0 != "+" }) {
            let letters = part.count { $0.isLetter }
            let digits = part.count { $0.isNumber }
            if part.count >= 16, digits >= 2, letters >= 2 { return true }
            if part.count >= 40 { return true }
        }
        return false
    }

    /// A name with an ending of one to five letters or digits, as `Tax 2025.pdf` has.
    private static func isFileName(_ word: [Character]) -> Bool {
        let core = word.reversed().drop { !isWord($0) }.reversed()
        guard let dot = core.lastIndex(of: "."), dot > core.startIndex else { return false }
        let ending = core[core.index(after: dot)...]
        guard (1...5).contains(ending.count), ending.allSatisfy(isWord), ending.contains(where: \.isLetter) else {
            return false
        }
        return core[..<dot].contains(where: isWord)
    }

    /// Numbers of five digits and more: account numbers, telephones, cards, also with spaces of another kind inside.
    private static func withoutLongNumbers(_ word: [Character]) -> [Character] {
        var result: [Character] = []
        var run: [Character] = []
        func flush() {
            let digits = run.count(where: \.isNumber)
            result += digits >= 5 ? placeholder("number") : run
            run = []
        }
        for character in word {
            if character.isNumber || (!run.isEmpty && ["-", ".", "+", "(", ")"].contains(character)) {
                run.append(character)
            } else {
                flush()
                result.append(character)
            }
        }
        flush()
        return result
    }
}
