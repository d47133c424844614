import Foundation

/// Runs a script that stands beside the tests.
enum Python {
    static func run(_ script: String, input: Data) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(filePath: ProcessInfo.processInfo.environment["REJOIN_TEST_PYTHON"] ?? "python3")
        process.arguments = ["-B", folder.appending(path: script).path()]
        let (source, sink) = (Pipe(), Pipe())
        process.standardInput = source
        process.standardOutput = sink
        process.standardError = sink
        try process.run()
        try source.fileHandleForWriting.write(contentsOf: input)
        try source.fileHandleForWriting.close()
        let output = try sink.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
