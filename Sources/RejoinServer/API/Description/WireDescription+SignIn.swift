import RejoinCore

extension WireDescription {
    static let signInWays = Topic(
        name: "Ways to sign in", summary: "Passkeys, and identities at a provider.",
        calls: [waysCall] + passkeyCalls + identityCalls)

    private static let waysCall = DescribedCall(
        route: .signInWays, access: .open, summary: "Says which ways to sign in there are.",
        replies: [
            .init(
                status: 200, summary: "The ways.",
                contents: [
                    .json(
                        .object(
                            [
                                "password": .boolean,
                                "registration": Shape.choice(Configuration.Registration.self)
                                    .saying("Who may create an account: nobody, who was invited, or anybody."),
                                "passkeys": Shape.object(["rp": .string, "origin": .string]).orNull,
                                "oidc": Shape.object(["name": .string, "url": .string]).orNull,
                            ], optional: ["account": Shape.id.saying("Whose the caller is, if it is signed in.")]))
                ])
        ])

    // MARK: Passkeys

    private static let passkeyCalls: [DescribedCall] = [
        DescribedCall(
            route: .challengePasskey, access: .open, summary: "Gives out a challenge, good for five minutes and once.",
            details: "One for a registration is for who is signed in. Passkeys are forbidden where browsers refuse "
                + "them: at a bare address, and at a name without https.",
            body: .json(.object(["for": .choice(["sign-in", "registration"])]), upTo: 4096),
            replies: [
                .init(
                    status: 200, summary: "What the browser needs, in the JSON form of WebAuthn level 3.",
                    contents: [.json(.object(["options": .either([creationOptions, requestOptions])]))])
            ], problems: [.unauthenticated, .forbidden]),
        DescribedCall(
            route: .signInByPasskey, access: .open, summary: "Signs a device in by what an authenticator signed.",
            parameters: [client],
            body: .json(
                .object(
                    ["credential": assertion], optional: ["device": wantedDevice, "cookie": wantedCookie]),
                upTo: 64 << 10),
            replies: [signedIn], problems: [.unauthenticated, .forbidden]),
        DescribedCall(
            route: .passkeys, access: .signedIn, summary: "Lists the account's passkeys.",
            replies: [.init(status: 200, summary: "The passkeys.", contents: [.json(items(.named("Passkey")))])]),
        DescribedCall(
            route: .putPasskey, access: .signedIn, summary: "Adds a passkey, under an id that the client made.",
            details: "The same request again finds it there.", parameters: [passkeyID],
            body: .json(
                .object(
                    ["credential": attestation],
                    optional: ["name": Shape.name(upTo: 64).orNull.standard(.string("Passkey"))]), upTo: 64 << 10),
            replies: [
                .init(status: 200, summary: "It was there.", contents: [.json(.named("Passkey"))]),
                .init(status: 201, summary: "It is added.", contents: [.json(.named("Passkey"))]),
            ], problems: [.forbidden, .notFound, .conflict]),
        DescribedCall(
            route: .patchPasskey, access: .signedIn, summary: "Gives a passkey another name.", parameters: [passkeyID],
            body: .json(.object(["name": .name(upTo: 64)]), upTo: 4096),
            replies: [.init(status: 200, summary: "The passkey.", contents: [.json(.named("Passkey"))])],
            problems: [.notFound]),
        DescribedCall(
            route: .deletePasskey, access: .signedIn, summary: "Removes a passkey.", parameters: [passkeyID],
            replies: [.init(status: 204, summary: "It is gone.")], problems: [.notFound]),
    ]

    private static let passkeyID = DescribedCall.Parameter.path("passkey", "The passkey.")

    private static let bytes = Shape.text(
        pattern: "^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{4}|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]|[A-Za-z0-9_-][AQgw])$"
    ).saying("Base64 for addresses, without padding.")

    /// What a browser's `toJSON()` says of a new credential.
    private static let attestation = credential(
        .object(["clientDataJSON": bytes, "attestationObject": bytes], optional: ["transports": .list(of: .string)]))

    /// What a browser's `toJSON()` says of a sign-in.
    private static let assertion = credential(
        .object([
            "clientDataJSON": bytes, "authenticatorData": bytes, "signature": bytes, "userHandle": bytes,
        ]))

    private static let rawID = Shape.text(pattern: "^[A-Za-z0-9_-]+$").saying("The same as the id.")

    private static func credential(_ response: Shape) -> Shape {
        .object(
            [
                "type": .choice(["public-key"]), "id": bytes.with("maxLength", .integer(1364)), "response": response,
            ], optional: ["rawId": rawID])
    }

    private static let creationOptions = Shape.object([
        "challenge": bytes,
        "rp": .object(["id": .string, "name": .string]),
        "user": .object(["id": bytes, "name": .string, "displayName": .string]),
        "pubKeyCredParams": .list(of: .object(["type": .choice(["public-key"]), "alg": .whole(-257...(-7))])),
        "excludeCredentials": .list(
            of: .object(["type": .choice(["public-key"]), "id": bytes, "transports": .list(of: .string)])),
        "authenticatorSelection": .object([
            "residentKey": .choice(["required"]), "requireResidentKey": .boolean,
            "userVerification": .choice(["required"]),
        ]),
        "attestation": .choice(["none"]),
        "timeout": Shape.count.saying("Milliseconds."),
    ])

    private static let requestOptions = Shape.object([
        "challenge": bytes, "rpId": .string, "allowCredentials": .list(of: .anything),
        "userVerification": .choice(["required"]), "timeout": Shape.count.saying("Milliseconds."),
    ])

    // MARK: Identities

    private static let identityCalls: [DescribedCall] = [
        DescribedCall(
            route: .identities, access: .signedIn, summary: "Lists the account's identities at a provider.",
            replies: [
                .init(
                    status: 200, summary: "The identities.",
                    contents: [
                        .json(
                            items(
                                .object(
                                    [
                                        "id": .id, "provider": .string, "created_at": .time,
                                        "last_used_at": Shape.time.orNull,
                                    ], optional: ["name": Shape.string.saying("The person's, at the provider.")])))
                    ])
            ]),
        DescribedCall(
            route: .linkIdentity, access: .signedIn, summary: "Begins to link an identity.",
            replies: [
                .init(
                    status: 200, summary: "Where the browser has to go.",
                    contents: [.json(.object(["location": .string]))], fields: [flowCookie(isAlways: true)])
            ], problems: [.notFound]),
        DescribedCall(
            route: .unlinkIdentity, access: .signedIn, summary: "Unlinks an identity.",
            parameters: [.path("identity", "The identity.")],
            replies: [.init(status: 204, summary: "It is unlinked.")], problems: [.notFound]),
        DescribedCall(
            route: .startOpenID, access: .open, summary: "Sends a browser to the provider to sign in.",
            details: "If the provider does not answer, the way leads back to the page, which says so. \(noHead)",
            replies: [
                .init(
                    status: 303, summary: "Go on to the provider.",
                    fields: [
                        .init(
                            name: "Location", shape: .string, summary: "The provider, or the page.", isAlways: true),
                        flowCookie(isAlways: false),
                    ])
            ], problems: [.notFound, .methodNotAllowed]),
        DescribedCall(
            route: .finishOpenID, access: .open, summary: "Takes a browser back from the provider.",
            details: "It has to bring the cookie rejoin_oidc that it was sent away with. Whatever came of it, the page "
                + "says so. \(noHead)",
            parameters: [
                .query("code", .string, "What the provider gives for a person's tokens."),
                .query("state", .string, "What the browser was sent away with."),
                .query("iss", .string, "Which provider it is."),
                .query("error", .string, "Why there is no code."),
            ],
            replies: [
                .init(
                    status: 303, summary: "Go on to the page.",
                    fields: [
                        .init(
                            name: "Location", shape: .choice(outcomes), summary: "The page, and what came of it.",
                            isAlways: true),
                        flowCookie(isAlways: true),
                    ])
            ], problems: [.notFound, .methodNotAllowed]),
    ]

    private static let noHead = "HEAD is not answered, since the call changes something."

    private static let outcomes = [
        "/#signed-in", "/#identity-linked", "/#identity-taken", "/#identity-unknown", "/#identity-denied",
        "/#identity-failed",
    ]

    private static func flowCookie(isAlways: Bool) -> DescribedCall.Field {
        DescribedCall.Field(
            name: "Set-Cookie", shape: .string,
            summary: "Gives the browser what it has to bring back, or takes it away; one more is the page's cookie.",
            isAlways: isAlways)
    }
}
