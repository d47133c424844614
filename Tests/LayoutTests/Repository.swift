import Foundation

/// The files of this repository, as the tests of its layout read them.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL

    /// Paths of the files under version control, or of all files where this is a copy without history.
    static let files: [String] = {
        if let listed = try? run(
            "/usr/bin/env", ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]),
            listed.status == 0
        {
            let paths = listed.output.split(separator: "\0").map(String.init)
            return paths.filter { FileManager.default.fileExists(atPath: root.appending(path: $0).path()) }.sorted()
        }
        let all = FileManager.default.enumerator(atPath: root.path())?.allObjects as? [String] ?? []
        return all.filter { path in !path.split(separator: "/").contains { $0.hasPrefix(".") } }.sorted()
    }()

    /// Every Swift file below `Sources` and `Tests`, read once.
    private static let sources: [SourceFile] = files.filter { path in
        path.hasSuffix(".swift") && (path.hasPrefix("Sources/") || path.hasPrefix("Tests/"))
    }.compactMap { path in
        (try? text(of: path)).map { SourceFile(path: path, text: $0) }
    }

    /// The Swift files below a folder.
    static func swift(in folder: String) -> [SourceFile] { sources.filter { $0.path.hasPrefix(folder + "/") } }

    static func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    /// Runs a program in the repository.
    static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = root
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
