package import RejoinClient

/// What a command stands on: the terminal, the environment, and a way to reach a server.
package struct Front: Sendable {
    let terminal: any Terminal
    let environment: [String: String]
    let makeClient: @Sendable (ServerLocation) -> RejoinClient
    let policy: RetryPolicy
    let openScreen: @Sendable () -> (any Screen)?

    /// Puts a front together.
    ///
    /// - Parameters:
    ///   - makeClient: a client for a server that was found.
    ///   - policy: how a line is tried again; its patience is replaced by what a command's options say.
    ///   - openScreen: takes over the whole screen; nil where there is none to draw on.
    package init(
        terminal: any Terminal, environment: [String: String], policy: RetryPolicy = .terminal,
        openScreen: @escaping @Sendable () -> (any Screen)? = { nil },
        makeClient: @escaping @Sendable (ServerLocation) -> RejoinClient
    ) {
        self.terminal = terminal
        self.environment = environment
        self.policy = policy
        self.openScreen = openScreen
        self.makeClient = makeClient
    }

    /// Finds the server, or says why there is none.
    ///
    /// - Returns: a client, or the exit code.
    func connect(_ options: ServerLocation.Options) async -> Result<RejoinClient, Refusal> {
        await locate(options).map(makeClient)
    }

    /// Finds the server and the person's token, or says why there is none.
    ///
    /// - Returns: where it is, or the exit code.
    func locate(_ options: ServerLocation.Options) async -> Result<ServerLocation, Refusal> {
        do {
            return .success(try ServerLocation.resolve(options, environment: environment))
        } catch {
            await say(error.description)
            if case .noServer = error { return .failure(Refusal(code: ExitCode.unavailable)) }
            return .failure(Refusal(code: ExitCode.usage))
        }
    }

    /// Whether a person sits at both ends.
    var isScreen: Bool { terminal.isInputInteractive && terminal.isOutputInteractive }

    func policy(waiting patience: Duration) -> RetryPolicy {
        var policy = policy
        policy.patience = patience
        policy.initialPatience = min(policy.initialPatience ?? patience, patience)
        return policy
    }

    func say(_ text: String) async { await terminal.writeError("rejoin: " + text + "\n") }

    struct Refusal: Error { let code: Int32 }
}

extension RetryPolicy {
    /// A person waits: tries come close together, and a server that was never there is not waited for.
    package static let terminal = RetryPolicy(
        firstDelay: .milliseconds(200), maximumDelay: .seconds(2), initialPatience: .seconds(3), patience: .seconds(600)
    )
}
