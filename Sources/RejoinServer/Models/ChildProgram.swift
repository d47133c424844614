internal import Foundation
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Another program, run to its end without a word of its output.
struct ChildProgram: Sendable {
    private enum Stage { case before, running(Process), over }

    private let name: String

    /// Names a program that the path leads to, or one by its own path.
    init(_ name: String) { self.name = name }

    /// Runs it and says whether it succeeded.
    ///
    /// - Parameter environment: what it gets beside this process's own.
    /// - Throws: `CancellationError` when the task is cancelled, after the program has ended.
    func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Bool {
        try Task.checkCancellation()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let stage = Mutex(Stage.before)
        let isSuccess = await withTaskCancellationHandler {
            await withCheckedContinuation { (ended: CheckedContinuation<Bool, Never>) in
                process.terminationHandler = { process in
                    ended.resume(returning: process.terminationReason == .exit && process.terminationStatus == 0)
                }
                let isRunning = stage.withLock { stage in
                    guard case .before = stage, (try? process.run()) != nil else { return false }
                    stage = .running(process)
                    return true
                }
                if !isRunning { ended.resume(returning: false) }
            }
        } onCancel: {
            stage.withLock { stage in
                // Not a request to terminate: the child inherits a mask that blocks it from the threads of tasks.
                if case .running(let process) = stage, process.isRunning { kill(process.processIdentifier, SIGKILL) }
                stage = .over
            }
        }
        try Task.checkCancellation()
        return isSuccess
    }
}
