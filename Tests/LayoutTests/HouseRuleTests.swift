import Foundation
import Testing

@Suite struct HouseRuleTests {
    /// The files in which `Task.sleep` is right, each with the reason.
    ///
    /// Everything else waits on the one wheel or on a clock that was handed in.
    private static let maySleep = [
        "Sources/RejoinServer/Surroundings/Surroundings+System.swift": "the system's clock, which the rest is given",
        "Sources/Rehearsal/ScriptedUpstream.swift": "waits in tests for a state of another thread, with a bound",
        "Sources/TestSupport/ServerProcess.swift": "waits in tests for another process, with a bound",
    ]

    @Test func `every promise that the compiler cannot check says why it holds`() throws {
        var wrong: [String] = []
        for folder in ["Sources", "Tests"] {
            for file in Repository.swift(in: folder) {
                wrong += file.places { index, line in
                    let isPromise =
                        line.code.contains("@unchecked Sendable") || line.code.contains("nonisolated(unsafe)")
                    return isPromise && !file.isExplained(at: index, by: "SAFETY:")
                }
            }
        }
        #expect(wrong.isEmpty, "no // SAFETY: at\n\(wrong.joined(separator: "\n"))")
    }

    @Test func `nothing that can trap stands without a reason`() throws {
        var wrong: [String] = []
        for file in Repository.swift(in: "Sources") {
            wrong += file.places { index, line in
                guard line.code.utf8.contains(UInt8(ascii: "!")) else { return false }
                let traps =
                    line.code.contains("try!") || line.code.contains("as!")
                    || line.code.contains(/[\w\)\]]!(?=[\.\)\],;:\s\[\(\?]|$)/)
                return traps && !file.isExplained(at: index)
            }
        }
        #expect(wrong.isEmpty, "no reason at\n\(wrong.joined(separator: "\n"))")
    }

    @Test func `no file is longer than can be read in one sitting`() throws {
        let endings = [".swift", ".c", ".h", ".js", ".mjs", ".css", ".html", ".py", ".sh"]
        var wrong: [String] = []
        for path in Repository.files where endings.contains(where: path.hasSuffix) {
            let count = try Repository.text(of: path).split(separator: "\n", omittingEmptySubsequences: false).count - 1
            if count > 600 { wrong.append("\(path): \(count) lines") }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test func `no file names the host of a package registry`() throws {
        // Put together here, so that this file names none either.
        let hosts = [
            ["pypi", "org"], ["pythonhosted", "org"], ["deb.debian", "org"], ["security.debian", "org"],
            ["registry.npmjs", "org"], ["crates", "io"], ["rubygems", "org"], ["proxy.golang", "org"],
        ].map { $0.joined(separator: ".") }
        var wrong: [String] = []
        for path in Repository.files where path != "LICENSE" {
            // A link to a folder is listed like a file.
            let file = Repository.root.appending(path: path).resolvingSymlinksInPath()
            if try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true { continue }
            let text = try Repository.text(of: path)
            wrong += hosts.filter(text.contains).map { "\(path) names \($0)" }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test func `SQL is written in the store alone`() throws {
        let statement =
            /\b(SELECT\s.+\sFROM|INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+(TABLE|INDEX|TRIGGER|VIEW))\b/
        var wrong: [String] = []
        for file in Repository.swift(in: "Sources") {
            let stores = ["Sources/RejoinServer/Store/", "Sources/RejoinClient/LocalStore/"]
            if file.module == "SQLite" || stores.contains(where: file.path.hasPrefix) { continue }
            wrong += file.places { _, line in !line.literals.isEmpty && line.literals.contains(statement) }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test func `nothing sleeps by itself`() throws {
        var wrong: [String] = []
        for file in Repository.swift(in: "Sources") where Self.maySleep[file.path] == nil {
            wrong += file.places { _, line in
                line.code.contains("Task.sleep") || line.code.contains("Task<Never, Never>.sleep")
            }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test func `the page of carried statements is the one that the tests make`() throws {
        let result = try Repository.run("/usr/bin/env", ["python3", "scripts/coverage", "--check"])
        #expect(result.status == 0, "\(result.output)")
    }
}
