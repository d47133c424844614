package import Foundation
import Synchronization

/// The real `rejoin serve` as a process of its own, in a folder of its own, to be asked, stopped and killed.
package final class ServerProcess: Sendable {
    /// Why a server did not come up, with what it said.
    package struct NotStarted: Error, CustomStringConvertible {
        package let description: String
    }

    /// The folder of data and configuration; it outlives each start.
    package let folder: String
    private let configuration: String?
    private let environment: [String: String]
    private let state = Mutex(State())

    private struct State {
        // SAFETY: only used under the mutex.
        nonisolated(unsafe) var process: Process?
        var port = 0
        var output = ""
        var errors = ""
    }

    /// Prepares a folder; nothing runs yet.
    ///
    /// - Parameter configuration: the text of the configuration file, if there is to be one.
    package init(configuration: String? = nil, environment: [String: String] = [:]) throws {
        folder = NSTemporaryDirectory() + "rejoin-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        self.configuration = configuration
        self.environment = environment
    }

    deinit {
        state.withLock {
            if let process = $0.process, process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The port of the last start.
    package var port: Int { state.withLock { $0.port } }
    /// All that was written to standard output and to standard error so far, over all starts.
    package var output: String { state.withLock { $0.output } }
    package var errors: String { state.withLock { $0.errors } }
    package var data: String { folder + "/data" }

    /// Where the programs of this build are.
    package static var programs: String {
        if let given = ProcessInfo.processInfo.environment["REJOIN_PROGRAMS"] { return given }
        return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
    }

    /// Runs a command of `rejoin` to its end.
    package func rejoin(
        _ arguments: String..., input: String? = nil, environment extra: [String: String] = [:]
    ) async throws -> (status: Int32, output: String, errors: String) {
        try await rejoin(arguments, input: input, environment: extra)
    }

    /// Runs a command of `rejoin` to its end.
    package func rejoin(
        _ arguments: [String], input: String? = nil, environment extra: [String: String] = [:]
    ) async throws -> (status: Int32, output: String, errors: String) {
        let process = make(arguments, extra)
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        let feed = Pipe()
        process.standardInput = feed
        try process.run()
        if let input { feed.fileHandleForWriting.write(Data(input.utf8)) }
        try feed.fileHandleForWriting.close()
        async let output = Self.readAll(out)
        async let errors = Self.readAll(err)
        let texts = await (output, errors)
        process.waitUntilExit()
        return (process.terminationStatus, texts.0, texts.1)
    }

    /// Reads what a process writes until it closes.
    package static func readAll(_ pipe: Pipe) async -> String {
        let handle = pipe.fileHandleForReading
        return await withCheckedContinuation { continuation in
            // A blocking read has a thread of its own.
            Thread.detachNewThread {
                continuation.resume(returning: String(decoding: handle.readDataToEndOfFile(), as: UTF8.self))
            }
        }
    }

    package func make(_ arguments: [String], _ extra: [String: String] = [:]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.programs + "/rejoin")
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("REJOIN_") }
        variables["HOME"] = folder
        variables["XDG_DATA_HOME"] = nil
        process.environment = variables.merging(environment) { $1 }.merging(extra) { $1 }
        return process
    }

    /// Starts the server and waits until it says where it is.
    ///
    /// - Parameter port: the port to take; 0 picks one.
    /// - Throws: ``NotStarted`` if it ended instead, or said nothing within the time.
    package func start(port: Int = 0, within limit: Duration = .seconds(30)) async throws {
        var arguments = ["serve", "--data", data, "--listen", "127.0.0.1:\(port)"]
        if let configuration {
            let file = folder + "/rejoin.json5"
            try configuration.write(toFile: file, atomically: true, encoding: .utf8)
            arguments += ["--config", file]
        }
        let process = make(arguments)
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        process.standardInput = FileHandle.nullDevice
        let already = output.utf8.count
        try process.run()
        state.withLock { $0.process = process }
        collect(out) { [weak self] text in self?.state.withLock { $0.output += text } }
        collect(err) { [weak self] text in self?.state.withLock { $0.errors += text } }
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            let said = String(decoding: output.utf8.dropFirst(already), as: UTF8.self)
            if let range = said.range(of: "http://127.0.0.1:"), said[range.upperBound...].contains(where: \.isNewline) {
                let digits = said[range.upperBound...].prefix(while: \.isNumber)
                state.withLock { $0.port = Int(digits) ?? 0 }
                return
            }
            guard process.isRunning else { break }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw NotStarted(description: "status \(process.isRunning ? -1 : process.terminationStatus): \(errors)")
    }

    private func collect(_ pipe: Pipe, _ take: @escaping @Sendable (String) -> Void) {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread {
            while true {
                let data = handle.availableData
                if data.isEmpty { return }
                take(String(decoding: data, as: UTF8.self))
            }
        }
    }

    /// Kills the process as a crash would, and waits until it is gone.
    package func kill() async { _ = await end(with: SIGKILL) }

    /// Asks the server to stop, and waits until it has.
    ///
    /// - Returns: its exit status.
    @discardableResult
    package func stop() async -> Int32 { await end(with: SIGTERM) }

    /// Sends a signal without waiting.
    package func signal(_ number: Int32) {
        state.withLock { if let process = $0.process { Foundation.kill(process.processIdentifier, number) } }
    }

    package var isRunning: Bool { state.withLock { $0.process?.isRunning ?? false } }

    /// The process's resident memory, in bytes.
    package var residentMemory: Int {
        let identifier = state.withLock { $0.process?.processIdentifier ?? 0 }
        let text = (try? String(contentsOfFile: "/proc/\(identifier)/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }

    private func end(with number: Int32) async -> Int32 {
        signal(number)
        return await waitForExit()
    }

    /// Waits until the process has ended, and returns its exit status.
    package func waitForExit() async -> Int32 {
        while isRunning { try? await Task.sleep(for: .milliseconds(1)) }
        return state.withLock { $0.process?.terminationStatus ?? -1 }
    }
}
