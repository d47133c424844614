import HTTPServer
import RejoinCore

extension API {
    private static let flowCookie = "rejoin_oidc"

    /// The field that gives a browser what it has to bring back, or takes it away.
    ///
    /// It comes back from the provider's page, so it cannot be as strict as the session's cookie.
    private static func setFlowCookie(_ value: String?, isSecure: Bool) -> (String, String) {
        let age = value == nil ? 0 : 600
        let cookie = "\(flowCookie)=\(value ?? ""); Path=/sign-in/oidc; HttpOnly; SameSite=Lax; Max-Age=\(age)"
        return ("Set-Cookie", cookie + (isSecure ? "; Secure" : ""))
    }

    private func provider() throws(Problem) -> OpenIDSignIn {
        guard let provider = ways.openID else { throw Problem(.notFound, "No sign-in provider is configured.") }
        return provider
    }

    /// Sends a browser to the provider.
    func startOpenID(_ call: Call) async throws {
        let provider = try provider()
        guard call.exchange.request.method == "GET" else { throw Problem(.methodNotAllowed, "Allowed here: GET.") }
        do {
            let (location, cookie) = try await provider.begin(linking: nil)
            let (name, value) = Self.setFlowCookie(cookie, isSecure: provider.isSecure)
            let fields: HTTPFields = ["Location": location, "Cache-Control": "no-store", name: value]
            try await call.respond(303, fields: fields, body: [])
        } catch let problem as Problem where problem.kind == .temporarilyUnavailable {
            // A person follows this, so the page says what is wrong.
            try await leadToPage(OpenIDSignIn.Outcome.failed.anchor, [:], call)
        }
    }

    /// Takes a browser back from the provider.
    func finishOpenID(_ call: Call) async throws {
        let provider = try provider()
        let request = call.exchange.request
        guard request.method == "GET" else { throw Problem(.methodNotAllowed, "Allowed here: GET.") }
        let reply = OpenIDSignIn.Reply(
            code: request.query("code"), state: request.query("state"), issuer: request.query("iss"),
            error: request.query("error"))
        let outcome = try await provider.finish(reply, cookie: Self.cookieValue(Self.flowCookie, request.fields))
        var fields = HTTPFields()
        let (name, value) = Self.setFlowCookie(nil, isSecure: provider.isSecure)
        fields.append(name, value)
        if case .signedIn(let token) = outcome {
            let (cookie, session) = setCookie(token)
            fields.append(cookie, session)
        }
        try await leadToPage(outcome.anchor, fields, call)
    }

    private func leadToPage(_ anchor: String, _ extra: HTTPFields, _ call: Call) async throws {
        var fields: HTTPFields = [
            "Location": "/" + anchor, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
        ]
        for (name, value) in extra { fields.append(name, value) }
        try await call.respond(303, fields: fields, body: [])
    }

    func listIdentities(_ call: Call, _ caller: SessionRecord) async throws {
        let identities = try await store.identities(of: caller.account)
        let provider = ways.openID
        try await call.respond(200) { json in
            json.beginObject()
            json.name("items")
            json.beginArray()
            for identity in identities {
                json.beginObject()
                json.name("id")
                json.id(identity.id)
                // The name of the provider where it is still the one that is configured.
                json.member("provider", identity.issuer == provider?.issuer ? provider?.name : identity.issuer)
                json.member("name", identity.name)
                json.name("created_at")
                json.time(identity.createdAt)
                json.name("last_used_at")
                if let lastUsedAt = identity.lastUsedAt { json.time(lastUsedAt) } else { json.null() }
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
    }

    /// Begins to link an identity: the reply says where the browser has to go.
    func linkIdentity(_ call: Call, _ caller: SessionRecord) async throws {
        let provider = try provider()
        let (location, cookie) = try await provider.begin(linking: caller.account)
        let (name, value) = Self.setFlowCookie(cookie, isSecure: provider.isSecure)
        var json = JSONWriter()
        json.beginObject()
        json.member("location", location)
        json.endObject()
        let fields: HTTPFields = ["Content-Type": "application/json", "Cache-Control": "no-store", name: value]
        try await call.respond(200, fields: fields, body: json.bytes)
    }

    func unlinkIdentity(_ id: IdentityID, _ call: Call, _ caller: SessionRecord) async throws {
        guard try await store.unlinkIdentity(id, of: caller.account, now: surroundings.wall()) else {
            throw Problem(.notFound, "There is no such identity.")
        }
        try await call.respond(204, fields: [:], body: [])
    }
}
