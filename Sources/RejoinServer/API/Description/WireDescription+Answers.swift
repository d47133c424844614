import RejoinCore

extension WireDescription {
    static func answers(_ limits: API.Limits) -> Topic {
        Topic(
            name: "Answers", summary: "Logs of numbered events, and what they come to.",
            calls: [
                DescribedCall(
                    route: .putAnswer, access: .signedIn, summary: "Asks for another answer to the same turn.",
                    parameters: [
                        .path("turn", "The turn."), .path("answer", "The new answer's id, made by the client."),
                    ] + resumption,
                    body: .json(
                        .object(
                            [:],
                            optional: [
                                "model": Shape.string.orNull.standard(.string("auto")),
                                "options": Shape.named("Options").orNull,
                            ]), isRequired: false, upTo: limits.bodyBytes),
                    isCounted: true, replies: admitted, problems: admissionProblems + [.turnConflict]),
                DescribedCall(
                    route: .answer, access: .signedIn, summary: "Shows an answer as far as it is.",
                    parameters: [answerID],
                    replies: [.init(status: 200, summary: "The answer.", contents: [.json(.named("Answer"))])],
                    problems: [.notFound, .deleted]),
                DescribedCall(
                    route: .events, access: .signedIn,
                    summary: "Follows an answer's events from a number on, to its end.",
                    parameters: [answerID] + resumption,
                    replies: [
                        .init(
                            status: 200, summary: "The events.", contents: [.events(answerEvents)],
                            fields: [contentLocation]),
                        .init(status: 204, summary: "The answer has ended, and nothing comes after that number."),
                    ], problems: [.notFound, .deleted]),
                DescribedCall(
                    route: .stop, access: .signedIn, summary: "Stops an answer, and says how it ended.",
                    details: "An answer that had ended stays as it was.", parameters: [answerID],
                    replies: [
                        .init(
                            status: 200, summary: "How it ended.",
                            contents: [
                                .json(
                                    .object([
                                        "state": .choice(["queued", "streaming"] + EndState.allCases.map(\.rawValue)),
                                        "seq": .count,
                                    ]))
                            ])
                    ], problems: [.notFound, .deleted]),
            ])
    }

    private static let answerID = DescribedCall.Parameter.path("answer", "The answer.")

    static let changes = Topic(
        name: "Changes", summary: "The account's own log: what changed, by number.",
        calls: [
            DescribedCall(
                route: .changes, access: .signedIn, summary: "Tells what changed since a cursor, or as it changes.",
                details: "As an event stream it goes on until the server stops or the device is signed out; an event's "
                    + "id is its cursor. A cursor from before the feed's retention gets 410: list afresh.",
                parameters: resumption + [
                    .query("limit", Shape.whole(1...1000).standard(.integer(500)), "How many at most.")
                ],
                replies: [
                    .init(
                        status: 200, summary: "The changes.",
                        contents: [
                            .json(
                                .object([
                                    "changes": .list(of: .named("Change")), "cursor": .cursor, "more": .boolean,
                                ])), .events(["message": .named("Change")]),
                        ])
                ], problems: [.cursorExpired])
        ])

    static let search = Topic(
        name: "Search", summary: "Finding what was said.",
        calls: [
            DescribedCall(
                route: .search, access: .signedIn, summary: "Finds texts of the account's conversations, best first.",
                parameters: [
                    .query("q", .text(0...1000), "What is looked for; at most 1000 bytes.", isRequired: true),
                    .query("limit", Shape.whole(1...100).standard(.integer(20)), "How many at most."),
                ],
                replies: [.init(status: 200, summary: "What was found.", contents: [.json(items(hit))])])
        ])

    private static let hit = Shape.object(
        [
            "kind": .choice(["title", "prompt", "answer"]), "conversation": .id, "title": Shape.string.orNull,
            "at": .time,
            "excerpt": .object([
                "text": .string,
                "matches": Shape.list(of: .list(of: .count, 2...2)).saying("From and to, in bytes of UTF-8."),
            ]),
        ], optional: ["turn": .id, "answer": .id])
}
