import Foundation

/// Compiles a few lines against the modules that these tests were built with: what must not compile is tested so.
enum Compiler {
    /// Compiles to the intermediate form, where the checks of moves have run too.
    ///
    /// - Returns: whether it compiles, and what the compiler said.
    static func compile(_ source: String) throws -> (compiles: Bool, output: String) {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "compile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Snippet.swift")
        try Data(source.utf8).write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-emit-sil", "-o", "/dev/null", "-parse-as-library", "-swift-version", "6", "-I",
            build.appending(path: "Modules").path, file.path,
        ]
        let pipe = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus == 0, String(decoding: output, as: UTF8.self))
    }

    /// The folder that the package was built into, beside the running tests.
    private static let build: URL = {
        let candidates = CommandLine.arguments + [Bundle.main.executablePath ?? ""]
        let tests = candidates.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(filePath: tests).deletingLastPathComponent()
    }()
}
