import Foundation
import TestSupport

/// One command in a network of its own, where every packet is its own, and under a tracer of its calls.
struct NetworkWatch {
    /// The packets that it sent.
    let packets: Int
    /// Its calls that have to do with a network.
    let calls: [String]
    let status: Int32
    let output: String
    let errors: String

    /// Whether this machine lets a test do so.
    static let isPossible =
        Tool.run("unshare", "-n", "ip", "link", "set", "lo", "up") == 0
        && Tool.run("strace", "-f", "-qq", "-e", "trace=%network", "-o", "/dev/null", "true") == 0

    /// Runs `rejoin` with these words, `GROUPS` standing for a file of two groups.
    static func run(
        _ words: [String], input: String = "", environment: [String: String] = [:], in server: ServerProcess
    ) async throws -> NetworkWatch {
        let groups = server.folder + "/groups.txt"
        try "Food: bread; apples\nHousehold: soap\n".write(toFile: groups, atomically: true, encoding: .utf8)
        let trace = server.folder + "/trace.txt"
        let counters = server.folder + "/packets.txt"
        let script = """
            ip link set lo up || exit 90
            strace -f -qq -e trace=%network -o '\(trace)' "$@"
            code=$?
            cat /proc/net/dev > '\(counters)'
            exit $code
            """
        let program = ServerProcess.programs + "/rejoin"
        let process = server.make([], environment)
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["unshare", "-n", "sh", "-c", script, "watch", program] + words.map { $0 == "GROUPS" ? groups : $0 }
        let (out, err, feed) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        process.standardInput = feed
        try process.run()
        feed.fileHandleForWriting.write(Data(input.utf8))
        try feed.fileHandleForWriting.close()
        async let output = ServerProcess.readAll(out)
        async let errors = ServerProcess.readAll(err)
        let texts = await (output, errors)
        process.waitUntilExit()
        let calls = try String(contentsOfFile: trace, encoding: .utf8)
        return NetworkWatch(
            packets: sent(in: try String(contentsOfFile: counters, encoding: .utf8)),
            // A pair of sockets within the process reaches nobody, and a thread that ends makes no call.
            calls: calls.split(separator: "\n").map(String.init).filter {
                !$0.contains("socketpair(AF_UNIX") && !$0.contains("<detached ...>")
            }, status: process.terminationStatus,
            output: texts.0, errors: texts.1)
    }

    /// The packets that every device of a network sent, from the kernel's table.
    private static func sent(in table: String) -> Int {
        table.split(separator: "\n").dropFirst(2).reduce(0) { sum, line in
            let columns = line.split { $0 == " " || $0 == ":" }
            return sum + (columns.count > 10 ? Int(columns[10]) ?? 0 : 0)
        }
    }
}

/// What a machine of a test has.
enum Tool {
    /// Runs a program; its exit code, or -1 where there is no such program.
    static func run(_ words: String...) -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return -1 }
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// A small model for tests; nil where there is none.
    static let model: String? = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let named = ProcessInfo.processInfo.environment["REJOIN_TEST_MODEL"]
        let path = named ?? package.appending(path: "models/smollm2-135m.gguf").path
        return FileManager.default.isReadableFile(atPath: path) ? path : nil
    }()
}
