/// What a person sees and decides of their account, by the server that has it.
extension Command where Action == RejoinAction {
    static let limits = Command(
        "limits", action: .limits, summary: "Show what is left of your limits, and when they are renewed.",
        options: Option.reaching)

    static let privacy = Command(
        "privacy", action: .privacy, summary: "Show or set what may be kept and used of your words.",
        discussion: [
            "history keeps new conversations; memory lets facts about you be remembered; improvement lets conversations "
                + "be used to improve the service; retention deletes conversations after so many days without a word, and "
                + "never for 0. Everything but history begins off.",
            "A change is printed once the server has made it. What may leave this device is another matter: see \"rejoin "
                + "consent\".",
        ],
        arguments: [
            Argument(
                "SWITCH", "What to set; without it everything is shown.", count: .optional,
                value: .oneOf(["history", "memory", "improvement", "retention"])),
            Argument("VALUE", "on or off; for retention a number of days.", count: .optional),
        ],
        options: Option.reaching)

    static let memory = Command(
        "memory", summary: "See and change what is remembered about you.",
        discussion: [
            "Nothing is remembered until you switch it on. A model may then propose facts; each counts once you accept "
                + "it, and the answers that were given it say so."
        ],
        subcommands: [
            Command(
                "list", action: .memoryList, summary: "List what is remembered and what is proposed.",
                discussion: ["One fact a line: the end of its id, by which the other commands know it, and its text."],
                options: Option.reaching),
            Command(
                "add", action: .memoryAdd, summary: "Have something remembered.",
                arguments: [Argument("TEXT", "One sentence.", count: .oneOrMore)], options: Option.reaching),
            Command(
                "edit", action: .memoryEdit, summary: "Put a fact in other words.",
                arguments: [.fact, Argument("TEXT", "The new sentence.", count: .oneOrMore)],
                options: Option.reaching),
            Command(
                "accept", action: .memoryAccept, summary: "Accept what a model proposed.", arguments: [.fact],
                options: Option.reaching),
            Command(
                "remove", action: .memoryRemove, summary: "Delete a fact, or decline a proposal.",
                discussion: ["It is not proposed again."], arguments: [.fact], options: Option.reaching),
            Command(
                "clear", action: .memoryClear, summary: "Delete everything that is remembered.",
                options: [Option(switch: "yes", "Do not ask.")] + Option.reaching),
            Command("on", action: .memoryOn, summary: "Let facts be remembered.", options: Option.reaching),
            Command(
                "off", action: .memoryOff, summary: "Use and propose nothing any more; what is there is kept.",
                options: Option.reaching),
        ])

    static let audit = Command(
        "audit", action: .audit, summary: "Show what happened to your account, newest first.",
        options: [Option("limit", "NUMBER", "How many lines; 20 if not given.")] + Option.reaching)

    static let devices = Command(
        "devices", summary: "See which devices are signed in, and sign them out.",
        subcommands: [
            Command(
                "list", action: .deviceList, summary: "List the devices; this one is marked.",
                discussion: ["One device a line: the end of its id, since when, and its name."],
                options: Option.reaching),
            Command(
                "remove", action: .deviceRemove, summary: "Sign a device out.",
                arguments: [Argument("ID", "The device's id, or the end of it from \"rejoin devices list\".")],
                options: Option.reaching),
        ])
}

extension Argument {
    fileprivate static let fact = Argument("ID", "The fact's id, or the end of it from \"rejoin memory list\".")
}

extension Option {
    /// How a command finds the server and the account.
    static let reaching = [
        Option(
            "server", "URL",
            "The server's address; REJOIN_SERVER if not given, else the server that runs on this machine."),
        Option(
            "token-file", "FILE",
            "A file that holds the account's token; REJOIN_TOKEN_FILE or the variable REJOIN_TOKEN if not given.",
            value: .file),
        Option(
            "data", "DIR", "The data folder of the server on this machine; the usual one if not given.",
            value: .folder),
    ]
}
