import CommandLineTable
import Foundation
import RejoinCore
import RejoinServer

/// `rejoin backup`: copies the database while it is in use, and lets old copies go.
func makeBackup(_ invocation: Invocation<RejoinAction>) throws {
    let folder = invocation[argument: "FOLDER"]
    let database = DataFolder.database(in: try Environment.dataFolder(invocation[option: "data"]))
    var days = 30
    if let text = invocation[option: "keep"] {
        guard let number = Int(text), (1...36_500).contains(number) else {
            throw UsageError(path: invocation.path, "--keep is a number of days, at least 1, not \"\(text)\"")
        }
        days = number
    }
    let now = Surroundings.system.wall()
    do {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let file = folder + "/" + DatabaseBackup.name(at: now)
        let size = try DatabaseBackup.make(of: database, to: file, wait: Surroundings.system.doze)
        print("\(file), \(size) bytes")
        let before = now.advanced(byMilliseconds: -Int64(days) * 86_400_000)
        for name in DatabaseBackup.expire(in: folder, before: before) { print("deleted \(name)") }
    } catch let failure as DatabaseBackup.Failure {
        Console.exit(74, saying: "rejoin: \(failure)")
    } catch {
        Console.exit(73, saying: "rejoin: \(folder) cannot be made.")
    }
}

/// `rejoin restore`: puts a backup where the server looks for its database.
func restoreBackup(_ invocation: Invocation<RejoinAction>) throws {
    let folder = try Environment.dataFolder(invocation[option: "data"])
    do {
        // Held while it is done, so that no server starts meanwhile.
        let data = try DataFolder(folder)
        try DatabaseBackup.restore(invocation[argument: "FILE"], to: data.database)
        print("\(data.database) is there again.")
    } catch let failure as StartFailure {
        Console.exit(failure.code.rawValue, saying: "rejoin: \(failure)")
    } catch let failure as DatabaseBackup.Failure {
        Console.exit(74, saying: "rejoin: \(failure)")
    }
}

/// `rejoin doctor`: says of each thing that a server needs how it is.
func examine(_ invocation: Invocation<RejoinAction>) throws -> Int32 {
    let configuration = try Configuration.load(
        file: invocation[option: "config"], environment: Environment.variables,
        flags: ConfigurationFlags(data: invocation[option: "data"], listen: invocation[option: "listen"]))
    let findings = Doctor(configuration).examine()
    for finding in findings {
        let mark =
            switch finding.verdict {
            case .fine: "fine   "
            case .warning: "warning"
            case .broken: "BROKEN "
            }
        print("\(mark)  \(finding.subject): \(finding.words)")
    }
    return findings.contains { $0.verdict == .broken } ? 1 : 0
}
