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

/// `rejoin account list`: one name a line, oldest first, and after a tab the plan of those that have their own.
func listAccounts(_ options: AccountListOptions) async throws {
    let store = try openStore(options.dataFolder)
    for account in try await store.accounts() {
        print(account.name + (account.plan.map { "\t" + $0 } ?? ""))
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

/// Opens the database of a data folder, which a server may be using meanwhile.
private func openStore(_ folder: String) throws -> SQLiteStore {
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
