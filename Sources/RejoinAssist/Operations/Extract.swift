public import RejoinCore

/// Finds the values of a schema in a text: typed, with days and money in one form, and reviewed by a person in any case.
public enum Extract<S: ExtractionSchema>: ReviewableOperation {
    /// A text, and what is known about where it comes from.
    public struct Input: Sendable, Hashable {
        /// The text.
        public var text: String
        /// The currency where an amount names none.
        public var currency: Currency?
        /// Which number is the day where a date is written with numbers alone.
        public var dateOrder: DateOrder?

        /// Asks for the values in a text.
        public init(text: String, currency: Currency? = nil, dateOrder: DateOrder? = nil) {
            self.text = text
            self.currency = currency
            self.dateOrder = dateOrder
        }
    }

    /// What a model, or a person, wrote for each field.
    public struct Draft: Sendable, Hashable {
        /// The words of a field, by its name; read and checked by nobody.
        public var words: [String: String]
        /// The names of fields that a person wrote: what cannot be there is an error, not something to leave out.
        public var byPerson: Set<String>
        fileprivate var values: [String: FieldValue] = [:]

        /// Takes down words.
        public init(_ words: [String: String], byPerson: Set<String> = []) {
            self.words = words
            self.byPerson = byPerson
        }
    }

    /// What was found.
    public struct Output: Sendable, Hashable {
        /// The values by the name of their field; a field that is not here was not found, or held what cannot be.
        public let values: [String: FieldValue]
        /// Required fields without a value, for the person to fill in.
        public let missing: [String]

        /// The value of a field.
        public subscript(name: String) -> FieldValue? { values[name] }
    }

    public static var profile: OperationProfile {
        OperationProfile(
            id: S.id, requires: [.text, .structuredOutput], budget: TokenBudget(input: 1500, output: 300), risk: .high,
            cost: .metered, urgency: .now, dataClass: .sensitive)
    }
    public static var kind: ResponseKind { .actionable }

    public static var pipeline: ValidationPipeline<Input, Draft, Output> {
        ValidationPipeline(
            ids: { draft, _, report in
                let names = Set(S.fields.map(\.name))
                let unknown = draft.words.keys.filter { !names.contains($0) }
                for name in unknown { draft.words[name] = nil }
                report.unknownIDs += unknown.count
            },
            normalise: { draft, _, report in
                for field in S.fields {
                    guard let words = draft.words[field.name] else { continue }
                    let plain = normalised(words, field)
                    if plain != words { report.normalised += 1 }
                    draft.words[field.name] = plain.isEmpty || blanks.contains(plain.lowercased()) ? nil : plain
                }
            },
            impossible: { (draft, input, report) throws(ValidationFailure) in
                let facts = TextFacts(input.text)
                for field in S.fields {
                    guard let words = draft.words[field.name] else { continue }
                    do throws(ValidationFailure) {
                        let value = try value(of: words, field, input, facts)
                        if !draft.byPerson.contains(field.name) { try stands(value, in: facts, input) }
                        draft.values[field.name] = value
                    } catch {
                        if draft.byPerson.contains(field.name) { throw error }
                        report.impossible += 1
                    }
                }
            },
            finish: { (draft, _, report) throws(ValidationFailure) in
                guard !draft.values.isEmpty else { throw report.impossible > 0 ? .impossibleValue : .empty }
                report.changed += draft.values.count
                let missing = S.fields.filter { $0.isRequired && draft.values[$0.name] == nil }.map(\.name)
                return Output(values: draft.values, missing: missing)
            })
    }

    public static func task(for input: Input) -> ModelTask {
        let lines = S.fields.map { "- \($0.name): \($0.meaning)" }.joined(separator: "\n")
        return ModelTask(
            instructions: """
                The text is \(S.subject). Find these values in it and answer with one JSON object that has these names:
                \(lines)
                Copy what the text says. Where it says nothing, the value is null.
                """,
            prompt: input.text,
            schema: .object(
                S.fields.map { .init($0.name, .optional(schema(of: $0.kind)), meaning: $0.meaning) }),
            maximumTokens: 64 + 32 * S.fields.count)
    }

    public static func draft(from text: String, for input: Input) throws(ValidationFailure) -> Draft {
        var words: [String: String] = [:]
        for member in try JSONExtraction.object(in: text).members {
            switch member.value {
            case .string(let string): words[member.name] = string
            case .integer(let integer): words[member.name] = String(integer)
            case .number(let number): words[member.name] = plain(number)
            case .null: break
            // Lists and objects where a value belongs are read by nothing.
            case .bool, .array, .object: words[member.name] = "\u{FFFD}"
            }
        }
        return Draft(words)
    }

    public static func request(for input: Input) -> JSONValue {
        .object("text", .string(input.text), "schema", .string(S.id.name))
    }

    public static func changes(in output: Output, for input: Input) -> [Change] {
        S.fields.compactMap { field in
            guard let value = output.values[field.name] else {
                // A required field is shown empty, so that it can be filled in.
                return field.isRequired
                    ? Change(id: ChangeID(field.name), title: field.title, before: "", after: "") : nil
            }
            return Change(id: ChangeID(field.name), title: field.title, before: "", after: value.description)
        }
    }

    public static func draft(
        of output: Output, replacing change: ChangeID, with text: String, for input: Input
    ) throws(ValidationFailure) -> Draft {
        guard S.fields.contains(where: { $0.name == change.name }) else { throw .impossibleValue }
        var words = output.values.mapValues(\.description)
        words[change.name] = text
        return Draft(words, byPerson: [change.name])
    }

    /// What models and people write where there is nothing.
    private static var blanks: Set<String> { ["null", "none", "n/a", "unknown", "-", "nil"] }

    /// A number without an exponent, so that it is read like one that was written; others stay unreadable.
    private static func plain(_ number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func normalised(_ words: String, _ field: ExtractionField) -> String {
        switch field.kind {
        case .text(let count): Normalise.shortened(words, to: count)
        case .choice(let choices): Normalise.choice(words, of: choices) ?? Normalise.spaces(words)
        case .money, .date, .link: Normalise.spaces(words.prefix(4096))
        }
    }

    /// Holds what a model copied against the text: an amount or a day that does not stand there was made up.
    private static func stands(_ value: FieldValue, in facts: TextFacts, _ input: Input) throws(ValidationFailure) {
        switch value {
        case .money(let money):
            let amounts = facts.amounts(money.currency)
            guard amounts.isEmpty || amounts.contains(money.minorUnits) else { throw .impossibleValue }
        case .date(let date):
            let dates = facts.dates(input.dateOrder)
            guard dates.isEmpty || dates.contains(date) else { throw .impossibleValue }
        case .text, .choice, .link: return
        }
    }

    private static func value(
        of words: String, _ field: ExtractionField, _ input: Input, _ facts: TextFacts
    ) throws(ValidationFailure) -> FieldValue {
        switch field.kind {
        case .text:
            guard words != "\u{FFFD}" else { throw .impossibleValue }
            return .text(words)
        case .money(let allowed):
            let alone = allowed?.count == 1 ? allowed?.first : nil
            return .money(
                try AmountReader.money(in: words, fallback: input.currency ?? alone ?? facts.currency, allowed: allowed)
            )
        case .date: return .date(try DateReader.date(in: words, order: input.dateOrder))
        case .choice(let choices):
            guard choices.contains(words) else { throw .impossibleValue }
            return .choice(words)
        case .link: return .link(try SafeLink(words))
        }
    }

    private static func schema(of kind: ExtractionField.Kind) -> DraftSchema {
        switch kind {
        case .text(let count): .string(upTo: count)
        case .money, .date: .string(upTo: 32)
        case .choice(let words): .choice(words)
        case .link: .string(upTo: 200)
        }
    }
}
