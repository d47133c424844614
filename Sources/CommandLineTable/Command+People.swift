/// The commands about who comes in, and how.
extension Command where Action == RejoinAction {
    private static let account = Argument("NAME", "The account.")

    static let changingRole = Command(
        "role", action: .accountRole, summary: "Show or set what an account may do.",
        discussion: [
            "An owner invites people, sees which accounts there are and closes them, and sees nothing of what they hold. "
                + "The first account is an owner; the last owner stays one."
        ],
        arguments: [
            account,
            Argument(
                "ROLE", "owner or member; without it the role is shown.", count: .optional,
                value: .oneOf(["owner", "member"])),
        ],
        options: [.data])

    static let settingPassword = Command(
        "password", action: .accountPassword, summary: "Set the password of an account.",
        discussion: [
            "Asks for it twice on a terminal, without showing it, and reads one line of standard input otherwise. Where "
                + "there was a password, every device of the account is signed out."
        ],
        arguments: [account], options: [.data])

    static let inviting = Command(
        "invite", action: .accountInvite, summary: "Invite somebody to create an account, and print the link.",
        discussion: [
            "The link stands alone on standard output and is not shown again. It works while the server is configured "
                + "with registration \"invite\" or \"open\". Owners make, see and take back invitations from anywhere on "
                + "the page or with \"rejoin invites\"."
        ],
        options: [.data] + ofInvitation + [
            Option(
                "address", "URL",
                "Where people reach the server; the address that the server on this machine has if not given.")
        ])

    private static let ofInvitation = [
        Option("uses", "COUNT", "How many accounts it is good for; 1 if not given."),
        Option("days", "COUNT", "How long it works; 7 if not given."),
    ]

    static let people = Command(
        "people", summary: "For owners: see who has an account on the server, and close accounts.",
        discussion: ["An owner sees nothing of what an account holds."],
        subcommands: [
            Command(
                "list", action: .peopleList, summary: "List the accounts.",
                discussion: [
                    "One account a line: the end of its id, since when, its name, \"owner\" for owners, and its plan if it "
                        + "has its own."
                ],
                options: Option.reaching),
            Command(
                "role", action: .peopleRole, summary: "Say what an account may do.",
                discussion: ["The last owner stays one."],
                arguments: [account, Argument("ROLE", "owner or member.", value: .oneOf(["owner", "member"]))],
                options: Option.reaching),
            Command(
                "close", action: .peopleClose, summary: "Close an account for good: everything of it is deleted.",
                arguments: [account], options: [Option(switch: "yes", "Do not ask.")] + Option.reaching),
        ])

    static let invites = Command(
        "invites", summary: "For owners: let people create accounts on the server.",
        subcommands: [
            Command(
                "list", action: .inviteList, summary: "List the invitations.",
                discussion: ["One invitation a line: the end of its id, whether it works, and how often it was used."],
                options: Option.reaching),
            Command(
                "add", action: .inviteAdd, summary: "Make an invitation, and print its link.",
                discussion: ["The link stands alone on standard output and is not shown again."],
                options: ofInvitation + Option.reaching),
            Command(
                "revoke", action: .inviteRevoke, summary: "Take an invitation back.",
                arguments: [Argument("ID", "Its id, or the end of it from \"rejoin invites list\".")],
                options: Option.reaching),
        ])

    static let signingIn = Command(
        "login", action: .login, summary: "Sign this terminal in to a server, by way of a browser.",
        discussion: [
            "Prints an address and a short code. Whoever opens the address in a browser that is signed in and types the "
                + "code there lets this terminal in. From then on every command talks to that server, unless it is told "
                + "of another one.",
            "The exit status is 0 once signed in, 77 if the person declined or nobody decided in time, 69 if there is "
                + "no server.",
        ],
        arguments: [Argument("SERVER", "The server's address.")],
        options: [Option("name", "DEVICE", "What the list of devices calls this terminal; its host name if not given.")]
    )

    static let signingOut = Command(
        "logout", action: .logout, summary: "Sign this terminal out, and forget what it holds of the account.",
        discussion: [
            "What was read and written on this terminal is deleted from it: conversations, unsent prompts, the token."
        ],
        arguments: [
            Argument("SERVER", "The server's address; the one signed in to last if not given.", count: .optional)
        ])
}
