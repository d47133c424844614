import HTTPServer
import RejoinCore

extension API {
    func signIn(_ call: Call) async throws {
        let object = try await call.object(limit: 16 << 10)
        let name = try object.requiredString("name")
        let password = try object.requiredString("password")
        let asCookie = try wantsCookie(object, call)
        let (session, token) = try await accounts.signIn(
            name: name, password: password, device: try object.string("device") ?? "unnamed",
            address: callerAddress(call))
        try await replySignedIn(session, token, asCookie: asCookie, call)
    }

    /// Creates an account where that is offered, and answers as signing in does.
    func createAccount(_ call: Call) async throws {
        let object = try await call.object(limit: 16 << 10)
        let name = try object.requiredString("name")
        let password = try object.requiredString("password")
        let asCookie = try wantsCookie(object, call)
        let (session, token) = try await accounts.register(
            name: name, password: password, invite: try object.string("invite"),
            device: try object.string("device") ?? "unnamed", address: callerAddress(call), by: people.registration)
        try await replySignedIn(session, token, asCookie: asCookie, call)
    }

    /// Whether the caller is the page, which never sees its token: it gets the cookie alone.
    func wantsCookie(_ object: RequestObject, _ call: Call) throws(Problem) -> Bool {
        guard try object.bool("cookie") == true else { return false }
        guard call.exchange.request.fields["x-rejoin-client"] != nil else {
            throw Problem(.forbidden, "X-Rejoin-Client is required to sign in with a cookie.")
        }
        return true
    }

    /// Answers a sign-in: with the token, or for the page with a cookie that it never sees.
    func replySignedIn(
        _ session: SessionRecord, _ token: String, asCookie: Bool, _ call: Call
    ) async throws {
        var json = JSONWriter()
        json.beginObject()
        var fields: HTTPFields = ["Content-Type": "application/json", "Cache-Control": "no-store"]
        if asCookie {
            let (cookie, value) = setCookie(token)
            fields.append(cookie, value)
        } else {
            json.member("token", token)
        }
        json.name("account")
        json.id(session.account)
        json.name("device")
        json.id(session.id)
        json.endObject()
        try await call.respond(201, fields: fields, body: json.bytes)
    }

    /// Signs a browser in by the link that the server printed, and sends it to the page.
    func signInByLink(_ call: Call) async throws {
        guard let code = call.exchange.request.query("code") else {
            throw Problem(.invalidRequest, "The link has no code.", field: "code")
        }
        guard call.exchange.request.method == "GET" else { throw Problem(.methodNotAllowed, "Allowed here: GET.") }
        do {
            let (_, token) = try await accounts.redeem(code: code, device: "Browser")
            let (cookie, value) = setCookie(token)
            let fields: HTTPFields = ["Location": "/#signed-in", "Cache-Control": "no-store", cookie: value]
            try await call.respond(303, fields: fields, body: [])
        } catch let problem as Problem where problem.kind == .unauthenticated {
            // A person follows this link, so a used one leads to the page, which says what to do.
            let fields: HTTPFields = ["Location": "/#link-used", "Cache-Control": "no-store"]
            try await call.respond(303, fields: fields, body: [])
        }
    }

    func listSessions(_ call: Call, _ caller: SessionRecord) async throws {
        let sessions = try await accounts.sessions(of: caller.account)
        try await call.respond(200) { json in
            json.beginObject()
            json.name("items")
            json.beginArray()
            for session in sessions { json.session(session, current: caller.id) }
            json.endArray()
            json.endObject()
        }
    }

    /// Closes the caller's account for good; its name has to be given, so that no slip does it.
    func closeAccount(_ call: Call, _ caller: SessionRecord) async throws {
        let object = try await call.object(limit: 4096)
        let name = try object.requiredString("name")
        guard let account = try await store.account(caller.account),
            AccountRecord.key(ofName: name) == account.nameKey
        else { throw Problem(.invalidRequest, "name is not the account's name.", field: "name") }
        try await close(account)
        let (cookie, value) = setCookie(nil)
        try await call.respond(204, fields: [cookie: value], body: [])
    }

    func signOut(_ which: Substring, _ call: Call, _ caller: SessionRecord) async throws {
        var fields: HTTPFields = [:]
        let id: SessionID
        if which == "current" {
            id = caller.id
            let (cookie, value) = setCookie(nil)
            fields.append(cookie, value)
        } else {
            guard let given = SessionID(which) else {
                throw Problem(.invalidRequest, "The session is \"current\" or a lower-case UUID.")
            }
            id = given
        }
        guard try await accounts.close(id, of: caller.account) else {
            throw Problem(.notFound, "There is no such session.")
        }
        try await call.respond(204, fields: fields, body: [])
    }
}
