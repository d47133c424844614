import CommandLineTable
import RejoinServer

do {
    switch try Command.rejoin.parse(Array(CommandLine.arguments.dropFirst())) {
    case .help(let path): print(HelpPage(Command.rejoin, path: path, columns: Console.columns))
    case .version: print("rejoin \(Version.current)")
    case .run(let invocation):
        try await run(invocation)
        leave(0)
    }
} catch let error as UsageError {
    Console.exit(UsageError.exitCode, saying: error)
} catch let error as ConfigurationError {
    Console.exit(ConfigurationError.exitCode, saying: error)
} catch {
    Console.exit(1, saying: "rejoin: \(error)")
}

/// Hands a command line that was understood to its command.
func run(_ invocation: Invocation<RejoinAction>) async throws {
    switch invocation.action {
    case .completion: try printCompletion(invocation)
    case .man: printManual()
    case .version: print(Version.current)
    case .serve: try await serve(ServeOptions(invocation))
    case .ask: leave(try await ask(invocation))
    case .chat: leave(try await chat(invocation))
    case .probe: leave(await probe(try ProbeOptions(invocation)))
    case .rewrite: leave(try await rewrite(invocation))
    case .classify: leave(try await classify(invocation))
    case .group: leave(try await group(invocation))
    case .extract: leave(try await extract(invocation))
    case .consentList, .consentGrant, .consentRevoke, .consentMode: leave(try await consent(invocation))
    case .limits, .privacy, .audit, .memoryList, .memoryAdd, .memoryEdit, .memoryAccept, .memoryRemove, .memoryClear,
        .memoryOn, .memoryOff, .deviceList, .deviceRemove, .peopleList, .peopleRole, .peopleClose, .inviteList,
        .inviteAdd, .inviteRevoke:
        leave(try await person(invocation))
    case .assistStats: leave(try await assistStatistics(invocation))
    case .accountAdd: try await addAccount(AccountAddOptions(invocation))
    case .accountList: try await listAccounts(AccountListOptions(invocation))
    case .accountPlan: try await accountPlan(AccountPlanOptions(invocation))
    case .accountDelete: try await deleteAccount(invocation)
    case .accountRole: try await accountRole(invocation)
    case .accountPassword: try await setPassword(invocation)
    case .accountInvite: try await invite(invocation)
    case .login: leave(await login(invocation))
    case .logout: leave(await logout(invocation))
    case .export: try await exportArchive(invocation)
    case .import: leave(try await importArchive(invocation))
    case .backup: try makeBackup(invocation)
    case .restore: try restoreBackup(invocation)
    case .doctor: leave(try examine(invocation))
    case .modelList: listModels(try ModelOptions(invocation))
    case .modelGet: try await getModel(ModelOptions(invocation))
    case .modelRemove: removeModel(try ModelOptions(invocation))
    }
}
