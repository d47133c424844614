import RejoinCore

extension WireDescription {
    static let people = Topic(
        name: "People", summary: "The caller's own account and devices, and who else comes in.",
        calls: ownCalls + ownerCalls + inviteCalls + deviceCalls)

    private static let ownCalls: [DescribedCall] = [
        DescribedCall(
            route: .showAccount, access: .signedIn, summary: "Shows the caller's account.",
            replies: [
                .init(
                    status: 200, summary: "The account.",
                    contents: [
                        .json(
                            .object(
                                [
                                    "id": .id, "name": .string, "role": .choice(Role.self), "created_at": .time,
                                    "has_password": .boolean,
                                    "may_invite": Shape.boolean.saying("An owner, where invitations are of use."),
                                ], optional: ["plan": .string]))
                    ])
            ]),
        DescribedCall(
            route: .changePassword, access: .signedIn, summary: "Sets or changes the caller's password.",
            details: "Where there was one, every device but the caller is signed out. After five wrong ones each one "
                + "more doubles the wait.",
            body: .json(
                .object(
                    ["new": password],
                    optional: [
                        "current": Shape.string.orNull.saying("The password until now; needed where there is one.")
                    ]), upTo: 16 << 10),
            replies: [.init(status: 204, summary: "It is set.")], problems: [.limitReached]),
        DescribedCall(
            route: .signOutOthers, access: .signedIn, summary: "Signs every device out but the caller.",
            parameters: [
                .query("others", .choice(["true"]), "Has to be said, so that no slip does it.", isRequired: true)
            ],
            replies: [
                .init(
                    status: 200, summary: "They are signed out.", contents: [.json(.object(["signed_out": .count]))])
            ]),
        DescribedCall(
            route: .renameSession, access: .signedIn, summary: "Gives one of the caller's devices another name.",
            parameters: [.path("session", "The device.")],
            body: .json(.object(["device": .name(upTo: 80)]), upTo: 4096),
            replies: [.init(status: 200, summary: "The device.", contents: [.json(.named("Session"))])],
            problems: [.notFound]),
    ]

    // MARK: For an owner

    private static let ownerCalls: [DescribedCall] = [
        DescribedCall(
            route: .accounts, access: .signedIn, summary: "Lists the accounts, for an owner.",
            replies: [.init(status: 200, summary: "The accounts.", contents: [.json(items(.named("Account")))])],
            problems: [.forbidden]),
        DescribedCall(
            route: .patchAccount, access: .signedIn, summary: "Gives an account another role, for an owner.",
            details: "The last owner stays one.", parameters: [accountID],
            body: .json(.object(["role": .choice(Role.self)]), upTo: 4096),
            replies: [.init(status: 200, summary: "The account.", contents: [.json(.named("Account"))])],
            problems: [.forbidden, .notFound, .conflict]),
        DescribedCall(
            route: .deleteAccount, access: .signedIn,
            summary: "Closes somebody else's account with everything in it, for an owner.",
            details: "The caller's own is closed by DELETE /v1/accounts/current.", parameters: [accountID],
            replies: [.init(status: 204, summary: "It is closed.")], problems: [.forbidden, .notFound, .conflict]),
    ]

    private static let accountID = DescribedCall.Parameter.path("account", "The account.")

    private static let inviteCalls: [DescribedCall] = [
        DescribedCall(
            route: .invites, access: .signedIn, summary: "Lists the invitations, for an owner.",
            details: "One that is over is listed for 30 days more.",
            replies: [
                .init(
                    status: 200, summary: "The invitations.",
                    contents: [
                        .json(
                            items(
                                .object([
                                    "id": .id, "state": .choice(inviteStates), "uses": .count, "used": .count,
                                    "created_at": .time, "expires_at": .time,
                                ])))
                    ])
            ], problems: [.forbidden]),
        DescribedCall(
            route: .createInvite, access: .signedIn, summary: "Makes an invitation, for an owner.",
            details: "There is a conflict where the server is configured to take nobody in.",
            body: .json(
                .object(
                    [:],
                    optional: [
                        "uses": Shape.whole(1...1000).orNull.standard(.integer(1))
                            .saying("How many accounts it is good for."),
                        "days": Shape.whole(1...365).orNull.standard(.integer(7)).saying("How long it is good."),
                    ]), isRequired: false, upTo: 4096),
            replies: [
                .init(
                    status: 201, summary: "The invitation.",
                    contents: [
                        .json(
                            .object([
                                "id": .id, "state": .choice(inviteStates), "uses": .count, "used": .count,
                                "created_at": .time, "expires_at": .time,
                                "code": Shape.string.saying("Seen this once."),
                                "path": Shape.string.saying("The address to hand on, at this server."),
                            ]))
                    ])
            ], problems: [.forbidden, .conflict]),
        DescribedCall(
            route: .lookAtInvite, access: .open, summary: "Says whether an invitation works, to who has its code.",
            body: .json(.object(["invite": Shape.string.saying("The code.")]), upTo: 4096),
            replies: [
                .init(
                    status: 200, summary: "How it stands.",
                    contents: [
                        .json(
                            .object(
                                ["state": .choice(inviteStates + ["unknown"])], optional: ["expires_at": .time]))
                    ])
            ]),
        DescribedCall(
            route: .revokeInvite, access: .signedIn, summary: "Takes an invitation back, for an owner.",
            parameters: [.path("invite", "The invitation.")],
            replies: [.init(status: 204, summary: "It is taken back.")], problems: [.forbidden, .notFound]),
    ]

    private static let inviteStates = ["open", "used", "expired", "revoked"]

    // MARK: Devices that ask to be let in

    private static let deviceCalls: [DescribedCall] = [
        DescribedCall(
            route: .lookAtDevice, access: .signedIn, summary: "Shows which device a code on its screen stands for.",
            details: tooManyCodes, body: .json(.object(["code": deviceCode]), upTo: 4096),
            replies: [
                .init(
                    status: 200, summary: "The device.",
                    contents: [
                        .json(.object(["device": .string, "address": .string, "asked_at": .time]))
                    ])
            ], problems: [.notFound, .limitReached]),
        DescribedCall(
            route: .decideDevice, access: .signedIn, summary: "Lets a device in as the caller's account, or does not.",
            details: tooManyCodes,
            body: .json(.object(["code": deviceCode, "approve": .boolean]), upTo: 4096),
            replies: [.init(status: 204, summary: "It is decided.")], problems: [.notFound, .limitReached]),
        DescribedCall(
            route: .authorizeDevice, access: .open, summary: "Gives a device a code to show and one to ask with.",
            details: "The device authorization request of RFC 8628. Each parameter may be there once.",
            body: form(
                .object(
                    ["client_id": Shape.text(1...100).saying("At most 100 bytes.")],
                    optional: ["device_name": Shape.string.saying("What the device is called; else as the client.")])),
            replies: [
                .init(
                    status: 200, summary: "The codes.",
                    contents: [
                        .json(
                            .object([
                                "device_code": .string, "user_code": .text(pattern: "^[A-Z]{4}-[A-Z]{4}$"),
                                "verification_uri": .string, "verification_uri_complete": .string,
                                "expires_in": .count, "interval": .count,
                            ]))
                    ]),
                deviceRefusal(400, "The request is not valid.", ["invalid_request"]),
                deviceRefusal(
                    429, "Too many devices wait to be let in.", ["temporarily_unavailable"],
                    fields: [
                        .init(
                            name: "Retry-After", shape: .text(pattern: "^[0-9]+$"),
                            summary: "Seconds after which another try makes sense.", isAlways: true)
                    ]),
            ]),
        DescribedCall(
            route: .deviceToken, access: .open, summary: "Answers a device that asks whether it was let in.",
            details: "The device access token request of RFC 8628. The token is handed over once.",
            body: form(
                .object([
                    "grant_type": .choice(["urn:ietf:params:oauth:grant-type:device_code"]),
                    "client_id": given.saying("The one that the code was given to."), "device_code": given,
                ])),
            replies: [
                .init(
                    status: 200, summary: "It was let in.",
                    contents: [
                        .json(
                            .object([
                                "access_token": .string, "token_type": .choice(["Bearer"]), "account": .id,
                                "device": .id,
                            ]))
                    ]),
                deviceRefusal(
                    400, "It was not, or not yet.",
                    [
                        "authorization_pending", "slow_down", "access_denied", "expired_token", "invalid_grant",
                        "invalid_request", "unsupported_grant_type",
                    ]),
            ]),
    ]

    private static let tooManyCodes = "After five wrong codes each one more doubles the wait."
    private static let deviceCode = Shape.string.saying("As on the device; case, blanks and dashes do not matter.")

    /// Text that is not empty: a parameter that is counts as left out.
    private static let given = Shape.string.with("minLength", .integer(1))

    private static func form(_ shape: Shape) -> DescribedCall.Body {
        DescribedCall.Body(
            mediaTypes: ["application/x-www-form-urlencoded"], shape: shape, isRequired: true, maximumBytes: 8192)
    }

    /// A refusal in the form that RFC 6749 has for them.
    private static func deviceRefusal(
        _ status: Int, _ summary: String, _ errors: [String], fields: [DescribedCall.Field] = []
    ) -> DescribedCall.Reply {
        DescribedCall.Reply(
            status: status, summary: summary,
            contents: [.json(.object(["error": .choice(errors), "error_description": .string]))], fields: fields)
    }
}
