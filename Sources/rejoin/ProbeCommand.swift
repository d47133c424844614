import CommandLineTable
import Foundation
import RejoinClient
import RejoinCore
import RejoinProbe
import RejoinTerminal

/// `rejoin probe`, as it was typed.
struct ProbeOptions {
    var subject: ProbeCommand.Subject
    var probes = Probe.all
    var worksheet: String?
    var json: String?

    init(_ invocation: Invocation<RejoinAction>) throws(UsageError) {
        let variables = Environment.variables
        let (target, endpoint) = (invocation[option: "target"], invocation[option: "openai"])
        for (name, given) in [("target", target), ("openai", endpoint)] {
            if let given, !given.hasPrefix("http://"), !given.hasPrefix("https://") {
                throw UsageError(path: invocation.path, "--\(name) is an address such as http://127.0.0.1:8787")
            }
        }
        let token = invocation[option: "token"]
        switch (target, endpoint) {
        case (nil, nil):
            guard let program = Bundle.main.executablePath else {
                throw UsageError(
                    path: invocation.path, "this program cannot find itself; start a server and name it with --target")
            }
            subject = .own(program: program)
        case (let target?, nil):
            guard let token = token ?? variables["REJOIN_TOKEN"] else {
                throw UsageError(path: invocation.path, "--target needs --token, or the variable REJOIN_TOKEN")
            }
            subject = .target(
                Stage.Target(
                    address: target, token: token, spareToken: invocation[option: "spare-token"],
                    model: invocation[option: "model"] ?? "auto"))
        case (nil, let endpoint?):
            guard let model = invocation[option: "model"] else {
                throw UsageError(path: invocation.path, "--openai needs --model")
            }
            subject = .endpoint(
                ChatEndpoint(
                    address: endpoint, model: model, key: token ?? variables["OPENAI_API_KEY"],
                    transport: CurlTransport()))
        case (_?, _?): throw UsageError(path: invocation.path, "--target and --openai exclude each other")
        }
        if let only = invocation[option: "only"] {
            guard let named = ProbeCommand.probes(named: only) else {
                let numbers = Probe.all.map(\.number).joined(separator: ", ")
                throw UsageError(path: invocation.path, "--only names probes: \(numbers), not \"\(only)\"")
            }
            probes = named
        }
        worksheet = invocation[option: "worksheet"]
        json = invocation[option: "json"]
    }
}

/// `rejoin probe`: proves the behaviour from outside; the exit code says whether all came out as decided.
func probe(_ options: ProbeOptions) async -> Int32 {
    let isPlain = isatty(STDOUT_FILENO) == 0 || Environment.variables["NO_COLOR"]?.isEmpty == false
    let command = ProbeCommand(
        subject: options.subject, probes: options.probes, columns: Console.columns, isPlain: isPlain
    ) { line in
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
    do {
        // A signal ends the run in order: the server and the folder of the stage go with it.
        let stops = Signals.stops()
        let worksheet = try await withThrowingTaskGroup(of: Worksheet?.self) { group in
            group.addTask { try await command.run(now: IDSource.system.now()) }
            group.addTask {
                for await _ in stops { break }
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let worksheet else { return 130 }
        if let path = options.worksheet {
            try worksheet.markdown.write(toFile: path, atomically: true, encoding: .utf8)
        }
        if let path = options.json { try worksheet.json.write(toFile: path, atomically: true, encoding: .utf8) }
        return worksheet.isAcceptable ? 0 : 1
    } catch let error as ClientError where error.code == ClientError.Code(.unauthenticated) {
        Console.exit(ExitCode.notSignedIn, saying: "rejoin: \(error)")
    } catch {
        Console.exit(ExitCode.unavailable, saying: "rejoin: \(error)")
    }
}
