/// What the commands of `rejoin` do.
package enum RejoinAction: Sendable, Equatable, CaseIterable {
    case serve, ask, chat, probe, rewrite, classify, group, extract, consentList, consentGrant, consentRevoke,
        consentMode
    case assistStats, accountAdd, accountList, accountPlan, accountDelete, export, `import`, backup, restore, doctor
    case limits, privacy, memoryList, memoryAdd, memoryEdit, memoryAccept, memoryRemove, memoryClear, memoryOn,
        memoryOff
    case audit, deviceList, deviceRemove, peopleList, peopleRole, peopleClose, inviteList, inviteAdd, inviteRevoke
    case accountRole, accountPassword, accountInvite, login, logout
    case modelList, modelGet, modelRemove, completion, man, version
}

extension Command where Action == RejoinAction {
    /// The table of `rejoin`: the one place that says what can be typed.
    package static let rejoin = Command(
        "rejoin", summary: "Run and use an assistant whose answers are never lost.",
        discussion: [
            "The server keeps each answer as a log of numbered events. Whoever drops out of an answer joins it again "
                + "where they left: after a cut line, a closed window, or a restart of the server."
        ],
        subcommands: [
            Command(
                "serve", action: .serve, summary: "Serve the web page and the interface for programs.",
                discussion: [
                    "Settings come from the file named by --config, then from REJOIN_… variables, then from these "
                        + "options; the later wins. The address is printed once connections are taken: with port 0 "
                        + "the system picks one.",
                    "On an empty data folder it creates the owner's account and prints a link that signs a browser "
                        + "in once.",
                ],
                options: [
                    .data,
                    Option("listen", "HOST:PORT", "Where to take connections."),
                    Option("config", "FILE", "The configuration file, in JSON5.", value: .file),
                    Option(
                        "durability", "LEVEL",
                        "What an answer survives once it is shown: normal, a crash of the process; full, loss of power.",
                        value: .oneOf(["normal", "full"])),
                    Option(
                        "log-level", "LEVEL", "The least severe lines to log.",
                        value: .oneOf(["debug", "info", "warning", "error"])),
                ]),
            Command(
                "ask", action: .ask, summary: "Ask one question and print the answer as it comes.",
                discussion: [
                    "The words of the question may stand unquoted. A dropped connection is taken up again by itself; "
                        + "the answer goes to standard output, all else to standard error.",
                    "The exit status says how the answer ended: 0 done, 3 interrupted, 4 refused, 5 failed, 69 no server, "
                        + "77 not signed in, 130 stopped.",
                ],
                arguments: [Argument("TEXT", "The question.", count: .oneOrMore)],
                options: talking(without: "a new one") + [
                    Option(
                        switch: "temporary",
                        "Keep nothing: the conversation is deleted as soon as the answer has been shown.")
                ]),
            Command(
                "chat", action: .chat, summary: "Talk in a conversation on the terminal.",
                discussion: [
                    "On a terminal it takes the whole screen and begins where it was left: F1 shows the keys, Tab goes from "
                        + "the prompt to the messages and to the list of conversations, Esc stops an answer, and Ctrl-D leaves.",
                    "What is held of the account is kept in the folder rejoin of XDG_DATA_HOME, and can be read and searched "
                        + "without the server; prompts then wait for it, for a day at most.",
                    "NO_COLOR switches colours off. Without a terminal, or with TERM=dumb, it talks line by line; there /help "
                        + "lists the commands.",
                ],
                options: talking(without: "the one that was open last, or a new one line by line")),
            Command(
                "probe", action: .probe, summary: "Prove from outside that nothing is lost.",
                discussion: [
                    "Starts two real clients against a real server over a network that breaks on command, does what a "
                        + "person does, and says of each probe whether the screen shows what was decided: stop, leave, "
                        + "network drop, airplane mode, second device, regenerate, limits and more. Without --target it "
                        + "starts a server of its own with a scripted model, in a temporary folder.",
                    "With --openai it asks of any service with chat completions what can be asked of it, and says \"not "
                        + "offered\" of the rest.",
                    "The exit status is 0 if everything came out as decided, 1 if something did not, 69 if there is no "
                        + "server to probe, 77 if it does not know the token.",
                ],
                options: [
                    Option("target", "URL", "A server that runs already."),
                    Option("token", "TOKEN", "The account's token there; REJOIN_TOKEN if not given."),
                    Option(
                        "spare-token", "TOKEN",
                        "A token that may be signed out, for P21.6; without it that probe is left out."),
                    Option("openai", "URL", "A service with chat completions, up to the slash before that path."),
                    Option("model", "NAME", "The model that answers; needed with --openai."),
                    Option("worksheet", "FILE", "Write what was seen to a file in Markdown.", value: .file),
                    Option("json", "FILE", "Write what was seen to a file in JSON.", value: .file),
                    Option("only", "NUMBERS", "Carry out these probes alone: P50.1,P29.6."),
                ]),
            signingIn, signingOut, rewriting, classifying, grouping, extracting, consenting, limits, privacy, memory,
            audit, devices, people, invites,
            Command(
                "assist", summary: "See how the assistant's commands fare on this device.",
                subcommands: [
                    Command(
                        "stats", action: .assistStats,
                        summary: "Show how often what ran where, in numbers without a word of yours.", options: [.data])
                ]),
            Command(
                "account", summary: "Manage the accounts of a data folder.",
                subcommands: [
                    Command(
                        "add", action: .accountAdd, summary: "Create an account and print a token for it.",
                        discussion: [
                            "The token stands alone on standard output and is not shown again.",
                            "The account keeps its conversations until its person decides otherwise; with --no-history it "
                                + "begins with the opposite.",
                        ],
                        arguments: [Argument("NAME", "What the account is called.")],
                        options: [
                            .data,
                            Option(switch: "no-history", "Keep no conversation until the person switches history on."),
                        ]),
                    Command(
                        "list", action: .accountList, summary: "List the accounts.",
                        discussion: [
                            "One name a line, oldest first; after a tab the plan, where an account has its own, and after "
                                + "another one \"owner\" for owners."
                        ],
                        options: [.data]),
                    Command(
                        "plan", action: .accountPlan, summary: "Show or set what an account may use.",
                        discussion: [
                            "Plans are named in the configuration. What was used is kept: the new plan's amounts hold from "
                                + "the next prompt on. \"none\" gives the account the plan of everybody else.",
                            "A plan's name is checked where the configuration is known, by --config or REJOIN_CONFIG.",
                        ],
                        arguments: [
                            Argument("NAME", "The account."),
                            Argument(
                                "PLAN", "The plan's name, or none; without it the plan is shown.", count: .optional),
                        ],
                        options: [.data, Option("config", "FILE", "The configuration file, in JSON5.", value: .file)]),
                    inviting, changingRole, settingPassword,
                    Command(
                        "delete", action: .accountDelete, summary: "Close an account and delete everything of it.",
                        discussion: [
                            "Conversations, search entries, archives and devices go at once, from a running server too. "
                                + "Backups that were made before keep them until they are deleted: see \"rejoin backup\".",
                            "It asks for the name again, unless --yes says that the answer is known.",
                        ],
                        arguments: [Argument("NAME", "What the account is called.")],
                        options: [.data, Option(switch: "yes", "Do not ask.")]),
                ]),
            Command(
                "export", action: .export, summary: "Write everything of an account to one archive.",
                discussion: [
                    "The archive is gzip over lines of JSON, described in docs/export-format.md. Temporary conversations are "
                        + "not in it. A server may be running."
                ],
                options: [
                    .data, .account,
                    Option(
                        "out", "FILE", "Where to write it; must not exist, and usually ends in .jsonl.gz.",
                        value: .file,
                        isRequired: true),
                ]),
            Command(
                "import", action: .import, summary: "Add the conversations of an archive to an account.",
                discussion: [
                    "Takes an archive of \"rejoin export\", and the JSON that ChatGPT (conversations.json, or each of its "
                        + "numbered files), Claude, Open WebUI and LibreChat export; a ZIP has to be unpacked first. What is "
                        + "here already is not added again, and each part that cannot be read is named.",
                    "The exit status is 0 if all was taken, 1 if parts were left out, 65 if nothing could be read.",
                ],
                arguments: [Argument("FILE", "The archive.", value: .file)], options: [.data, .account]),
            Command(
                "backup", action: .backup, summary: "Copy the database while a server runs.",
                discussion: [
                    "Writes one file into a folder, named by its time, reads it from end to end, and then deletes the backups "
                        + "there that are older than --keep says: so what a person deletes is gone from the backups after as "
                        + "many days at the latest, as long as a backup is made each day."
                ],
                arguments: [Argument("FOLDER", "Where backups are kept; made if it is missing.", value: .folder)],
                options: [.data, Option("keep", "DAYS", "How long backups are kept; 30 if not given.")]),
            Command(
                "restore", action: .restore, summary: "Put a backup in place of a database that is gone.",
                discussion: [
                    "The server must be stopped, and there must be no database: move the old one away with its -wal and -shm "
                        + "files. Devices notice by themselves that they have seen more than the backup knows, and list afresh."
                ],
                arguments: [Argument("FILE", "A file that \"rejoin backup\" wrote.", value: .file)], options: [.data]),
            Command(
                "doctor", action: .doctor, summary: "Look for what would keep a server from working.",
                discussion: [
                    "Looks at the configuration, the data folder, the database from end to end, the disk, the address and the "
                        + "models. The exit status is 0 if nothing is broken, 1 if something is, 78 if the configuration is "
                        + "refused."
                ],
                options: [
                    .data, Option("config", "FILE", "The configuration file, in JSON5.", value: .file),
                    Option("listen", "HOST:PORT", "Where connections would be taken."),
                ]),
            Command(
                "model", summary: "Manage the local models of a folder.",
                subcommands: [
                    Command(
                        "list", action: .modelList, summary: "List the models, here and to get.", options: [.models]),
                    Command(
                        "get", action: .modelGet, summary: "Fetch a model and check that it is whole.",
                        arguments: [Argument("NAME", "A name from \"rejoin model list\".")], options: [.models]),
                    Command(
                        "remove", action: .modelRemove, summary: "Delete a model's file.",
                        arguments: [Argument("NAME", "A name from \"rejoin model list\".")], options: [.models]),
                ]),
            Command(
                "completion", action: .completion, summary: "Print a script that completes commands in a shell.",
                discussion: ["For bash: source <(rejoin completion bash)"],
                arguments: [
                    Argument(
                        "SHELL", "The shell: bash, zsh or fish.",
                        value: .oneOf(CompletionScript.Shell.allCases.map(\.rawValue)))
                ]),
            Command(
                "man", action: .man, summary: "Print the manual page.",
                discussion: ["To read it: rejoin man | man -l -"]),
            Command("version", action: .version, summary: "Print the version."),
        ])

    /// What `ask` and `chat` share.
    private static func talking(without conversation: String) -> [Option] {
        Option.reaching + [
            Option("model", "NAME", "The model that answers; the server chooses if not given."),
            Option("conversation", "ID", "The conversation to go on with; \(conversation) if not given."),
            Option("wait", "SECONDS", "How long to wait for a server that went away; 600 if not given."),
        ] + answering
    }
}

extension Option {
    static let data = Option(
        "data", "DIR", "The folder that keeps everything; ~/.local/share/rejoinder if not given.", value: .folder)
    fileprivate static let account = Option(
        "account", "NAME", "Whose they are; the oldest account if not given.")
    fileprivate static let models = Option(
        "models", "DIR", "The folder that keeps models; models in the data folder if not given.", value: .folder)
}
