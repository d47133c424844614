import RejoinCore

extension WireDescription {
    static func tasks(_ limits: API.Limits) -> Topic {
        Topic(
            name: "Tasks", summary: "Exports and imports, which go on while nobody waits.",
            calls: [
                DescribedCall(
                    route: .tasks, access: .signedIn, summary: "Lists the account's tasks.",
                    replies: [.init(status: 200, summary: "The tasks.", contents: [.json(items(.named("Task")))])]),
                DescribedCall(
                    route: .createTask, access: .signedIn, summary: "Begins an export.",
                    details: "An import begins with POST /v1/imports. Under the same id it is the same task.",
                    body: .json(
                        .object(["kind": .choice(["export"])], optional: ["id": Shape.id.orNull]), upTo: 4096),
                    replies: [accepted], problems: [.conflict, .queueFull]),
                DescribedCall(
                    route: .task, access: .signedIn, summary: "Shows a task as far as it is.", parameters: [taskID],
                    replies: [.init(status: 200, summary: "The task.", contents: [.json(.named("Task"))])],
                    problems: [.notFound]),
                DescribedCall(
                    route: .deleteTask, access: .signedIn, summary: "Stops a task, and forgets it with its archive.",
                    parameters: [taskID], replies: [.init(status: 204, summary: "It is gone.")], problems: [.notFound]),
                DescribedCall(
                    route: .taskEvents, access: .signedIn, summary: "Follows a task until it is over.",
                    parameters: [taskID],
                    replies: [
                        .init(
                            status: 200, summary: "The task, each time that it is further.",
                            contents: [.events(["progress": .named("Task"), "end": .named("Task")])])
                    ], problems: [.notFound]),
                DescribedCall(
                    route: .taskResult, access: .signedIn, summary: "Fetches the archive of an export.",
                    parameters: [taskID],
                    replies: [
                        .init(
                            status: 200, summary: "The archive.", contents: [.other(mediaType: "application/gzip")],
                            fields: [
                                .init(
                                    name: "Content-Disposition", shape: .string, summary: "Its file name.",
                                    isAlways: true),
                                .init(
                                    name: "X-Rejoin-Size", shape: .text(pattern: "^[0-9]+$"),
                                    summary: "Its size in bytes.",
                                    isAlways: true),
                            ])
                    ], problems: [.notFound, .conflict, .deleted]),
                DescribedCall(
                    route: .createExport, access: .signedIn, summary: "Begins an export of everything.",
                    body: .json(.object([:], optional: ["id": Shape.id.orNull]), isRequired: false, upTo: 4096),
                    replies: [accepted], problems: [.conflict, .queueFull]),
                DescribedCall(
                    route: .createImport, access: .signedIn, summary: "Takes an archive, and adds what is in it.",
                    details:
                        "The archive of this server, or the export of another assistant; see docs/export-format.md.",
                    parameters: [
                        .query("id", .id, "The task's id, made by the client, so that sending again is harmless.")
                    ],
                    body: .init(
                        mediaTypes: ["application/octet-stream", "application/gzip", "application/json"], shape: nil,
                        isRequired: false, maximumBytes: limits.importBytes),
                    replies: [accepted], problems: [.conflict, .queueFull]),
            ])
    }

    private static let taskID = DescribedCall.Parameter.path("task", "The task.")
    private static let accepted = DescribedCall.Reply(
        status: 202, summary: "It is accepted.", contents: [.json(.named("Task"))])
}
