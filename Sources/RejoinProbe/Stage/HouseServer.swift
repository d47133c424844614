import Foundation
import Synchronization

/// A `rejoin serve` of this program's own, as a process in a folder that goes with it.
final class HouseServer: Sendable {
    /// Why it did not come up; the description is for the person.
    struct NotStarted: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        // SAFETY: only used under the mutex.
        nonisolated(unsafe) var process: Process?
        var port = 0
        var starts = 0
    }

    private let program: String
    private let folder: String
    private let state = Mutex(State())

    /// Prepares it; nothing runs yet.
    ///
    /// - Parameters:
    ///   - program: the path of `rejoin`.
    ///   - models: what the scripted model server understands, the standard one first.
    init(program: String, folder: String, models: [String], at baseURL: String) throws {
        self.program = program
        self.folder = folder
        let entries = models.map { name in
            #"{ name: "\#(name)", kind: "openai", base_url: "\#(baseURL)", model: "\#(name)" }"#
        }
        try "{ models: [\(entries.joined(separator: ", "))], titles: \"off\" }"
            .write(toFile: folder + "/rejoin.json5", atomically: true, encoding: .utf8)
    }

    deinit { state.withLock { Self.end($0.process) } }

    var address: String { state.withLock { "http://127.0.0.1:\($0.port)" } }

    /// Starts it, at the same port as before if it ran before.
    ///
    /// - Throws: ``NotStarted``.
    func start() async throws {
        let (port, start) = state.withLock { state in
            state.starts += 1
            return (state.port, state.starts)
        }
        let said = folder + "/serve-\(start)"
        let process = try run(
            [
                "serve", "--data", folder + "/data", "--config", folder + "/rejoin.json5", "--listen",
                "127.0.0.1:\(port)",
            ],
            saying: said)
        state.withLock { $0.process = process }
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end, process.isRunning {
            if let port = Self.port(in: Self.text(of: said)) { return state.withLock { $0.port = port } }
            try await ContinuousClock().sleep(for: .milliseconds(10))
        }
        throw NotStarted(description: "the server did not start: " + Self.text(of: said + ".errors"))
    }

    /// Ends it as a crash would, and starts it again at the same place.
    func crash() async throws {
        await stop()
        try await start()
    }

    /// Ends it.
    func stop() async {
        state.withLock { Self.end($0.process) }
        while isRunning { try? await ContinuousClock().sleep(for: .milliseconds(5)) }
    }

    private var isRunning: Bool { state.withLock { $0.process?.isRunning ?? false } }

    /// Creates an account.
    ///
    /// - Returns: its token.
    func addAccount(_ name: String) async throws -> String {
        let said = folder + "/account-\(name)"
        let process = try run(["account", "add", name, "--data", folder + "/data"], saying: said)
        while process.isRunning { try await ContinuousClock().sleep(for: .milliseconds(5)) }
        let token = Self.text(of: said).filter { !$0.isWhitespace }
        guard process.terminationStatus == 0, !token.isEmpty else {
            throw NotStarted(description: "no account could be made: " + Self.text(of: said + ".errors"))
        }
        return token
    }

    private func run(_ arguments: [String], saying path: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        // Nothing that is set for the person's own server may reach this one.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("REJOIN_") }
        let files = FileManager.default
        for end in ["", ".errors"] {
            // A token is written there.
            _ = files.createFile(atPath: path + end, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        process.standardOutput = FileHandle(forWritingAtPath: path)
        process.standardError = FileHandle(forWritingAtPath: path + ".errors")
        process.standardInput = FileHandle.nullDevice
        do { try process.run() } catch { throw NotStarted(description: "\(program) cannot be run: \(error)") }
        return process
    }

    private static func end(_ process: Process?) {
        guard let process, process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
    }

    private static func text(of path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    /// The port that a server says it has taken, once the line is whole.
    private static func port(in said: String) -> Int? {
        guard let range = said.range(of: "http://127.0.0.1:"), said[range.upperBound...].contains(where: \.isNewline)
        else { return nil }
        return Int(said[range.upperBound...].prefix(while: \.isNumber))
    }
}
