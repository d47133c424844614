import RejoinCore

extension WireDescription {
    static let accounts = Topic(
        name: "Accounts", summary: "Signing in and out.",
        calls: [
            DescribedCall(
                route: .createAccount, access: .open,
                summary: "Creates an account where that is offered, and signs its first device in.",
                details: "The operator decides who may: nobody, who was invited, or anybody; GET /v1/sign-in tells. "
                    + "After five from one address each one more doubles the wait.",
                parameters: [client],
                body: .json(
                    .object(
                        ["name": .name(upTo: 64), "password": password],
                        optional: [
                            "invite": Shape.string.orNull.saying("The code of an invitation, where one is needed."),
                            "device": wantedDevice, "cookie": wantedCookie,
                        ]), upTo: 16 << 10),
                replies: [signedIn], problems: [.forbidden, .conflict, .limitReached]),
            DescribedCall(
                route: .closeAccount, access: .signedIn, summary: "Closes the caller's account, for good.",
                details: "Everything of it is deleted. The account's name has to be given, so that no slip does it. "
                    + "The last owner stays while there are other accounts.",
                body: .json(.object(["name": .string]), upTo: 4096),
                replies: [.init(status: 204, summary: "It is closed.", fields: [cookie(isAlways: true)])],
                problems: [.conflict]),
            DescribedCall(
                route: .signIn, access: .open, summary: "Signs a device in by name and password.",
                details: "After five failures for one name or twenty from one address each one more doubles the wait.",
                parameters: [client],
                body: .json(
                    .object(
                        ["name": .string, "password": .string],
                        optional: ["device": wantedDevice, "cookie": wantedCookie]), upTo: 16 << 10),
                replies: [signedIn], problems: [.unauthenticated, .forbidden, .limitReached]),
            DescribedCall(
                route: .sessions, access: .signedIn, summary: "Lists the devices that are signed in.",
                replies: [
                    .init(status: 200, summary: "The devices.", contents: [.json(items(.named("Session")))])
                ]),
            DescribedCall(
                route: .signOut, access: .signedIn, summary: "Signs a device out.",
                details: "Its token is worth nothing from then on, and what it is listening to ends.",
                parameters: [
                    .path(
                        "session", "The device, or current for the caller's own.", .either([.id, .choice(["current"])]))
                ],
                replies: [.init(status: 204, summary: "It is signed out.", fields: [cookie(isAlways: false)])],
                problems: [.notFound]),
            DescribedCall(
                route: .signInLink, access: .open, summary: "Signs a browser in by the link that the server printed.",
                details: "A link that was used already leads to the page too, which says so.",
                parameters: [.query("code", .string, "The link's code.", isRequired: true)],
                replies: [
                    .init(
                        status: 303, summary: "Go on to the page.",
                        fields: [
                            .init(name: "Location", shape: .string, summary: "The page.", isAlways: true),
                            cookie(isAlways: false),
                        ])
                ]),
        ])

    /// What who signs in with a cookie has to send.
    static let client = DescribedCall.Parameter.header(
        "X-Rejoin-Client", .text(1...200, pattern: "^[ -~]*$"),
        "NAME/VERSION of the client; a cookie is given to nobody without it.")

    static let wantedDevice = Shape.string.orNull.saying("What the device is called, for the list of devices.")
    static let wantedCookie = Shape.boolean.orNull.saying("Whether the page's cookie is wanted, and no token.")
    /// A password that is being chosen.
    static let password = Shape.text(8...1024).saying("At most 1024 bytes.")

    /// What signing in leads to.
    static let signedIn = DescribedCall.Reply(
        status: 201, summary: "The device is signed in.",
        contents: [
            .json(
                .object(
                    ["account": .id, "device": .id],
                    optional: ["token": Shape.string.saying("Seen this once; not there with a cookie.")]))
        ], fields: [cookie(isAlways: false)])

    private static func cookie(isAlways: Bool) -> DescribedCall.Field {
        DescribedCall.Field(
            name: "Set-Cookie", shape: .string, summary: "Gives the page its cookie, or takes it away.",
            isAlways: isAlways)
    }

    /// A list under `items`, as most lists come.
    static func items(_ element: Shape) -> Shape { .object(["items": .list(of: element)]) }
}
