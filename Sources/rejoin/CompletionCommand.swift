import CommandLineTable

/// `rejoin completion SHELL`.
func printCompletion(_ invocation: Invocation<RejoinAction>) throws(UsageError) {
    guard let shell = CompletionScript.Shell(rawValue: invocation[argument: "SHELL"]) else {
        throw UsageError(path: invocation.path, "there is no completion for this shell")
    }
    print(CompletionScript(Command.rejoin, shell: shell), terminator: "")
}
