internal import RejoinClient

/// The commands of an owner: who has an account on the server, and who may make one.
extension AccountCommand {
    /// Everybody who has an account on the server.
    package func listPeople() async -> Int32 {
        await talk { try await $0.people().map { AccountWords.line(for: $0) + "\n" }.joined() }
    }

    /// Says what an account may do.
    package func setRole(_ name: String, to role: String) async -> Int32 {
        guard let role = Person.Role(rawValue: role) else { return ExitCode.usage }
        return await talk { client in
            let person = try await Self.person(name, client)
            try await client.setRole(role, of: person.id)
            return "\(HarmlessText.line(person.name)) is \(role == .owner ? "an owner" : "a member")\n"
        }
    }

    /// Closes an account, once the owner has said yes.
    package func closeAccount(_ name: String, isSure: Bool) async -> Int32 {
        if !isSure {
            let shown = HarmlessText.line(name)
            await front.terminal.writeError("This deletes the account \(shown) and all it holds. Type yes to go on: ")
            guard await front.terminal.readLine() == "yes" else {
                await front.say("nothing was deleted")
                return ExitCode.failed
            }
        }
        return await talk { client in
            let person = try await Self.person(name, client)
            try await client.closeAccount(person.id)
            return "Closed: \(HarmlessText.line(person.name))\n"
        }
    }

    /// Every invitation.
    package func listInvitations() async -> Int32 {
        await talk { try await $0.invitations().map { AccountWords.line(for: $0) + "\n" }.joined() }
    }

    /// Makes an invitation.
    package func invite(uses: Int, days: Int) async -> Int32 {
        await talk { try await $0.invite(uses: uses, days: days) + "\n" }
    }

    /// Takes an invitation back.
    package func revokeInvitation(_ name: String) async -> Int32 {
        await talk { client in
            try await client.revoke(Self.only(try await client.invitations().map(\.id), ending: name, "invitation"))
            return ""
        }
    }

    private static func person(_ name: String, _ client: RejoinClient) async throws -> Person {
        let people = try await client.people()
        guard let person = people.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw Unclear(description: "there is no account \"\(HarmlessText.line(name))\"")
        }
        return person
    }
}
