import CommandLineTable
import Foundation
import RejoinCore
import RejoinServer

/// `rejoin account role`: shows what an account may do, or changes it, a server running or not.
func accountRole(_ invocation: Invocation<RejoinAction>) async throws {
    let store = try openStore(Environment.dataFolder(invocation[option: "data"]))
    let account = try await account(named: invocation[argument: "NAME"], in: store)
    if let role = Role(rawValue: invocation[argument: "ROLE"]) {
        if case .lastOwner = try await store.setRole(role, of: account.id, now: Surroundings.system.wall()) {
            Console.exit(65, saying: "rejoin: \(account.name) is the last owner. Make another account an owner first.")
        }
    } else {
        print(account.role.rawValue)
    }
    try await store.close()
}

/// `rejoin account password`: sets a password, a server running or not.
func setPassword(_ invocation: Invocation<RejoinAction>) async throws {
    let store = try openStore(Environment.dataFolder(invocation[option: "data"]))
    let account = try await account(named: invocation[argument: "NAME"], in: store)
    guard let password = Console.readSecret("New password of \(account.name): ", again: "Once more: ") else {
        Console.exit(64, saying: "rejoin: Nothing was changed: no password was given, or two different ones.")
    }
    do {
        let accounts = Accounts(store: store, surroundings: .system)
        let count = try await accounts.setPassword(of: account.id, to: password, keeping: nil) ?? 0
        Console.say("The password of \(account.name) is set." + (count > 0 ? " \(count) devices are signed out." : ""))
    } catch let problem as Problem {
        Console.exit(64, saying: "rejoin: \(problem.detail)")
    }
    try await store.close()
}

/// `rejoin account invite`: prints a link that creates an account.
func invite(_ invocation: Invocation<RejoinAction>) async throws {
    let (uses, days) = (try invocation.invitedUses, try invocation.invitedDays)
    let folder = try Environment.dataFolder(invocation[option: "data"])
    let store = try openStore(folder)
    guard let owner = try await store.accounts().first(where: { $0.role == .owner }) else {
        Console.exit(65, saying: "rejoin: There is no account yet. Start the server once, or add one.")
    }
    guard var address = invocation[option: "address"] ?? DataFolder.address(in: folder) else {
        Console.exit(65, saying: "rejoin: No server has run with this data folder yet; say where it is with --address.")
    }
    while address.hasSuffix("/") { address.removeLast() }
    let (_, code) = try await Accounts(store: store, surroundings: .system).makeInvite(
        by: owner.id, uses: uses, validFor: .seconds(days * 86_400))
    print("\(address)/#invite=\(code)")
    try await store.close()
}

private func account(named name: String, in store: SQLiteStore) async throws -> AccountRecord {
    guard let account = try await store.account(named: name) else {
        Console.exit(67, saying: "rejoin: there is no account \"\(name)\"")
    }
    return account
}
