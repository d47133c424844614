import RejoinAssist
import RejoinCore
import Testing

/// What the client sends of a ready operation is what the server takes, and both ask the model the same.
@Suite struct ReadyOperationTests {
    private func check<Operation: ServedOperation>(
        _ operation: Operation.Type, _ input: Operation.Input, keys: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let request = Operation.request(for: input)
        #expect(request.object?.members.map(\.name) == keys, sourceLocation: sourceLocation)
        try Operation.requestShape.check(request)
        let there = try #require(Operation.input(from: request), sourceLocation: sourceLocation)
        #expect(Operation.request(for: there) == request, sourceLocation: sourceLocation)
        #expect(Operation.task(for: there) == Operation.task(for: input), sourceLocation: sourceLocation)
    }

    private let items = (1...12).map {
        ItemBrief(id: "i\($0)", title: "Item number \($0) 👩‍👩‍👧‍👦" + String(repeating: "x", count: 90))
    }

    @Test(
        "R35 each ready operation's request has its allowed fields, and the server asks the model what the device would"
    )
    func ready() throws {
        try check(Rewrite.self, .init(text: "Helo wrld", tone: .formal), keys: ["text", "tone"])
        try check(
            Complete.self, .init(text: "Coffee", history: [.init("Bread", "Food"), .init("Bus", "Travel")]),
            keys: ["text", "categories"])
        let groups = [
            GroupBrief(id: "g1", title: "Food", examples: ["Bread", "Milk", "Cheese", "Eggs"]),
            GroupBrief(id: "g2", title: "food"), GroupBrief(id: "g3", title: String(repeating: "👩‍👩‍👧‍👦", count: 70)),
        ]
        try check(Classify.self, .init(items: items, groups: groups), keys: ["items", "groups"])
        try check(Group.self, .init(items: items), keys: ["items"])
        try check(Extract<Expense>.self, .init(text: "Total 5 EUR"), keys: ["text", "schema"])
        let picture = PictureReference(id: "p1", mediaType: "image/jpeg")
        try check(
            Interpret<PictureAlone>.self, .init(picture: picture, question: "What?"), keys: ["picture", "question"])
    }

    @Test("R35 what a person chose for what is not sent")
    func completeKeepsTexts() throws {
        let request = Complete.request(for: .init(text: "Coffee", history: [.init("CANARY", "Food")]))
        #expect(!"\(request)".contains("CANARY"))
    }
}
