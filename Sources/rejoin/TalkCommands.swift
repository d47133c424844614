import CommandLineTable
import RejoinClient
import RejoinCore
import RejoinTerminal

/// `rejoin ask`: one prompt, one answer; the exit code says how it ended.
func ask(_ invocation: Invocation<RejoinAction>) async throws(UsageError) -> Int32 {
    let words = invocation[argument: "TEXT"].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let options = AskOptions(
        words: words, model: invocation[option: "model"] ?? "auto", conversation: try invocation.conversation,
        wait: try invocation.wait, isTemporary: invocation.switches.contains("temporary"),
        location: ServerLocation.Options(invocation), device: try DeviceOptions(invocation))
    return await AskCommand(Front.terminal).run(options)
}

/// `rejoin chat`: a conversation in the terminal.
func chat(_ invocation: Invocation<RejoinAction>) async throws(UsageError) -> Int32 {
    let options = ChatOptions(
        conversation: try invocation.conversation, model: invocation[option: "model"] ?? "auto",
        wait: try invocation.wait, location: ServerLocation.Options(invocation), device: try DeviceOptions(invocation))
    return await ChatCommand(Front.terminal).run(options)
}

/// `rejoin login`: signs this terminal in to a server.
func login(_ invocation: Invocation<RejoinAction>) async -> Int32 {
    await LoginCommand(Front.terminal).login(to: invocation[argument: "SERVER"], as: invocation[option: "name"])
}

/// `rejoin logout`: signs this terminal out again.
func logout(_ invocation: Invocation<RejoinAction>) async -> Int32 {
    let server = invocation[argument: "SERVER"]
    return await LoginCommand(Front.terminal).logout(from: server.isEmpty ? nil : server)
}

extension Invocation<RejoinAction> {
    /// The conversation to go on with.
    fileprivate var conversation: ConversationID? {
        get throws(UsageError) {
            guard let text = self[option: "conversation"] else { return nil }
            guard let id = ConversationID(text) else {
                throw UsageError(path: path, "--conversation is an id of 36 characters, not \"\(text)\"")
            }
            return id
        }
    }

    /// How long a server that went away is waited for.
    fileprivate var wait: Duration {
        get throws(UsageError) {
            guard let text = self[option: "wait"] else { return .seconds(600) }
            guard let seconds = Int(text), (0...86_400).contains(seconds) else {
                throw UsageError(path: path, "--wait is a number of seconds, at most a day, not \"\(text)\"")
            }
            return .seconds(seconds)
        }
    }
}

extension ServerLocation.Options {
    init(_ invocation: Invocation<RejoinAction>) {
        self.init(
            server: invocation[option: "server"],
            tokenFile: invocation[option: "token-file"],
            dataFolder: invocation[option: "data"])
    }
}

extension Front {
    /// The terminal that this process was started in.
    static var terminal: Front {
        let environment = Environment.variables
        return Front(
            terminal: POSIXTerminal(environment: environment), environment: environment,
            openScreen: { ScreenTerminal(environment: environment) },
            makeClient: { location in
                RejoinClient(address: location.address, token: location.token, transport: CurlTransport())
            })
    }
}
