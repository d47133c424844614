internal import Foundation
internal import Synchronization

/// Another program, run to its end.
struct ChildProgram: Sendable {
    /// How a run ended, and what it wrote to standard output.
    struct Ending: Sendable {
        var isSuccess: Bool
        var output: String
    }

    private enum Stage { case before, running(Process), over }

    private let name: String

    /// Names a program that the path leads to, or one by its own path.
    init(_ name: String) { self.name = name }

    /// Runs it; what it writes to standard error is dropped.
    ///
    /// - Parameter environment: what it gets beside this process's own.
    /// - Throws: `CancellationError` when the task is cancelled, after the program has ended.
    func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Ending {
        try Task.checkCancellation()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        let stage = Mutex(Stage.before)
        let ending = await withTaskCancellationHandler {
            await withCheckedContinuation { (ended: CheckedContinuation<Ending, Never>) in
                DispatchQueue.global().async {
                    let isRunning = stage.withLock { stage in
                        guard case .before = stage, (try? process.run()) != nil else { return false }
                        stage = .running(process)
                        return true
                    }
                    guard isRunning else { return ended.resume(returning: Ending(isSuccess: false, output: "")) }
                    let output = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
                    process.waitUntilExit()
                    stage.withLock { $0 = .over }
                    ended.resume(
                        returning: Ending(
                            isSuccess: process.terminationReason == .exit && process.terminationStatus == 0,
                            output: String(decoding: output, as: UTF8.self)))
                }
            }
        } onCancel: {
            stage.withLock { stage in
                if case .running(let process) = stage { process.terminate() }
                stage = .over
            }
        }
        try Task.checkCancellation()
        return ending
    }
}
