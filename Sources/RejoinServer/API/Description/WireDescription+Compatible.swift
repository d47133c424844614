import RejoinAssist
import RejoinCore

extension WireDescription {
    static func assist(_ limits: API.Limits, _ assists: AssistRegistry) -> Topic {
        Topic(
            name: "Assist", summary: "Operations of apps.",
            calls: [
                DescribedCall(
                    route: .assist, access: .signedIn, summary: "Runs an operation, once under a key.",
                    details: "The same request under the same key rejoins. As an event stream it is the answer's log.",
                    parameters: [
                        .path("operation", "The operation.", .choice(assists.names)),
                        .path("key", "The attempt's key, made by the client."),
                    ] + resumption,
                    body: .json(.either(assists.requestShapes), upTo: limits.bodyBytes),
                    isCounted: true,
                    replies: [
                        .init(
                            status: 200, summary: "What the model said, to be checked by the app.",
                            contents: [.json(output), .events(answerEvents)], fields: [contentLocation])
                    ], problems: admissionProblems + [.conflict, .turnConflict, .contextTooLarge]),
                DescribedCall(
                    route: .reviewAssist, access: .signedIn,
                    summary: "Validates what an operation said, change by change.",
                    details: "No model runs and nothing is kept. Edits that cannot stand are named and change nothing. "
                        + "An operation that changes nothing of the app's has nothing to review, and is not found.",
                    parameters: [.path("operation", "The operation.", .choice(assists.names))],
                    body: .json(.either(assists.reviewShapes), upTo: limits.bodyBytes),
                    replies: [
                        .init(
                            status: 200, summary: "The changes to decide about, or why the output is none.",
                            contents: [.json(review)])
                    ], problems: [.notFound]),
            ])
    }

    private static let failure = Shape.choice(ValidationFailure.self)

    private static let review = Shape.either([
        .object(["failure": failure]),
        .object([
            "risky": Shape.boolean.saying("Whether nothing is to be selected beforehand."),
            "changes": .list(
                of: .object([
                    "id": .string, "title": .string, "before": .string, "after": .string,
                    "parts": .list(of: .object(["kind": .choice(["same", "removed", "added"]), "text": .string])),
                ])),
            "refused": Shape(object(["type": .string("object"), "additionalProperties": failure.json]))
                .saying("The edits that cannot stand, and why."),
        ]),
    ])

    private static let output = Shape.object(
        [:],
        optional: [
            "output": .string, "truncated": Shape.boolean.saying("Whether the model was cut off at its limit."),
            "refused": .choice([EndReason.contentFilter.rawValue]), "model": .string,
            "usage": .object(["input_tokens": .count, "output_tokens": .count]),
        ])

    static func openAI(_ limits: API.Limits) -> Topic {
        Topic(
            name: "OpenAI", summary: "What programs that speak OpenAI's interface need; refusals come as they expect.",
            calls: [
                DescribedCall(
                    route: .openAIModels, access: .signedIn, summary: "Lists the models.",
                    replies: [.init(status: 200, summary: "The models.", contents: [.json(modelList)])]),
                DescribedCall(
                    route: .openAIChat, access: .signedIn, summary: "Completes a chat; whoever leaves stops it.",
                    details: "With stream: true the chunks come as events without a type, [DONE] at the end.",
                    parameters: [
                        .header(
                            "Idempotency-Key", .text(1...255, pattern: "^[!-~]+$"),
                            "The same request under the same key, within ten minutes, is run once."),
                        .header(
                            "X-Stainless-Retry-Count", .text(pattern: "^[0-9]{1,9}$"),
                            "Over 0, the same body within ten minutes is run once."),
                    ],
                    body: .json(chat, upTo: limits.bodyBytes), isCounted: true,
                    replies: [
                        .init(
                            status: 200, summary: "The completion.",
                            contents: [.json(completion), .events(["message": chunk])])
                    ],
                    problems: [
                        .conflict, .limitReached, .queueFull, .modelUnavailable, .contextTooLarge, .unsupportedMedia,
                    ]),
            ])
    }

    private static let modelList = Shape.object([
        "object": .choice(["list"]),
        "data": .list(
            of: .object([
                "id": .string, "object": .choice(["model"]), "created": .count, "owned_by": .string,
            ])),
    ])

    private static let textPart = Shape.object(["type": .choice(["text"]), "text": .string])

    private static let chat = Shape.object(
        [
            "messages": Shape.list(
                of: .object([
                    "role": .choice(["system", "developer", "user", "assistant"]),
                    "content": .either([.string, .list(of: textPart)]),
                ]), 1...10_000
            ).saying("The last one is the user's, and has text.")
        ],
        optional: [
            "model": Shape.string.orNull.standard(.string("auto")), "stream": Shape.boolean.orNull,
            "stream_options": Shape.object([:], optional: ["include_usage": .boolean]).orNull,
            "temperature": Shape.number(0...2).orNull, "top_p": Shape.number(0...1).orNull,
            "seed": Shape.whole(Int.min...Int.max).orNull,
            "max_tokens": Shape.whole(1...1_000_000).orNull,
            "max_completion_tokens": Shape.whole(1...1_000_000).orNull,
            "stop": Shape.either([.text(1...256), .list(of: .text(1...256), 0...4)]).orNull,
            "n": Shape.whole(1...1).orNull,
            "response_format": Shape.either([
                .object(["type": .choice(["text"])]),
                .object([
                    "type": .choice(["json_schema"]),
                    "json_schema": .object(["schema": Shape(object(["type": .string("object")]))]),
                ]),
            ]).orNull,
        ])

    private static let chatUsage = Shape.object([
        "prompt_tokens": .count, "completion_tokens": .count, "total_tokens": .count,
    ])
    private static let finish = Shape.choice(["stop", "length", "content_filter"])
    private static let nothing = Shape(object(["type": .string("null")]))

    private static let completion = Shape.object(
        [
            "id": .string, "object": .choice(["chat.completion"]), "created": .count, "model": .string,
            "choices": .list(
                of: .object([
                    "index": .count,
                    "message": .object(
                        ["role": .choice(["assistant"]), "content": .string, "refusal": nothing],
                        optional: ["reasoning_content": .string]),
                    "logprobs": nothing, "finish_reason": finish,
                ]), 1...1),
        ], optional: ["usage": chatUsage])

    private static let chunk = Shape.object(
        [
            "id": .string, "object": .choice(["chat.completion.chunk"]), "created": .count, "model": .string,
            "choices": .list(
                of: .object([
                    "index": .count,
                    "delta": .object(
                        [:],
                        optional: ["role": .choice(["assistant"]), "content": .string, "reasoning_content": .string]),
                    "logprobs": nothing, "finish_reason": finish.orNull,
                ]), 0...1),
        ], optional: ["usage": chatUsage.orNull])
}

extension AssistRegistry {
    /// The requests of all operations, each under its name.
    var requestShapes: [Shape] {
        names.compactMap { name in requestShape(of: name).map { Shape($0).with("title", .string(name)) } }
    }

    /// What a review takes of each operation, under its name.
    var reviewShapes: [Shape] {
        let edits = Shape(
            WireDescription.object([
                "type": .string("object"), "additionalProperties": Shape.string.json, "maxProperties": .integer(100),
            ]))
        return names.compactMap { name in
            requestShape(of: name).map { request in
                Shape.object(
                    [
                        "request": Shape(request),
                        "output": Shape.string.saying("What the operation's own call gave as output."),
                    ],
                    optional: ["edits": edits.orNull.saying("Texts of the person by the ids of changes.")]
                ).with("title", .string(name))
            }
        }
    }
}
