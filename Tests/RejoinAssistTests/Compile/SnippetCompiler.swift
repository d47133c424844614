import Foundation

/// Compiles snippets as code of another package would be, against the modules that this test was built with.
struct SnippetCompiler {
    /// What the compiler said of each file, by its name.
    typealias Errors = [String: [String]]

    struct NoModules: Error {}

    private let modules: URL

    /// Finds the modules beside the program that runs the tests.
    init() throws {
        let program = URL(filePath: ProcessInfo.processInfo.arguments[0]).resolvingSymlinksInPath()
        var folders = [program.deletingLastPathComponent()]
        if let bundle = ProcessInfo.processInfo.arguments.first(where: { $0.hasSuffix(".xctest") }) {
            folders.append(URL(filePath: bundle).deletingLastPathComponent())
        }
        if let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
            folders.append(URL(filePath: link).deletingLastPathComponent())
        }
        guard
            let found = folders.map({ $0.appending(path: "Modules") }).first(where: {
                FileManager.default.fileExists(atPath: $0.appending(path: "RejoinAssist.swiftmodule").path())
            })
        else { throw NoModules() }
        modules = found
    }

    /// Compiles files as one module, as far as the compiler's own checks of what is used up and when.
    func errors(in files: [String: String]) async throws -> Errors {
        let folder = FileManager.default.temporaryDirectory.appending(path: "snippets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var paths: [String] = []
        for (name, text) in files.sorted(by: { $0.key < $1.key }) {
            let file = folder.appending(path: "\(name).swift")
            try Data("import RejoinAssist\nimport RejoinCore\n\n\(text)\n".utf8).write(to: file)
            paths.append(file.path())
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "swiftc", "-emit-sil", "-o", "/dev/null", "-wmo", "-swift-version", "6", "-diagnostic-style", "llvm",
                "-module-name", "Snippets", "-module-cache-path",
                modules.deletingLastPathComponent().appending(path: "ModuleCache").path(),
                "-I", modules.path(), "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
                "-enable-upcoming-feature", "InferIsolatedConformances", "-enable-upcoming-feature", "ExistentialAny",
            ] + paths
        let output = folder.appending(path: "output")
        try Data().write(to: output)
        process.standardError = try FileHandle(forWritingTo: output)
        process.standardOutput = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        var errors: Errors = [:]
        for line in try String(contentsOf: output, encoding: .utf8).split(separator: "\n") {
            guard let mark = line.firstRange(of: ": error: ") else { continue }
            let file = line[..<mark.lowerBound].split(separator: ":").first.map { URL(filePath: String($0)) }
            let name = file?.deletingPathExtension().lastPathComponent ?? ""
            errors[name, default: []].append(String(line[mark.upperBound...]))
        }
        if status != 0, errors.isEmpty {
            errors[""] = [try String(contentsOf: output, encoding: .utf8)]
        }
        return errors
    }
}
