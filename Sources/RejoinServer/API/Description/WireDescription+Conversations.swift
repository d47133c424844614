import RejoinCore

extension WireDescription {
    static func conversations(_ limits: API.Limits) -> Topic {
        Topic(
            name: "Conversations", summary: "Trees of turns, each with one answer or more.",
            calls: [
                DescribedCall(
                    route: .conversations, access: .signedIn, summary: "Lists conversations, newest first.",
                    parameters: [
                        .query("limit", Shape.whole(1...200).standard(.integer(50)), "How many at most."),
                        .query("before", before, "The next of the page before."),
                    ],
                    replies: [
                        .init(
                            status: 200, summary: "A page of them.",
                            contents: [
                                .json(
                                    .object([
                                        "items": .list(of: .named("Conversation")), "next": Shape.string.orNull,
                                        "cursor": Shape.cursor.saying("Where to listen for changes from."),
                                    ]))
                            ])
                    ]),
                DescribedCall(
                    route: .deleteConversations, access: .signedIn, summary: "Deletes all conversations.",
                    replies: [.init(status: 204, summary: "They are gone.")]),
                DescribedCall(
                    route: .putConversation, access: .signedIn,
                    summary: "Creates a conversation, or leaves it as it is.",
                    parameters: [conversation],
                    body: .json(
                        .object(
                            [:],
                            optional: [
                                "title": title.orNull, "temporary": Shape.boolean.orNull,
                                "memory": Shape.boolean.orNull.standard(.bool(true)).saying(takesPart),
                            ]),
                        isRequired: false, upTo: limits.bodyBytes),
                    replies: [
                        .init(status: 201, summary: "It was created.", contents: [.json(.named("Conversation"))]),
                        .init(status: 200, summary: "It was there.", contents: [.json(.named("Conversation"))]),
                    ], problems: [.notFound, .deleted]),
                DescribedCall(
                    route: .patchConversation, access: .signedIn,
                    summary: "Renames, pins, archives, selects a path or keeps memory out.",
                    parameters: [conversation],
                    body: .json(
                        .object(
                            [:],
                            optional: [
                                "title": title.orNull, "pinned": Shape.boolean.orNull, "archived": Shape.boolean.orNull,
                                "selected": Shape.id.orNull.saying("The answer that ends the visible path."),
                                "memory": Shape.boolean.orNull.saying(takesPart),
                            ]), isRequired: false, upTo: limits.bodyBytes),
                    replies: [.init(status: 200, summary: "As it is now.", contents: [.json(.named("Conversation"))])],
                    problems: [.notFound, .deleted]),
                DescribedCall(
                    route: .deleteConversation, access: .signedIn, summary: "Deletes a conversation.",
                    details: "Its running answers are stopped. Deleting it again is harmless.",
                    parameters: [conversation], replies: [.init(status: 204, summary: "It is gone.")],
                    problems: [.notFound]),
                DescribedCall(
                    route: .conversation, access: .signedIn,
                    summary: "Shows a conversation with its turns and answers.",
                    parameters: [
                        conversation,
                        .query("path", .choice(["selected"]), "Leaves out the turns that are not on the visible path."),
                    ], replies: [.init(status: 200, summary: "The tree.", contents: [.json(tree)])],
                    problems: [.notFound, .deleted]),
                putTurn(limits), putFinishedTurn(limits),
            ])
    }

    private static func putTurn(_ limits: API.Limits) -> DescribedCall {
        DescribedCall(
            route: .putTurn, access: .signedIn, summary: "Puts a prompt, and starts its answer.",
            details:
                "The conversation is created if it is not there. The same turn sent again gives the answer that it "
                + "has. A prompt has at most \(limits.promptBytes) bytes of text.",
            parameters: [conversation, .path("turn", "The turn's id, made by the client.")] + resumption,
            body: .json(
                .object(
                    ["answer": .id, "content": prompt],
                    optional: [
                        "parent": Shape.id.orNull.saying("The answer that was looked at; null for a first turn."),
                        "model": Shape.string.orNull.standard(.string("auto")),
                        "options": Shape.named("Options").orNull,
                        "temporary": Shape.boolean.orNull.saying("Whether a new conversation is temporary."),
                    ]), upTo: limits.bodyBytes),
            isCounted: true, replies: admitted, problems: admissionProblems + [.turnConflict])
    }

    private static func putFinishedTurn(_ limits: API.Limits) -> DescribedCall {
        DescribedCall(
            route: .putFinishedTurn, access: .signedIn,
            summary: "Puts a prompt with the answer that a device gave it by itself.",
            details:
                "No model runs and nothing is counted. The conversation is created if it is not there; the same again "
                + "changes nothing. The prompt and the answer have at most \(limits.promptBytes) bytes of text each.",
            parameters: [conversation, .path("turn", "The turn's id, made by the client.")],
            body: .json(
                .object(
                    ["answer": .id, "content": prompt, "finished": finished],
                    optional: [
                        "parent": Shape.id.orNull.saying("The answer that was looked at; null for a first turn."),
                        "model": Shape.string.orNull.standard(.string("auto")),
                        "options": Shape.named("Options").orNull,
                    ]), upTo: limits.bodyBytes),
            replies: admitted, problems: [.notFound, .deleted, .turnConflict])
    }

    /// A moment as it is taken: RFC 3339, in UTC alone.
    private static let moment = Shape.text(
        pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
            + "(\\.[0-9]{1,9})?Z$")

    /// What a device tells of an answer that it gave.
    private static let finished = Shape.object(
        [
            "state": .choice(EndState.self),
            "seq": Shape.whole(1...1 << 20).saying("The number of the answer's last event."),
            "content": .list(
                of: .object(["type": .choice(["text"]), "text": Shape.string.with("minLength", .integer(1))]), 0...1),
            "model": Shape.text(1...128, pattern: #"^[^\u0000-\u001f\u007f-\u009f]*$"#).saying("At most 128 bytes."),
            "started_at": moment.saying("In UTC; what is later than now counts as now."),
        ],
        optional: [
            "reason": Shape.choice(EndReason.self).orNull,
            "usage": Shape.object(
                ["input_tokens": .whole(0...1 << 24), "output_tokens": .whole(0...1 << 24)],
                optional: ["estimated": Shape.boolean.orNull.standard(.bool(true))]
            ).orNull,
            "ended_at": moment.orNull.saying("Not before started_at, which stands for it where it is absent."),
        ])

    static let admissionProblems: [Problem.Kind] = [
        .notFound, .deleted, .limitReached, .queueFull, .modelUnavailable,
    ]

    /// What answers a prompt, or another answer that is asked for.
    static let admitted: [DescribedCall.Reply] = [
        .init(
            status: 201, summary: "It was admitted.",
            contents: [.json(.object(["conversation": .id, "turn": .id, "answer": .id]))]),
        .init(
            status: 200, summary: "It was there, or its events follow.",
            contents: [
                .json(.object(["conversation": .id, "turn": .id, "answer": .id])), .events(answerEvents),
            ], fields: [contentLocation]),
    ]

    static let contentLocation = DescribedCall.Field(
        name: "Content-Location", shape: .string, summary: "Where the same events can be read again, on a stream.")

    /// Where a stream goes on, on every call that may answer with one.
    static let resumption: [DescribedCall.Parameter] = [
        .query("after", Shape.cursor.standard(.integer(0)), "The number of the last event that is held."),
        .header(
            "Last-Event-ID", .text(pattern: "^[0-9]{0,18}$"),
            "Says the same, or nothing where it is empty; browsers send it when they reconnect, and the greater of the two counts."
        ),
    ]

    static let conversation = DescribedCall.Parameter.path("conversation", "The conversation's id, made by the client.")
    private static let before = Shape.text(
        pattern: "^-?[0-9]{1,18}\\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
    private static let title = Shape.line(1...200)
    private static let takesPart = "Whether facts are given to its answers and read out of it, if the person allows it."

    /// Parts of text, one of them with something in it.
    private static let prompt = Shape.list(
        of: .object(["type": .choice(["text"]), "text": .string]), 1...64
    ).with("contains", object(["properties": object(["text": Shape.visible.json])]))

    private static let turn = Shape.object([
        "id": .id, "conversation": .id, "parent": Shape.id.orNull, "content": .list(of: .named("ContentPart")),
        "model": .string, "created_at": .time, "answers": .list(of: .named("Answer")),
    ])

    private static let tree = Shape.object([
        "id": .id, "title": Shape.string.orNull, "created_at": .time, "updated_at": .time, "pinned": .boolean,
        "archived": .boolean, "temporary": .boolean, "memory": .boolean, "selected": Shape.id.orNull,
        "path": .list(of: .object(["turn": .id, "answer": Shape.id.orNull])),
        "turns": .list(of: turn),
    ])
}
