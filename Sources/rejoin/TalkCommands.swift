import CommandLineTable
import RejoinClient
import RejoinCore
import RejoinTerminal

/// `rejoin ask`: one prompt, one answer; the exit code says how it ended.
func ask(_ invocation: Invocation<RejoinAction>) async -> Int32 {
    let words = invocation[argument: "TEXT"].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let options = AskOptions(
        words: words, model: invocation[option: "model"] ?? "auto", location: ServerLocation.Options(invocation))
    return await AskCommand(Front.terminal).run(options)
}

/// `rejoin chat`: a conversation in the terminal.
func chat(_ invocation: Invocation<RejoinAction>) async throws(UsageError) -> Int32 {
    var conversation: ConversationID?
    if let text = invocation[option: "conversation"] {
        guard let id = ConversationID(text) else {
            throw UsageError(path: invocation.path, "--conversation is an id of 36 characters, not \"\(text)\"")
        }
        conversation = id
    }
    let options = ChatOptions(
        conversation: conversation, model: invocation[option: "model"] ?? "auto",
        location: ServerLocation.Options(invocation))
    return await ChatCommand(Front.terminal).run(options)
}

extension ServerLocation.Options {
    fileprivate init(_ invocation: Invocation<RejoinAction>) {
        self.init(
            server: invocation[option: "server"],
            tokenFile: invocation[option: "token-file"] ?? Environment.variables["REJOIN_TOKEN_FILE"],
            dataFolder: invocation[option: "data"])
    }
}

extension Front {
    /// The terminal that this process was started in.
    fileprivate static var terminal: Front {
        let environment = Environment.variables
        return Front(terminal: POSIXTerminal(environment: environment), environment: environment) { location in
            RejoinClient(address: location.address, token: location.token, transport: CurlTransport())
        }
    }
}
