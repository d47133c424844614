import CommandLineTable

/// `rejoin chat`, as it was typed.
struct ChatOptions {
    var talk: TalkOptions

    init(_ invocation: Invocation<RejoinAction>, environment: [String: String]) throws(UsageError) {
        talk = try TalkOptions(invocation, environment: environment)
    }
}
