import CommandLineTable
import Foundation
import RejoinCore
import RejoinServer

/// `rejoin export`: writes everything of an account to one archive.
func exportArchive(_ invocation: Invocation<RejoinAction>) async throws {
    guard let out = invocation[option: "out"] else { return }
    let store = try openStore(try Environment.dataFolder(invocation[option: "data"]))
    let account = try await account(invocation, in: store)
    guard !FileManager.default.fileExists(atPath: out) else {
        Console.exit(73, saying: "rejoin: \(out) exists already.")
    }
    var conversations = 0
    var size = 0
    do {
        var writer = try ArchiveWriter(path: out)
        try await Exporter(store: store, account: account, now: Surroundings.system.wall()).run {
            try writer.write($0)
        } progress: { done, _ in
            conversations = done
        }
        try writer.finish()
        size = writer.size
    } catch let failure as StoreFailure {
        throw failure
    } catch {
        Console.exit(73, saying: "rejoin: \(out) cannot be written.")
    }
    try await store.close()
    print("\(conversations) conversations of \(account.name), \(size) bytes: \(out)")
}

/// `rejoin import`: adds an archive's conversations and names what it could not take.
func importArchive(_ invocation: Invocation<RejoinAction>) async throws -> Int32 {
    let file = invocation[argument: "FILE"]
    let store = try openStore(try Environment.dataFolder(invocation[option: "data"]))
    let account = try await account(invocation, in: store)
    var importer = Importer(store: store, account: account.id, now: Surroundings.system.wall())
    do {
        var reader = try ArchiveReader(path: file)
        while let bytes = try reader.next() { try await importer.take(bytes) }
    } catch ArchiveReader.Failure.zip {
        Console.exit(65, saying: "rejoin: \(file) is a ZIP. Unpack it, and import the conversations in it.")
    } catch ArchiveReader.Failure.damaged {
        // What came before the damage was taken.
        Console.say("rejoin: \(file) is damaged or cut short.")
    } catch let failure as StoreFailure {
        throw failure
    } catch {
        Console.exit(66, saying: "rejoin: \(file) cannot be read.")
    }
    try await importer.endFile()
    try await store.close()
    let report = importer.report
    print(
        "Added \(report.turns) prompts and \(report.answers) answers in \(report.conversations) conversations; "
            + "\(report.unchanged) were here already.")
    if report.facts > 0 { print("Added \(report.facts) to what is remembered.") }
    for fault in report.faults {
        Console.say("left out: value \(fault.value)\(fault.id.map { ", id \($0)" } ?? ""): \(fault.reason.words)")
    }
    if report.faultCount > report.faults.count {
        Console.say("left out: \(report.faultCount - report.faults.count) more")
    }
    if report.faultCount == 0 { return 0 }
    return report.conversations + report.unchanged == 0 ? 65 : 1
}

/// The account that a command is about.
private func account(_ invocation: Invocation<RejoinAction>, in store: SQLiteStore) async throws -> AccountRecord {
    if let name = invocation[option: "account"] {
        if let account = try await store.account(named: name) { return account }
        Console.exit(66, saying: "rejoin: There is no account \(name).")
    }
    if let oldest = try await store.accounts().first { return oldest }
    Console.exit(66, saying: "rejoin: There is no account yet. Make one: rejoin account add NAME")
}

extension ImportReport.Fault.Reason {
    /// What a person reads.
    fileprivate var words: String {
        switch self {
        case .notJSON: "not valid JSON"
        case .cutShort: "the file ends within it"
        case .tooLarge: "larger than 32 MB"
        case .tooDeep: "nested too deeply"
        case .unknownShape: "of no export that is known"
        case .noID: "it has no id of its own"
        case .unreadableMessage: "a message that cannot be read"
        case .unknownContent: "content of a kind that is not known"
        case .missingParent: "what it belongs to is not in the file"
        case .ring: "messages that answer each other in a ring"
        case .empty: "nothing was said in it"
        case .noRoom: "no more facts can be remembered"
        case .incomplete: "the archive says that more was in it"
        }
    }
}
