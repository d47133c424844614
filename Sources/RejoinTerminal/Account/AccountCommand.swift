package import RejoinClient
package import RejoinCore

/// The commands about a person's own account, spoken with the server that has it: limits, privacy, memory, audit, devices.
package struct AccountCommand: Sendable {
    let front: Front
    private let location: ServerLocation.Options
    private let now: @Sendable () -> Timestamp

    /// Speaks with a server through a front.
    package init(_ front: Front, location: ServerLocation.Options, now: @escaping @Sendable () -> Timestamp) {
        self.front = front
        self.location = location
        self.now = now
    }

    /// What is left of each limit.
    package func limits() async -> Int32 {
        await talk { client in
            let limits = try await client.limits()
            if limits.isEmpty { return "Nothing is limited.\n" }
            return limits.map { AccountWords.line(for: $0, now: now()) + "\n" }.joined()
        }
    }

    /// What happened to the account, newest first.
    package func audit(limit: Int) async -> Int32 {
        await talk { client in
            try await client.accountEvents(limit: limit).map { AccountWords.line(for: $0) + "\n" }.joined()
        }
    }

    // MARK: Decisions

    /// Shows every decision.
    package func showPrivacy() async -> Int32 { await talk { AccountWords.lines(for: try await $0.consent()) } }

    /// Changes a decision, on the version that the server has now, and shows what holds then.
    ///
    /// - Parameter topic: the name of a switch, or `retention`.
    package func setPrivacy(_ topic: String, to value: String) async -> Int32 {
        if topic == "retention" {
            guard let days = Int(value), (0...36_500).contains(days) else {
                await front.say("retention is a number of days from 0 to 36500, not \"\(HarmlessText.line(value))\"")
                return ExitCode.usage
            }
            return await talk { client in
                let version = try await client.consent().version
                return AccountWords.lines(for: try await client.retain(days: days, version: version))
            }
        }
        guard let known = Consent.Topic(rawValue: topic), let isOn = ["on": true, "off": false][value] else {
            await front.say("\(HarmlessText.line(topic)) is on or off, not \"\(HarmlessText.line(value))\"")
            return ExitCode.usage
        }
        return await decide(known, isOn)
    }

    /// Switches one decision.
    package func decide(_ topic: Consent.Topic, _ isOn: Bool) async -> Int32 {
        await talk { client in
            let version = try await client.consent().version
            return AccountWords.lines(for: try await client.decide(topic, isOn: isOn, version: version))
        }
    }

    // MARK: Memory

    /// Everything that is remembered, and what is proposed.
    package func listMemory() async -> Int32 { await talk { AccountWords.lines(for: try await $0.memory()) } }

    /// Has a fact remembered.
    package func remember(_ text: String) async -> Int32 {
        await talk { AccountWords.line(for: try await $0.remember(text)) + "\n" }
    }

    /// Puts a fact in other words.
    package func reword(_ name: String, _ text: String) async -> Int32 {
        await about(name) { client, fact in AccountWords.line(for: try await client.reword(fact, text)) + "\n" }
    }

    /// Accepts a proposal.
    package func accept(_ name: String) async -> Int32 {
        await about(name) { client, fact in AccountWords.line(for: try await client.accept(fact)) + "\n" }
    }

    /// Deletes a fact, or declines a proposal.
    package func forget(_ name: String) async -> Int32 {
        await about(name) { client, fact in
            try await client.forget(fact)
            return ""
        }
    }

    /// Deletes everything that is remembered, once the person has said yes.
    package func forgetEverything(isSure: Bool) async -> Int32 {
        if !isSure {
            await front.terminal.writeError("This deletes everything that is remembered about you. Type yes to go on: ")
            guard await front.terminal.readLine() == "yes" else {
                await front.say("nothing was deleted")
                return ExitCode.failed
            }
        }
        return await talk { client in
            try await client.forgetEverything()
            return "Nothing is remembered any more.\n"
        }
    }

    private func about(
        _ name: String, _ act: @Sendable (RejoinClient, FactID) async throws -> String
    ) async -> Int32 {
        await talk { client in
            let facts = try await client.memory().facts.map(\.id)
            return try await act(client, try Self.only(facts, ending: name, "fact"))
        }
    }

    // MARK: Devices

    /// The devices that are signed in.
    package func listDevices() async -> Int32 {
        await talk { try await $0.sessions().map { AccountWords.line(for: $0) + "\n" }.joined() }
    }

    /// Signs a device out.
    package func removeDevice(_ name: String) async -> Int32 {
        await talk { client in
            let devices = try await client.sessions()
            let id = try Self.only(devices.map(\.id), ending: name, "device")
            try await client.signOut(id)
            let device = devices.first { $0.id == id }?.device ?? ""
            return "Signed out: \(HarmlessText.line(device))\n"
        }
    }

    // MARK: Talking

    /// Several or none have an id that ends so.
    struct Unclear: Error, CustomStringConvertible { let description: String }

    /// The one id that ends with what was typed.
    static func only<Kind>(_ ids: [ID<Kind>], ending name: String, _ what: String) throws -> ID<Kind> {
        let found = ids.filter { name.count >= 4 && $0.description.hasSuffix(name.lowercased()) }
        if let only = found.first, found.count == 1 { return only }
        let shown = HarmlessText.line(name)
        throw Unclear(
            description: found.isEmpty
                ? "there is no \(what) whose id ends with \"\(shown)\"" : "several ids end with \"\(shown)\": type more"
        )
    }

    /// Talks with the server, prints what comes of it, and gives the exit code.
    func talk(_ act: @Sendable (RejoinClient) async throws -> String) async -> Int32 {
        let client: RejoinClient
        switch await front.connect(location) {
        case .success(let found): client = found
        case .failure(let refusal): return refusal.code
        }
        do {
            try await front.terminal.write(try await act(client))
            return ExitCode.done
        } catch let error as ClientError {
            await front.say(Wording.error(error, from: client.address))
            return ExitCode.code(for: error)
        } catch let unclear as Unclear {
            await front.say(unclear.description)
            return ExitCode.failed
        } catch is OutputClosed {
            return ExitCode.done
        } catch {
            return ExitCode.stopped
        }
    }
}
