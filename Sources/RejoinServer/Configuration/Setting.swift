import RejoinCore

/// One value of the configuration, and the words for refusing it.
struct Setting: Sendable {
    /// The key as a path: `limits.body_bytes`.
    let key: String
    let value: JSON5.Value
    /// Where it was written: `rejoin.json5:7:3`, `REJOIN_LISTEN`, `--listen`.
    let place: String
    /// The folder that a relative path starts from; nil for the working folder.
    let folder: String?
    /// Whether it is a bare word, in which numbers are read from text.
    let isWord: Bool
    /// What it has to be, as the end of "must be …"; the key that reads it sets this.
    var expected = "something else"

    /// A value of a file.
    init(key: String, _ node: JSON5, in file: ConfigurationFile) {
        self.key = key
        self.value = node.value
        self.place = file.place(node.position)
        self.folder = file.folder
        self.isWord = false
    }

    /// A word from an environment variable or an option.
    init(key: String, word: String, place: String) {
        self.key = key
        self.value = .string(word)
        self.place = place
        self.folder = nil
        self.isWord = true
    }

    // MARK: Reading

    /// Some text that is not empty.
    func text() throws(ConfigurationError) -> String {
        guard case .string(let text) = value, !text.isEmpty else { throw refusal }
        return text
    }

    /// A number within bounds.
    func number(in bounds: ClosedRange<Double>) throws(ConfigurationError) -> Double {
        let number: Double? =
            switch value {
            case .number(let number): number
            case .string(let word) where isWord: Double(word)
            default: nil
            }
        guard let number, bounds.contains(number) else { throw refusal }
        return number
    }

    /// A whole number within bounds.
    func integer(in bounds: ClosedRange<Int>) throws(ConfigurationError) -> Int {
        let bounds = Double(bounds.lowerBound)...Double(bounds.upperBound)
        guard let whole = Int(exactly: try number(in: bounds)) else { throw refusal }
        return whole
    }

    /// A list of texts; in a bare word they stand between commas.
    func words() throws(ConfigurationError) -> [String] {
        switch value {
        case .string(let word) where isWord:
            return word.split(separator: ",").map { String($0).trimmingSpace }.filter { !$0.isEmpty }
        case .array(let nodes):
            var words: [String] = []
            for node in nodes {
                guard case .string(let word) = node.value, !word.isEmpty else { throw refusal }
                words.append(word)
            }
            return words
        default: throw refusal
        }
    }

    /// One of a closed list.
    func choice<Choice: RawRepresentable & CaseIterable>() throws(ConfigurationError) -> Choice
    where Choice.RawValue == String {
        let names = Choice.allCases.map(\.rawValue)
        let text = try text()
        guard let choice = Choice(rawValue: text) else { throw refusal(hintFrom: names) }
        return choice
    }

    /// A path; `~/` is the home folder, and a relative one in a file starts at the file.
    func path(environment: [String: String]) throws(ConfigurationError) -> String {
        let path = try text()
        guard !path.unicodeScalars.contains("\0") else { throw refusal }
        if path.hasPrefix("~/") {
            guard let home = environment["HOME"], !home.isEmpty else {
                throw ConfigurationError(at: place, "\"~\" in \"\(key)\" needs HOME to be set")
            }
            return home + path.dropFirst()
        }
        guard let folder, !folder.isEmpty, !path.hasPrefix("/") else { return path }
        return folder + (folder.hasSuffix("/") ? "" : "/") + path
    }

    // MARK: Refusing

    /// `"key" must be …, not …`.
    var refusal: ConfigurationError { refusal(hintFrom: []) }

    /// As ``refusal``, with the nearest of some names.
    func refusal(hintFrom names: [String]) -> ConfigurationError {
        var message = "\"\(key)\" must be \(expected), not \(shown)"
        if case .string(let text) = value { message += NearestName.hint(for: text, among: names) }
        return ConfigurationError(at: place, message)
    }

    /// The same value where something narrower is expected.
    func expecting(_ expected: String) -> Setting {
        var setting = self
        setting.expected = expected
        return setting
    }

    /// Whether a text is made of ASCII letters, digits and some more characters alone.
    static func isPlain(_ text: some StringProtocol, and more: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: more.utf8.contains(byte)
            }
        }
    }

    /// `"a", "b" or "c"`.
    static func list(_ names: [String]) -> String {
        let quoted = names.map { "\"\($0)\"" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }

    private var shown: String {
        switch value {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .string(let text) where isWord && Double(text) != nil: text
        case .string(let text): "\"" + (text.count > 60 ? text.prefix(60) + "…" : text) + "\""
        case .array: "a list"
        case .object: "an object"
        }
    }
}
