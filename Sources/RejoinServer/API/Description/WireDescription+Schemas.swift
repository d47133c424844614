import RejoinCore

/// The schemas that have a name: what several calls show, and what a client keeps as a type.
extension WireDescription {
    static let schemas: KeyValuePairs<String, Shape> = [
        "Problem": problem,
        "OpenAIError": .object([
            "error": .object([
                "message": .string, "type": .string, "param": Shape.string.orNull, "code": .string,
            ])
        ]),
        "Conversation": .object(conversationMembers),
        "ContentPart": contentPart,
        "Answer": answer,
        "Usage": usage,
        "Options": options,
        "Account": .object(
            ["id": .id, "name": .string, "role": .choice(Role.self), "created_at": .time],
            optional: ["plan": Shape.string.saying("Where the operator gave it one.")]),
        "Session": .object([
            "id": .id, "device": .string, "created_at": .time,
            "last_seen_at": Shape.time.saying("To within some minutes."), "current": .boolean,
        ]),
        "Passkey": .object([
            "id": .id, "name": .string, "created_at": .time, "last_used_at": Shape.time.orNull,
            "synced": Shape.boolean.saying("Whether it is kept in more than one place."),
        ]),
        "Change": .object(
            [
                "cursor": .cursor, "kind": .choice(Change.Kind.self), "id": .id,
                "op": .choice(["put", "delete"]),
            ], optional: ["conversation": .id]),
        "Task": task,
        "Limit": .object([
            "capability": .choice(Quota.Capability.self), "plan": .string, "limit": .count, "remaining": .count,
            "resets_at": .time, "as_of": .time,
        ]),
        "Consent": .object([
            "version": .count, "improvement": decision, "history": decision, "memory": decision,
            "retention_days": .object(["days": .whole(0...36_500), "version": .count, "at": Shape.time.orNull]),
        ]),
        "Fact": fact,
        "Model": .object(
            [
                "name": .string, "placement": .choice(Event.Placement.self),
                "state": .choice(["ready", "loading", "unavailable"]),
            ], optional: ["progress": .number(0...1)]),
        "StatusEvent": .object(
            ["phase": .choice(Event.Status.Phase.self)],
            optional: ["position": .whole(1...Int.max), "detail": .string]),
        "TextEvent": .object(["text": .string]),
        "SourceEvent": .object(["title": .string], optional: ["url": .string, "upload": .id]),
        "AttachmentEvent": .object(["upload": .id, "media_type": .string, "name": .string]),
        "ToolEvent": .object(
            ["call": .string, "name": .string, "phase": .choice(Event.Tool.Phase.self)],
            optional: ["detail": .string]),
        "ModelEvent": .object(
            ["model": .string, "placement": .choice(Event.Placement.self)], optional: ["reason": .string]),
        "CompactionEvent": .object(["dropped_turns": .count], optional: ["summary": .string]),
        "WithdrawnEvent": .object(["reason": .string]),
        "SnapshotEvent": .object(
            ["seq": .count, "content": .list(of: .named("ContentPart"))], optional: ["withdrawn": .string]),
        "EndEvent": .object(
            ["state": .choice(EndState.self)],
            optional: ["reason": .choice(EndReason.self), "resets_at": .time, "retry_after": .count]),
    ]

    static let conversationMembers: KeyValuePairs<String, Shape> = [
        "id": .id, "title": Shape.string.orNull, "created_at": .time, "updated_at": .time, "pinned": .boolean,
        "archived": .boolean, "temporary": .boolean,
        "memory": Shape.boolean.saying("Whether facts may be used and proposed in it; never in a temporary one."),
        "selected": Shape.id.orNull,
    ]

    private static let problem = Shape.object(
        [
            "type": .choice(Problem.Kind.allCases.map { "/problems/\($0.rawValue)" }), "title": .string,
            "status": .whole(400...599), "detail": .string,
        ],
        optional: [
            "field": Shape.string.saying("The part of the request that is meant, such as content[0].text."),
            "retry_after": .count,
            "capability": Shape.choice(Quota.Capability.self).saying("What is counted, of a limit that is reached."),
            "limit": .count, "resets_at": .time,
            "fallback_model": Shape.string.saying("A model that would still answer."),
        ])

    private static let contentPart = Shape.either([
        .object(["type": .choice(["text"]), "text": .string]),
        .object(["type": .choice(["attachment"]), "upload": .id, "media_type": .string, "name": .string]),
    ])

    private static let usage = Shape.object(["input_tokens": .count, "output_tokens": .count, "estimated": .boolean])

    private static let answer = Shape.object(
        [
            "id": .id, "turn": .id, "conversation": .id,
            "state": .choice(["queued", "streaming"] + EndState.allCases.map(\.rawValue)),
            "seq": Shape.count.saying("The number of the last event that this holds: the cursor to go on from."),
            "content": .list(of: .named("ContentPart")), "started_at": .time, "ended_at": Shape.time.orNull,
        ],
        optional: [
            "reason": .choice(EndReason.self), "resets_at": .time,
            "withdrawn": Shape.string.saying("Why a safety check took the text back."),
            "model": .string, "placement": .choice(Event.Placement.self),
            "model_reason": Shape.string.saying("Why another model answered than the one that was asked for."),
            "usage": .named("Usage"),
            "sent": Shape.list(
                of: .object(
                    [
                        "purpose": .choice(["answer", "title", "memory"]), "model": .string,
                        "placement": .choice(Event.Placement.self), "bytes": .count,
                    ], optional: ["memory": Shape.list(of: .id).saying("The remembered facts that went along.")])
            ).saying("Which models were sent something, and how much."),
        ])

    private static let options = Shape.object(
        [:],
        optional: [
            "temperature": .number(0...2), "top_p": .number(0...1), "seed": .whole(Int.min...Int.max),
            "max_output_tokens": .whole(1...1_000_000),
            "instructions": Shape.text(0...65_536).saying("At most 64 KiB."),
            "schema": Shape(object(["type": .string("object")])).saying("A JSON schema that the answer follows."),
        ], isClosed: true)

    private static let decision = Shape.object(["on": .boolean, "version": .count, "at": Shape.time.orNull])

    private static let task = Shape.object(
        [
            "id": .id, "kind": .choice(["export", "import"]),
            "state": .choice(["queued", "running", "done", "failed", "cancelled"]),
            "done": Shape.count.saying("Conversations of an export, bytes of an import."),
            "total": Shape.count.orNull, "created_at": .time, "ended_at": Shape.time.orNull,
        ],
        optional: [
            "reason": .choice(["outdated", "disk-full", "storage", "zip", "damaged", "file"]),
            "report": importReport,
            "result": .object(["url": .string, "size": .count]),
        ])

    private static let importReport = Shape.object([
        "conversations": .count, "turns": .count, "answers": .count, "facts": .count, "unchanged": .count,
        "left_out": .count,
        "faults": .list(
            of: .object(
                ["value": .count, "reason": .choice(ImportReport.Fault.Reason.self)], optional: ["id": .string])
        ),
    ])

    /// The events of an answer's log, by type.
    static let answerEvents: KeyValuePairs<String, Shape> = [
        "status": .named("StatusEvent"), "text": .named("TextEvent"), "reasoning": .named("TextEvent"),
        "source": .named("SourceEvent"), "attachment": .named("AttachmentEvent"), "tool": .named("ToolEvent"),
        "model": .named("ModelEvent"), "compaction": .named("CompactionEvent"), "withdrawn": .named("WithdrawnEvent"),
        "usage": .named("Usage"), "snapshot": .named("SnapshotEvent"), "end": .named("EndEvent"),
    ]
}
