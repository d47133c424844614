import Foundation

/// Runs a script that stands beside the tests.
enum Python {
    static let path = ProcessInfo.processInfo.environment["REJOIN_TEST_PYTHON"]

    static func run(_ script: String, input: Data) throws -> Data {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(filePath: path ?? "python3")
        process.arguments = ["-B", folder.appending(path: script).path()]
        // Through files: a pipe would fill up on both sides.
        let base = FileManager.default.temporaryDirectory.appending(path: "markdown-\(UUID().uuidString)")
        let (source, sink) = (base.appendingPathExtension("in"), base.appendingPathExtension("out"))
        defer { for file in [source, sink] { try? FileManager.default.removeItem(at: file) } }
        try input.write(to: source)
        try Data().write(to: sink)
        process.standardInput = try FileHandle(forReadingFrom: source)
        process.standardOutput = try FileHandle(forWritingTo: sink)
        try process.run()
        process.waitUntilExit()
        return try Data(contentsOf: sink)
    }
}
