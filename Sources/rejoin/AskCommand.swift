import CommandLineTable
import RejoinCore

/// What `ask` and `chat` share: whom to talk to, and in which conversation.
struct TalkOptions {
    /// The server's address.
    var server: String
    /// A file that holds the account's token, alone.
    var tokenFile: String?
    /// Nil leaves the choice to the server.
    var model: String?
    /// Nil starts a new one.
    var conversation: ConversationID?

    init(_ invocation: Invocation<RejoinAction>, environment: [String: String]) throws(UsageError) {
        server = invocation[option: "server"] ?? environment["REJOIN_SERVER"] ?? "http://127.0.0.1:8787"
        tokenFile = invocation[option: "token-file"] ?? environment["REJOIN_TOKEN_FILE"]
        model = invocation[option: "model"]
        if let text = invocation[option: "conversation"] {
            guard let id = ConversationID(text) else {
                throw UsageError(path: invocation.path, "--conversation is an id of 36 characters, not \"\(text)\"")
            }
            conversation = id
        }
    }
}

/// `rejoin ask`, as it was typed.
struct AskOptions {
    var talk: TalkOptions
    /// The words of the question joined by spaces.
    var text: String

    init(_ invocation: Invocation<RejoinAction>, environment: [String: String]) throws(UsageError) {
        talk = try TalkOptions(invocation, environment: environment)
        text = invocation[argument: "TEXT"]
    }
}
