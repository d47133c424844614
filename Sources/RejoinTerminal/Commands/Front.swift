package import RejoinClient

/// What a command stands on: the terminal, the environment, and a way to reach a server.
package struct Front: Sendable {
    let terminal: any Terminal
    let environment: [String: String]
    let makeClient: @Sendable (ServerLocation) -> RejoinClient
    let policy: RetryPolicy

    /// Puts a front together.
    ///
    /// - Parameters:
    ///   - makeClient: a client for a server that was found.
    ///   - policy: how a line is tried again; its patience is replaced by what a command's options say.
    package init(
        terminal: any Terminal, environment: [String: String], policy: RetryPolicy = .terminal,
        makeClient: @escaping @Sendable (ServerLocation) -> RejoinClient
    ) {
        self.terminal = terminal
        self.environment = environment
        self.policy = policy
        self.makeClient = makeClient
    }

    /// Finds the server, or says why there is none.
    ///
    /// - Returns: a client, or the exit code.
    func connect(_ options: ServerLocation.Options) async -> Result<RejoinClient, Refusal> {
        do {
            return .success(makeClient(try ServerLocation.resolve(options, environment: environment)))
        } catch {
            await say(error.description)
            if case .noServer = error { return .failure(Refusal(code: ExitCode.unavailable)) }
            return .failure(Refusal(code: ExitCode.usage))
        }
    }

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
