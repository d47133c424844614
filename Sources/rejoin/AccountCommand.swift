import CommandLineTable
import Foundation
import RejoinCore
import RejoinServer

/// `rejoin account add`, as it was typed.
struct AccountAddOptions {
    var name: String
    var dataFolder: String
    var keepsHistory: Bool

    init(_ invocation: Invocation<RejoinAction>) throws(ConfigurationError) {
        name = invocation[argument: "NAME"]
        dataFolder = try Environment.dataFolder(invocation[option: "data"])
        keepsHistory = !invocation.switches.contains("no-history")
    }
}

/// `rejoin account plan`, as it was typed.
struct AccountPlanOptions {
    var name: String
    /// Empty to show the plan.
    var plan: String
    var dataFolder: String
    /// The plans there are; nil where no configuration says.
    var plans: [String]?

    init(_ invocation: Invocation<RejoinAction>) throws(ConfigurationError) {
        name = invocation[argument: "NAME"]
        plan = invocation[argument: "PLAN"]
        let file = invocation[option: "config"]
        let configuration = try Configuration.load(
            file: file, environment: Environment.variables, flags: ConfigurationFlags(data: invocation[option: "data"]))
        dataFolder = configuration.dataFolder
        if file != nil || Environment.variables["REJOIN_CONFIG"] != nil {
            plans = configuration.plans.plans.map(\.name)
        }
    }
}

/// `rejoin account list`, as it was typed.
struct AccountListOptions {
    var dataFolder: String

    init(_ invocation: Invocation<RejoinAction>) throws(ConfigurationError) {
        dataFolder = try Environment.dataFolder(invocation[option: "data"])
    }
}

/// `rejoin account add`: creates an account and prints its token, alone.
func addAccount(_ options: AccountAddOptions) async throws {
    let store = try openStore(options.dataFolder)
    let accounts = Accounts(store: store, surroundings: .system)
    do {
        let account = try await accounts.create(
            name: options.name, password: nil, keepsHistory: options.keepsHistory)
        let (_, token) = try await accounts.openSession(of: account.id, device: "rejoin account add")
        print(token)
    } catch let problem as Problem {
        Console.exit(problem.kind == .conflict ? 73 : 64, saying: "rejoin: \(problem.detail)")
    }
    try await store.close()
}

/// `rejoin account list`: one name a line, oldest first, with the plan of those that have their own and who is an owner.
func listAccounts(_ options: AccountListOptions) async throws {
    let store = try openStore(options.dataFolder)
    for account in try await store.accounts() {
        let fields = [account.name, account.plan ?? "", account.role == .owner ? "owner" : ""]
        print(fields[...(fields.lastIndex { !$0.isEmpty } ?? 0)].joined(separator: "\t"))
    }
    try await store.close()
}

/// `rejoin account plan`: shows what an account may use, or changes it.
func accountPlan(_ options: AccountPlanOptions) async throws {
    let store = try openStore(options.dataFolder)
    guard let account = try await store.account(named: options.name) else {
        Console.exit(67, saying: "rejoin: there is no account \"\(options.name)\"")
    }
    if options.plan.isEmpty {
        print(account.plan ?? "none")
    } else {
        if let plans = options.plans, options.plan != "none", !plans.contains(options.plan) {
            let names = plans.isEmpty ? "there are none" : "there are " + plans.joined(separator: ", ")
            Console.exit(65, saying: "rejoin: there is no plan \"\(options.plan)\"; \(names)")
        }
        let plan = options.plan == "none" ? nil : options.plan
        _ = try await store.setPlan(plan, of: account.id, now: Surroundings.system.wall())
    }
    try await store.close()
}

/// `rejoin account delete`: closes an account, a server running or not.
func deleteAccount(_ invocation: Invocation<RejoinAction>) async throws {
    let name = invocation[argument: "NAME"]
    let folder = try Environment.dataFolder(invocation[option: "data"])
    let store = try openStore(folder)
    guard let account = try await store.account(named: name) else {
        Console.exit(66, saying: "rejoin: There is no account \(name).")
    }
    if try await store.isLastOwner(account.id) {
        Console.exit(
            65,
            saying:
                "rejoin: \(account.name) is the last owner, and there are other accounts. Make another one an owner "
                + "first: rejoin account role NAME owner")
    }
    if !invocation.switches.contains("yes") {
        print("This deletes everything of \(account.name) for good. Type the name to go on: ", terminator: "")
        fflush(nil)
        guard readLine() == account.name else { Console.exit(1, saying: "Nothing was deleted.") }
    }
    let now = Surroundings.system.wall()
    // One by one, so that a running server's answers do not wait for a long deletion.
    for id in try await store.conversationIDs(of: account.id) {
        _ = try await store.deleteConversation(id, of: account.id, now: now)
    }
    let tasks = try await store.tasks(of: account.id)
    _ = try await store.deleteAccount(account.id, now: now)
    for task in tasks {
        let file = DataFolder.archives(in: folder) + "/\(task.id)"
        for ending in ["", ".part"] { try? FileManager.default.removeItem(atPath: file + ending) }
    }
    while try await store.sweepSearch() {}
    try await store.close()
    print("Everything of \(account.name) was deleted. Backups made before keep it until they are deleted.")
}

/// Opens the database of a data folder, which a server may be using meanwhile.
func openStore(_ folder: String) throws -> SQLiteStore {
    try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let database = DataFolder.database(in: folder)
    do {
        return try SQLiteStore(path: database) { _, _ in }
    } catch {
        let failure = StartFailure(error, database: database)
        Console.exit(failure.code.rawValue, saying: "rejoin: \(failure)")
    }
}
