import HTTPServer
import RejoinCore

/// The caller's own account and devices, and what an owner may do beyond them.
extension API {
    func answerPeople(
        _ route: Route, _ parameters: Route.Parameters, _ call: Call, _ caller: SessionRecord
    ) async throws {
        switch route {
        case .signOutOthers: try await signOutOthers(call, caller)
        case .renameSession: try await renameSession(parameters.id(0), call, caller)
        case .showAccount: try await showAccount(call, caller)
        case .changePassword: try await changePassword(call, caller)
        case .lookAtDevice: try await lookAtDevice(call, caller)
        case .decideDevice: try await decideDevice(call, caller)
        default: try await answerOwner(route, parameters, call, caller)
        }
    }

    private func answerOwner(
        _ route: Route, _ parameters: Route.Parameters, _ call: Call, _ caller: SessionRecord
    ) async throws {
        // Before anything is looked up: a member learns nothing of what there is.
        guard try await store.account(caller.account)?.role == .owner else {
            throw Problem(.forbidden, "This is for an owner of the server.")
        }
        switch route {
        case .accounts: try await listAccounts(call)
        case .patchAccount: try await changeAccount(parameters.id(0), call)
        case .deleteAccount: try await deleteAccount(parameters.id(0), call, caller)
        case .invites: try await listInvites(call)
        case .createInvite: try await createInvite(call, caller)
        case .revokeInvite: try await revokeInvite(parameters.id(0), call)
        default: break
        }
    }

    // MARK: The caller

    private func showAccount(_ call: Call, _ caller: SessionRecord) async throws {
        guard let account = try await store.account(caller.account) else {
            throw Problem(.unauthenticated, "The account was closed.")
        }
        try await call.respond(200) { json in
            json.beginObject()
            json.accountMembers(account)
            json.name("has_password")
            json.bool(account.passwordHash != nil)
            json.name("may_invite")
            json.bool(account.role == .owner && people.registration != .closed)
            json.endObject()
        }
    }

    private func changePassword(_ call: Call, _ caller: SessionRecord) async throws {
        let object = try await call.object(limit: 16 << 10)
        try await accounts.changePassword(
            of: caller, current: try object.string("current"), new: try object.requiredString("new"))
        try await call.respond(204, fields: [:], body: [])
    }

    private func signOutOthers(_ call: Call, _ caller: SessionRecord) async throws {
        guard call.exchange.request.query("others") == "true" else {
            throw Problem(
                .invalidRequest, "Say others=true: every device but the caller is signed out.", field: "others")
        }
        let count = try await accounts.closeOthers(of: caller)
        try await call.respond(200) { json in
            json.beginObject()
            json.name("signed_out")
            json.integer(count)
            json.endObject()
        }
    }

    private func renameSession(_ id: SessionID, _ call: Call, _ caller: SessionRecord) async throws {
        let object = try await call.object(limit: 4096)
        let device = try object.requiredString("device").trimmingSpace
        guard (1...80).contains(device.count), !device.unicodeScalars.contains(where: \.isControl) else {
            throw Problem(.invalidRequest, "device has 1 to 80 characters and no control characters.", field: "device")
        }
        guard
            try await store.renameSession(id, of: caller.account, to: device, now: surroundings.wall()),
            let session = try await accounts.sessions(of: caller.account).first(where: { $0.id == id })
        else { throw Problem(.notFound, "There is no such session.") }
        try await call.respond(200) { $0.session(session, current: caller.id) }
    }

    // MARK: Accounts, for an owner

    private func listAccounts(_ call: Call) async throws {
        let all = try await store.accounts()
        try await call.respond(200) { json in
            json.beginObject()
            json.name("items")
            json.beginArray()
            for account in all {
                json.beginObject()
                json.accountMembers(account)
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
    }

    private func changeAccount(_ id: AccountID, _ call: Call) async throws {
        let word = try await call.object(limit: 4096).requiredString("role")
        guard let role = Role(rawValue: word) else {
            throw Problem(.invalidRequest, "role is \"owner\" or \"member\".", field: "role")
        }
        switch try await store.setRole(role, of: id, now: surroundings.wall()) {
        case .changed: break
        case .notFound: throw Self.noAccount
        case .lastOwner: throw Self.lastOwner
        }
        guard let account = try await store.account(id) else { throw Self.noAccount }
        try await call.respond(200) { json in
            json.beginObject()
            json.accountMembers(account)
            json.endObject()
        }
    }

    private func deleteAccount(_ id: AccountID, _ call: Call, _ caller: SessionRecord) async throws {
        guard id != caller.account else {
            throw Problem(.conflict, "This is the caller's own account: DELETE /v1/accounts/current closes it.")
        }
        guard let account = try await store.account(id) else { throw Self.noAccount }
        try await close(account)
        try await call.respond(204, fields: [:], body: [])
    }

    /// Closes an account for good, with everything that it holds, and ends what its devices are listening to.
    func close(_ account: AccountRecord) async throws {
        guard try await !store.isLastOwner(account.id) else { throw Self.lastOwner }
        try await eraseConversations(of: account.id)
        let orphans = try await store.tasks(of: account.id)
        let devices = try await store.sessions(of: account.id).map(\.id)
        runs.abandon(try await store.deleteAccount(account.id, now: surroundings.wall()) ?? [])
        tasks.forget(orphans)
        accounts.forget(account.id, devices: devices)
    }

    private static let noAccount = Problem(.notFound, "There is no such account.")
    private static let lastOwner = Problem(
        .conflict, "The last owner stays while there are other accounts: make another one an owner first.")
}

extension JSONWriter {
    /// What is known of an account to its person and to owners: nothing that it holds.
    mutating func accountMembers(_ account: AccountRecord) {
        name("id")
        id(account.id)
        member("name", account.name)
        member("role", account.role.rawValue)
        member("plan", account.plan)
        name("created_at")
        time(account.createdAt)
    }
}
