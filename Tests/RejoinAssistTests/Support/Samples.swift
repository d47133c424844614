import RejoinAssist
import RejoinCore

/// Values that the tests of the trust ladder share.
enum Samples {
    static let items = [
        ItemBrief(id: "a", title: "Bread"), ItemBrief(id: "b", title: "Train to Ulm", group: "g2"),
        ItemBrief(id: "c", title: "Hammer"), ItemBrief(id: "d", title: "Butter"),
    ]
    static let groups = [
        GroupBrief(id: "g1", title: "Food", examples: ["Milk", "Cheese", "Eggs", "Flour"]),
        GroupBrief(id: "g2", title: "Travel"),
    ]
    static let classify = Classify.Input(items: items, groups: groups)
    static let rewrite = Rewrite.Input(text: "hey can u send me the file", tone: .formal)
    static let id = ProposalID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001)

    static func request(_ number: UInt64) -> RequestID { RequestID(high: number, low: number) }

    static func proposal<O: AssistantOperation>(
        _: O.Type, _ draft: O.Draft, _ input: O.Input, id: ProposalID = id
    ) throws -> Proposal<O> {
        Proposal(id: id, route: .onDevice, input: input, output: try O.pipeline(draft, against: input))
    }
}

/// A schema with a field of every kind.
enum Sample: ExtractionSchema {
    static var subject: String { "a note" }
    static var id: OperationID { "extract.sample" }
    static var fields: [ExtractionField] {
        [
            ExtractionField("name", title: "Name", meaning: "a name", .text(upTo: 20)),
            ExtractionField("amount", title: "Amount", meaning: "an amount", .money(), isRequired: true),
            ExtractionField("price", title: "Price", meaning: "a price", .money([Currency(code: "EUR")].compacted)),
            ExtractionField("day", title: "Day", meaning: "a day", .date),
            ExtractionField("kind", title: "Kind", meaning: "a kind", .choice(["Cash", "Card"])),
            ExtractionField("link", title: "Link", meaning: "a link", .link),
        ]
    }
}

extension [Currency?] {
    var compacted: Set<Currency> { Set(compactMap(\.self)) }
}
