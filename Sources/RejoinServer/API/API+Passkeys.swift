import HTTPServer
import RejoinCore

extension API {
    /// Says which ways to sign in there are; the page asks before anybody is signed in.
    func showSignInWays(_ call: Call) async throws {
        let party = try? ways.address.relyingParty()
        // Who comes back from a provider learns whose the browser is now.
        let caller = try? await authenticate(call)
        try await call.respond(200) { json in
            json.beginObject()
            if let caller {
                json.name("account")
                json.id(caller.account)
            }
            json.name("password")
            json.bool(true)
            json.member("registration", people.registration.rawValue)
            json.name("passkeys")
            if let party {
                json.beginObject()
                json.member("rp", party.id)
                // A browser takes a passkey at this address alone: a page that was opened at another hides its button.
                json.member("origin", party.origin)
                json.endObject()
            } else {
                json.null()
            }
            json.name("oidc")
            if let provider = ways.openID {
                json.beginObject()
                json.member("name", provider.name)
                json.member("url", provider.startURL)
                json.endObject()
            } else {
                json.null()
            }
            json.endObject()
        }
    }

    /// Gives out a challenge: to anybody for signing in, to who is signed in for a new passkey.
    func challengePasskey(_ call: Call) async throws {
        let object = try await call.object(limit: 4096)
        let options: PasskeyOptions
        switch try object.requiredString("for") {
        case "sign-in": options = try ways.passkeys.signInOptions()
        case "registration":
            options = try await ways.passkeys.registrationOptions(for: try await authenticate(call).account)
        default: throw Problem(.invalidRequest, "for is \"registration\" or \"sign-in\".", field: "for")
        }
        try await call.respond(200) { json in
            json.beginObject()
            json.name("options")
            options.write(to: &json)
            json.endObject()
        }
    }

    func signInByPasskey(_ call: Call) async throws {
        let object = try await call.object(limit: 64 << 10)
        let device = try object.string("device") ?? "unnamed"
        let asCookie = try wantsCookie(object, call)
        let (session, token) = try await ways.passkeys.signIn(object.value("credential"), device: device)
        try await replySignedIn(session, token, asCookie: asCookie, call)
    }

    func listPasskeys(_ call: Call, _ caller: SessionRecord) async throws {
        let passkeys = try await store.passkeys(of: caller.account)
        try await call.respond(200) { json in
            json.beginObject()
            json.name("items")
            json.beginArray()
            for passkey in passkeys { json.passkey(passkey) }
            json.endArray()
            json.endObject()
        }
    }

    func putPasskey(_ id: PasskeyID, _ call: Call, _ caller: SessionRecord) async throws {
        let object = try await call.object(limit: 64 << 10)
        let name = try (object.string("name") ?? "Passkey").asName()
        let (passkey, isNew) = try await ways.passkeys.add(
            id, name: name, credential: object.value("credential"), of: caller.account)
        try await call.respond(isNew ? 201 : 200) { $0.passkey(passkey) }
    }

    func patchPasskey(_ id: PasskeyID, _ call: Call, _ caller: SessionRecord) async throws {
        guard try await store.passkey(id, of: caller.account) != nil else { throw Passkeys.missing }
        let name = try await call.object(limit: 4096).requiredString("name").asName()
        let renamed = try await store.renamePasskey(id, of: caller.account, to: name, now: surroundings.wall())
        guard let renamed else { throw Passkeys.missing }
        try await call.respond(200) { $0.passkey(renamed) }
    }

    func deletePasskey(_ id: PasskeyID, _ call: Call, _ caller: SessionRecord) async throws {
        guard try await store.deletePasskey(id, of: caller.account, now: surroundings.wall()) else {
            throw Passkeys.missing
        }
        try await call.respond(204, fields: [:], body: [])
    }
}

extension JSONWriter {
    fileprivate mutating func passkey(_ passkey: PasskeyRecord) {
        beginObject()
        name("id")
        id(passkey.id)
        member("name", passkey.name)
        name("created_at")
        time(passkey.createdAt)
        name("last_used_at")
        if let lastUsedAt = passkey.lastUsedAt { time(lastUsedAt) } else { null() }
        name("synced")
        bool(passkey.isBackedUp)
        endObject()
    }
}
