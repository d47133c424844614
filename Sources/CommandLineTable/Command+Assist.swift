extension Command where Action == RejoinAction {
    static let rewriting = Command(
        "rewrite", action: .rewrite, summary: "Put a text in other words, and keep what you accept.",
        discussion: [
            "It runs on the model of this device, without a network. Each paragraph is shown with what would change; y "
                + "writes it, n leaves it, and e with your own words puts those there. The file as it was is kept beside "
                + "it, under its name with .before.",
            "Text on standard input, named by -, is written to standard output as it was rewritten.",
            place,
        ],
        arguments: [.file("The text; - reads standard input.")],
        options: [
            Option(
                "tone", "TONE", "How it is to sound; plain if not given.",
                value: .oneOf(["correct", "plain", "friendly", "formal", "shorter"])),
            Option(switch: "yes", short: "y", "Accept everything without asking."),
        ] + running)

    static let classifying = Command(
        "classify", action: .classify, summary: "Put the items of a table into groups that you made.",
        discussion: [
            "The table is CSV with a first row of names. The items' titles are in the column title, name, item or "
                + "description, or in the first; the column group gets the group. You see every change and accept or not.",
            "What the model does not answer stays as it is.", place,
        ],
        arguments: [.file("The table; - reads standard input and writes standard output.")],
        options: [
            Option(
                "groups", "FILE", "The groups, one on each line; after a colon a few examples with semicolons between.",
                value: .file),
            .out("Write the table there, in place of the file it came from."),
            Option(switch: "yes", short: "y", "Accept everything without asking."),
        ] + running)

    static let grouping = Command(
        "group", action: .group, summary: "Find groups for the items of a table.",
        discussion: [
            "As classify, without groups of yours: items that belong together get a name in the column group.", place,
        ],
        arguments: [.file("The table; - reads standard input and writes standard output.")],
        options: [
            .out("Write the table there, in place of the file it came from."),
            Option(switch: "yes", short: "y", "Accept everything without asking."),
        ] + running)

    static let extracting = Command(
        "extract", action: .extract, summary: "Find the fields of a document, such as a receipt's.",
        discussion: [
            "Nothing is selected beforehand and nothing is written unread: a wrong amount costs more than a look. What "
                + "you accept is written as JSON, days as YYYY-MM-DD and money with its currency.", place,
        ],
        arguments: [.file("The text; - reads standard input.")],
        options: [
            Option("as", "KIND", "What it is; expense if not given.", value: .oneOf(["expense"])),
            .out("Write the fields there, in place of standard output."),
        ] + running)

    static let consenting = Command(
        "consent", summary: "Say what may leave this device, and to whom.",
        subcommands: [
            Command("list", action: .consentList, summary: "Show the mode of this device and every consent."),
            Command(
                "grant", action: .consentGrant, summary: "Agree that a server may get what the commands send.",
                arguments: [Argument("SERVER", "The server's address, as --server names it.")],
                options: [
                    Option(
                        "data-class", "CLASS",
                        "How much: minimised, titles and a few examples; freeForm, texts too; sensitive, documents too. "
                            + "minimised if not given.",
                        value: .oneOf(["minimised", "freeForm", "sensitive"]))
                ]),
            Command(
                "revoke", action: .consentRevoke, summary: "Take a consent back; what was not sent is not sent.",
                arguments: [Argument("SERVER", "The server's address, or all.")]),
            Command(
                "mode", action: .consentMode, summary: "Choose for this device where the commands may run.",
                arguments: [
                    Argument(
                        "MODE",
                        "automatic: here, or where you agreed; on-device: here alone; cloud: also at the server.",
                        value: .oneOf(["automatic", "on-device", "cloud"]))
                ]),
        ])

    private static var place: String {
        "Where the model here cannot do it and a server is known, you are asked before anything leaves this device; "
            + "--explain says what was decided and why. The exit status is 0 done, 3 done in part, 4 refused, 5 failed, 69 no "
            + "model or server, 130 stopped."
    }

    private static var running: [Option] {
        [
            Option(
                "mode", "MODE", "Where it may run; the device's own mode if not given.",
                value: .oneOf(["automatic", "on-device", "cloud"])),
            Option(switch: "explain", "Say where it runs, and why not elsewhere."),
            Option(
                "model-file", "FILE", "The model's file; the best one of the data folder if not given.", value: .file),
            .data,
            Option("server", "URL", "The server for what may leave the device; the one on this machine if not given."),
            Option("token-file", "FILE", "A file that holds the account's token there.", value: .file),
        ]
    }
}

extension Argument {
    fileprivate static func file(_ summary: String) -> Argument { Argument("FILE", summary, value: .file) }
}

extension Option {
    fileprivate static func out(_ summary: String) -> Option { Option("out", "FILE", summary, value: .file) }
}
