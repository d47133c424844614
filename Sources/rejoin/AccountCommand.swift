import CommandLineTable
import Foundation
import RejoinCore
import RejoinServer

/// `rejoin account add`, as it was typed.
struct AccountAddOptions {
    var name: String
    var dataFolder: String

    init(_ invocation: Invocation<RejoinAction>) throws(ConfigurationError) {
        name = invocation[argument: "NAME"]
        dataFolder = try Environment.dataFolder(invocation[option: "data"])
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
        let account = try await accounts.create(name: options.name, password: nil)
        let (_, token) = try await accounts.openSession(of: account.id, device: "rejoin account add")
        print(token)
    } catch let problem as Problem {
        Console.exit(problem.kind == .conflict ? 73 : 64, saying: "rejoin: \(problem.detail)")
    }
    try await store.close()
}

/// `rejoin account list`: one name a line, oldest first.
func listAccounts(_ options: AccountListOptions) async throws {
    let store = try openStore(options.dataFolder)
    for account in try await store.accounts() { print(account.name) }
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
