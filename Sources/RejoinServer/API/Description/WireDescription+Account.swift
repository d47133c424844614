import RejoinCore

extension WireDescription {
    static let account = Topic(
        name: "Account", summary: "What an account may use, what its person decided, and what happened to it.",
        calls: [
            DescribedCall(
                route: .limits, access: .signedIn, summary: "Shows what is left of each limit.",
                replies: [
                    .init(
                        status: 200, summary: "The limits; none where nothing is limited.",
                        contents: [.json(.list(of: .named("Limit")))])
                ]),
            DescribedCall(
                route: .consent, access: .signedIn, summary: "Shows the person's decisions about their words.",
                replies: [decisions]),
            DescribedCall(
                route: .putConsent, access: .signedIn,
                summary: "Changes decisions, for who names the version they saw.",
                parameters: [
                    .header(
                        "If-Match", .text(pattern: "^\"[0-9]{1,18}\"$"), "The ETag of the decisions that were seen.",
                        isRequired: true)
                ],
                body: .json(
                    .object(
                        [:],
                        optional: [
                            "improvement": Shape.boolean.orNull, "history": Shape.boolean.orNull,
                            "memory": Shape.boolean.orNull, "retention_days": Shape.whole(0...36_500).orNull,
                        ]
                    ).with("anyOf", oneNamed), upTo: 16 << 10),
                replies: [decisions], problems: [.conflict]),
            DescribedCall(
                route: .audit, access: .signedIn, summary: "Shows what happened to the account, newest first.",
                parameters: [
                    .query("limit", Shape.whole(1...200).standard(.integer(50)), "How many at most."),
                    .query("before", .whole(1...Int.greatestWritten), "The next of the page before."),
                ],
                replies: [
                    .init(
                        status: 200, summary: "A page of it.",
                        contents: [
                            .json(.object(["items": .list(of: entry), "next": Shape.whole(1...Int.max).orNull]))
                        ])
                ]),
        ])

    /// One decision has to be there, and not as null.
    private static let oneNamed = JSONValue.array(
        [("improvement", "boolean"), ("history", "boolean"), ("memory", "boolean"), ("retention_days", "integer")].map {
            object([
                "required": .array([.string($0)]),
                "properties": object([$0: object(["type": .string($1)])]),
            ])
        })

    private static let decisions = DescribedCall.Reply(
        status: 200, summary: "The decisions.", contents: [.json(.named("Consent"))],
        fields: [.init(name: "ETag", shape: .string, summary: "Their version, for If-Match.", isAlways: true)])

    private static let entry = Shape.object(
        ["number": .whole(1...Int.max), "at": .time, "event": .choice(AuditEntry.Event.self)],
        optional: ["detail": .string])

    static let models = Topic(
        name: "Models", summary: "Who can answer.",
        calls: [
            DescribedCall(
                route: .models, access: .signedIn, summary: "Lists the models.",
                replies: [
                    .init(
                        status: 200, summary: "The models.",
                        contents: [.json(.object(["items": .list(of: .named("Model")), "default": .string]))])
                ])
        ])

    static let operations = Topic(
        name: "Operations", summary: "For whoever runs the server.",
        calls: [
            DescribedCall(
                route: .health, access: .open, summary: "Says that the process is alive.",
                replies: [
                    .init(
                        status: 200, summary: "It is.", contents: [.json(.object(["status": .choice(["alive"])]))])
                ]),
            DescribedCall(
                route: .ready, access: .open, summary: "Says whether the server can take work.",
                replies: [
                    .init(status: 200, summary: "It can.", contents: [.json(readiness)]),
                    .init(status: 503, summary: "It cannot.", contents: [.json(readiness)]),
                ]),
            DescribedCall(
                route: .metrics, access: .local, summary: "Shows figures for Prometheus.",
                replies: [.init(status: 200, summary: "The figures.", contents: [.other(mediaType: "text/plain")])]),
            DescribedCall(
                route: .interface, access: .open, summary: "Shows this description.",
                replies: [
                    .init(
                        status: 200, summary: "It.",
                        contents: [.json(.object(["openapi": .string, "info": .anything, "paths": .anything]))])
                ]),
        ])

    private static let readiness = Shape.object([
        "status": .choice(["ready", "not ready"]), "models": .list(of: .named("Model")),
    ])
}
