public import RejoinCore

/// How a text is to sound.
public enum RewriteTone: String, Sendable, Hashable, CaseIterable {
    /// As it is, with its mistakes corrected.
    case correct
    /// In plain words.
    case plain
    /// Warm, as to a friend.
    case friendly
    /// As in a letter to an office.
    case formal
    /// With fewer words.
    case shorter

    /// The tone in words for a model.
    var instruction: String {
        switch self {
        case .correct: "Correct spelling and grammar and change nothing else."
        case .plain: "Use plain, short words."
        case .friendly: "Make it warm and friendly."
        case .formal: "Make it formal and polite."
        case .shorter: "Make it as short as possible without losing a fact."
        }
    }
}

/// Rewrites a text in its own language.
///
/// What comes back is one proposal for the whole text: white space and one layer of quotes around it are taken off, and it
/// is refused where it is empty, in plainly another language, a refusal in words, lacks a number of the text, or holds a
/// link that was not there.
public enum Rewrite: ReviewableOperation {
    /// A text and how it is to sound.
    public struct Input: Sendable, Hashable {
        /// The text as it is.
        public var text: String
        /// How it is to sound.
        public var tone: RewriteTone

        /// Asks for a text to be rewritten.
        public init(text: String, tone: RewriteTone) {
            self.text = text
            self.tone = tone
        }
    }

    /// What somebody wrote in place of the text.
    public struct Draft: Sendable, Hashable, ExpressibleByStringLiteral {
        /// The words.
        public var text: String
        /// Whether the person wrote them: they may change the language and add a link, a model may not.
        public var isByPerson: Bool

        /// Takes down words.
        public init(_ text: String, isByPerson: Bool = false) {
            self.text = text
            self.isByPerson = isByPerson
        }

        public init(stringLiteral text: String) { self.init(text) }
    }

    public typealias Output = String

    public static var profile: OperationProfile {
        OperationProfile(
            id: "rewrite", requires: .text, budget: TokenBudget(input: 600, output: 500), risk: .low, cost: .free,
            urgency: .now, dataClass: .freeForm)
    }
    public static var kind: ResponseKind { .actionable }

    /// The one change that there is.
    public static let changeID = ChangeID("text")

    public static var pipeline: ValidationPipeline<Input, Draft, String> {
        ValidationPipeline(
            normalise: { draft, input, report in
                let text =
                    draft.isByPerson ? Normalise.trimmed(draft.text) : PlainText.unwrapped(draft.text, like: input.text)
                if text != draft.text { report.normalised += 1 }
                draft.text = text
            },
            impossible: { (draft, input, report) throws(ValidationFailure) in
                guard !draft.text.isEmpty else { throw .empty }
                guard draft.text.utf8.count <= input.text.utf8.count * 4 + 400 else { throw .tooLong }
                guard !draft.isByPerson else { return }
                guard !PlainText.declines(draft.text, insteadOf: input.text) else { throw .refusedInWords }
                guard !LanguageGuess(draft.text).isPlainlyOther(than: LanguageGuess(input.text)) else {
                    throw .languageChanged
                }
                guard keepsNumbers(draft.text, of: input.text) else { throw .numberLost }
                // A model has no business adding somewhere to go.
                let known = Set(PlainText.links(in: input.text))
                guard PlainText.links(in: draft.text).allSatisfy(known.contains) else { throw .unsafeLink }
            },
            finish: { draft, input, report in
                if draft.text == Normalise.trimmed(input.text) {
                    report.kept += 1
                    return input.text
                }
                report.changed += 1
                return draft.text
            })
    }

    /// Whether every number of the text is still there, in digits or, where it is small, in English words.
    private static func keepsNumbers(_ rewritten: String, of original: String) -> Bool {
        let kept = TextFacts(rewritten).digits
        let words = Set(rewritten.lowercased().split { !$0.isLetter }.map(String.init))
        return TextFacts(original).digits.allSatisfy { digits in
            if kept.contains(digits) { return true }
            guard let number = Int(digits), smallNumbers.indices.contains(number) else { return false }
            return words.contains(smallNumbers[number])
        }
    }

    private static let smallNumbers = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ]

    public static func task(for input: Input) -> ModelTask {
        let language = LanguageGuess(input.text).name.map { "Write in \($0)." } ?? "Keep the language of the text."
        let rules = "\(input.tone.instruction) Keep its meaning, names and numbers. \(language)"
        guard isShort(input) else {
            return ModelTask(
                instructions: "Rewrite the text that you are given. \(rules) Answer with the new text alone.",
                prompt: input.text, maximumTokens: input.text.utf8.count / 2 + 64)
        }
        return ModelTask(
            instructions: """
                Rewrite the text that you are given. \(rules) Answer with one JSON object with the property "text".
                """,
            prompt: input.text,
            schema: .object([
                .init("text", .string(upTo: input.text.count * 2 + 200), meaning: "the rewritten text")
            ]),
            displayField: "text", maximumTokens: input.text.utf8.count / 2 + 96)
    }

    public static func draft(from text: String, for input: Input) throws(ValidationFailure) -> Draft {
        guard isShort(input) else { return Draft(text) }
        guard let rewritten = try JSONExtraction.object(in: text)["text"]?.string else { throw .undecodable }
        return Draft(rewritten)
    }

    public static func request(for input: Input) -> JSONValue {
        .object("text", .string(input.text), "tone", .string(input.tone.rawValue))
    }

    public static func changes(in output: String, for input: Input) -> [Change] {
        [Change(id: changeID, title: "", before: input.text, after: output)]
    }

    public static func draft(
        of output: String, replacing change: ChangeID, with text: String, for input: Input
    ) throws(ValidationFailure) -> Draft { Draft(text, isByPerson: true) }

    /// Whether the answer fits an object whose text has a bound; a longer one is asked for as plain text, since a bound
    /// that is reached would cut it without a word.
    private static func isShort(_ input: Input) -> Bool { input.text.count <= 800 }
}
