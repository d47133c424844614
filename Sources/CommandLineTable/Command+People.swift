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
                + "with registration \"invite\" or \"open\". Owners make, see and take back invitations on the page."
        ],
        options: [
            .data,
            Option("uses", "COUNT", "How many accounts it is good for; 1 if not given."),
            Option("days", "COUNT", "How long it works; 7 if not given."),
            Option(
                "address", "URL",
                "Where people reach the server; the address that the server on this machine has if not given."),
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
