import RejoinCore

extension WireDescription {
    static let memory = Topic(
        name: "Memory", summary: "What is remembered about the person, theirs to see, change and delete.",
        calls: [
            DescribedCall(
                route: .memory, access: .signedIn, summary: "Lists the facts, those that are only proposed too.",
                details: "With memory off it can still be read, changed and emptied, and no model is given any of it.",
                replies: [
                    .init(
                        status: 200, summary: "All of them, the one that changed last first.",
                        contents: [.json(.object(["on": .boolean, "items": .list(of: .named("Fact"))]))])
                ]),
            DescribedCall(
                route: .addFact, access: .signedIn, summary: "Writes down what is to be remembered.",
                details:
                    "The same words, whatever their case and signs, are the same fact; the same id with others is "
                    + "refused, and so is any fact while memory is off and a new one where \(Fact.mostKept) are kept.",
                body: .json(
                    .object(
                        ["text": text],
                        optional: ["id": Shape.id.orNull.saying("Made by the client; the server makes one without.")]),
                    upTo: 16 << 10),
                replies: [
                    .init(status: 201, summary: "It is remembered.", contents: [.json(.named("Fact"))]),
                    .init(status: 200, summary: "It was known already.", contents: [.json(.named("Fact"))]),
                ], problems: [.conflict]),
            DescribedCall(
                route: .emptyMemory, access: .signedIn, summary: "Deletes every fact.",
                replies: [.init(status: 204, summary: "Nothing is remembered, nor what was declined.")]),
            DescribedCall(
                route: .fact, access: .signedIn, summary: "Shows a fact.", parameters: [factID],
                replies: [.init(status: 200, summary: "The fact.", contents: [.json(.named("Fact"))])],
                problems: [.notFound]),
            DescribedCall(
                route: .patchFact, access: .signedIn, summary: "Accepts a proposal, or changes a fact's words.",
                details: "Other words are the person's own, and accepted with it.", parameters: [factID],
                body: .json(
                    .object(
                        [:], optional: ["text": text.orNull, "state": Shape.choice(["accepted"]).orNull]),
                    isRequired: false, upTo: 16 << 10),
                replies: [.init(status: 200, summary: "As it is now.", contents: [.json(.named("Fact"))])],
                problems: [.notFound, .conflict]),
            DescribedCall(
                route: .deleteFact, access: .signedIn, summary: "Deletes a fact, or declines a proposal.",
                details: "No model proposes the same again.", parameters: [factID],
                replies: [.init(status: 204, summary: "It is gone.")], problems: [.notFound]),
        ])

    private static let factID = DescribedCall.Parameter.path("fact", "The fact.")

    private static let text = Shape.visible.saying(
        "Becomes one line, without what cannot be seen: then it has 1 to \(FactText.maximumLength) characters in at "
            + "most \(FactText.maximumBytes) bytes, and a letter or a digit among them.")

    static let fact = Shape.object(
        [
            "id": .id, "text": .text(1...FactText.maximumBytes), "state": .choice(["proposed", "accepted"]),
            "source": Shape.choice(Fact.Source.self).saying("Whose words it is in."), "created_at": .time,
            "updated_at": .time,
        ],
        optional: [
            "conversation": Shape.id.saying("Where it was read, as long as that is there."),
            "turn": .id,
        ])
}
