/// What is looked for in a text: fields with a kind each, from which the prompt, the shape of the output and the checks
/// are made.
public protocol ExtractionSchema: Sendable {
    /// What the text is, in words for a model, such as `a receipt`.
    static var subject: String { get }
    /// The operation's name where this schema is extracted.
    static var id: OperationID { get }
    /// What is looked for, in the order in which it is shown.
    static var fields: [ExtractionField] { get }
}

/// One value that is looked for.
public struct ExtractionField: Sendable, Hashable {
    /// What kind of value it is.
    public enum Kind: Sendable, Hashable {
        /// Words, at most this many characters.
        case text(upTo: Int)
        /// An amount, in one of these currencies or any.
        case money(Set<Currency>? = nil)
        /// A day.
        case date
        /// One of these words.
        case choice([String])
        /// A link to the web.
        case link
    }

    /// The name, as it stands in the JSON.
    public let name: String
    /// The title for a person.
    public let title: String
    /// What it is, in words for the model.
    public let meaning: String
    /// What kind of value it is.
    public let kind: Kind
    /// Whether a result without it is of no use.
    public let isRequired: Bool

    /// Describes a field.
    public init(
        _ name: String, title: String, meaning: String, _ kind: Kind, isRequired: Bool = false
    ) {
        self.name = name
        self.title = title
        self.meaning = meaning
        self.kind = kind
        self.isRequired = isRequired
    }
}

/// A value that was found, in the one form of its kind.
public enum FieldValue: Sendable, Hashable {
    /// Words.
    case text(String)
    /// An amount.
    case money(Money)
    /// A day.
    case date(CivilDate)
    /// One of the field's words.
    case choice(String)
    /// A link that may be shown.
    case link(SafeLink)
}

extension FieldValue: CustomStringConvertible {
    /// The value in the form in which it is shown and may be edited.
    public var description: String {
        switch self {
        case .text(let text), .choice(let text): text
        case .money(let money): money.description
        case .date(let date): date.description
        case .link(let link): link.text
        }
    }
}

/// What a receipt or a bill says about an expense.
public enum Expense: ExtractionSchema {
    public static var subject: String { "a receipt or a bill" }
    public static var id: OperationID { "extract.expense" }
    public static var fields: [ExtractionField] {
        [
            ExtractionField("merchant", title: "Merchant", meaning: "the name of the shop or company", .text(upTo: 60)),
            ExtractionField("date", title: "Date", meaning: "the day of the purchase, as YYYY-MM-DD", .date),
            ExtractionField(
                "total", title: "Total", meaning: "the total amount paid, with its currency", .money(), isRequired: true
            ),
            ExtractionField("tax", title: "Tax", meaning: "the tax in it, with its currency", .money()),
            ExtractionField(
                "category", title: "Category", meaning: "what kind of expense it is",
                .choice(["groceries", "restaurant", "transport", "lodging", "household", "health", "office", "other"])),
        ]
    }
}
