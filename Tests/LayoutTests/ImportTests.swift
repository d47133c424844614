import Foundation
import Testing

@Suite struct ImportTests {
    /// Who may import whom, own modules and those of C; arrows only point down.
    private static let mayImport: [String: Set<String>] = [
        "RejoinCore": [],
        "RejoinMarkdown": [],
        "RejoinWeb": ["RejoinCore", "RejoinMarkdown"],
        "RejoinAssist": ["RejoinCore"],
        "RejoinFoundationModels": ["RejoinCore", "RejoinAssist", "FoundationModels"],
        "SQLite": ["RejoinCore", "CSQLite"],
        "HTTPServer": ["RejoinCore", "CEvent", "CZlib", "CDeflate"],
        "HTTPClient": ["RejoinCore", "CCurl"],
        "Crypto": ["RejoinCore", "CSodium", "CCrypto"],
        "LocalModel": ["RejoinCore", "CLlama"],
        "RejoinServer": [
            "RejoinCore", "RejoinAssist", "SQLite", "HTTPServer", "HTTPClient", "Crypto", "LocalModel", "WebAssets",
        ],
        "RejoinClient": ["RejoinCore", "RejoinAssist", "SQLite", "HTTPClient"],
        "RejoinTestKit": ["RejoinCore", "RejoinClient"],
        "RejoinTerminal": ["RejoinCore", "RejoinMarkdown", "RejoinAssist", "RejoinClient"],
        "Rehearsal": ["RejoinCore"],
        "RejoinProbe": ["RejoinCore", "RejoinClient", "Rehearsal"],
        "CommandLineTable": ["RejoinCore"],
        "rejoin": [
            "RejoinCore", "RejoinAssist", "RejoinServer", "RejoinClient", "RejoinTerminal", "RejoinProbe",
            "CommandLineTable", "LocalModel", "HTTPClient",
        ],
        "SeededRandom": [],
        "TestSupport": ["RejoinCore", "RejoinServer", "RejoinClient", "HTTPServer", "HTTPClient", "Rehearsal"],
        "scripted-upstream": ["RejoinCore", "HTTPServer", "Rehearsal"],
    ]

    /// What comes with the toolchain and may be imported by every module that is not for the browser.
    private static let system: Set<String> = [
        "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "Observation", "Glibc", "Musl", "Darwin",
        "Swift", "_Concurrency",
    ]

    /// The modules that are also compiled for the browser: the standard library alone.
    private static let forBrowser: Set<String> = ["RejoinCore", "RejoinMarkdown", "RejoinWeb"]

    private static let modules = Set(
        Repository.files.filter { $0.hasPrefix("Sources/") }.compactMap { path in
            path.split(separator: "/").dropFirst().first.map(String.init)
        })

    /// A module map around a C library, or C of our own.
    private static func isC(_ module: String) -> Bool {
        !Repository.files.contains { $0.hasPrefix("Sources/\(module)/") && $0.hasSuffix(".swift") }
    }

    @Test func `every module has its row in the table of imports`() {
        let unknown = Self.modules.filter { Self.mayImport[$0] == nil && !Self.isC($0) }
        #expect(unknown.isEmpty)
        let gone = Self.mayImport.keys.filter { !Self.modules.contains($0) }
        #expect(gone.isEmpty)
    }

    @Test func `imports only point down`() throws {
        var wrong: [String] = []
        for file in Repository.swift(in: "Sources") {
            let allowed = Self.mayImport[file.module, default: []]
                .union(Self.forBrowser.contains(file.module) ? [] : Self.system)
            wrong += file.imports.filter { !allowed.contains($0) }.map { "\(file.path) imports \($0)" }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test func `a C library is imported by its wrapper alone, tests included`() throws {
        let wrapped = Dictionary(
            uniqueKeysWithValues: Self.mayImport.flatMap { module, imports in
                imports.filter { $0.wholeMatch(of: /C[A-Z]\w*/) != nil && $0 != "CommandLineTable" }
                    .map { ($0, module) }
            })
        #expect(wrapped["CSQLite"] == "SQLite")
        var wrong: [String] = []
        for folder in ["Sources", "Tests"] {
            for file in Repository.swift(in: folder) {
                for name in file.imports where wrapped[name] != nil && wrapped[name] != file.module {
                    wrong.append("\(file.path) imports \(name)")
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test func `nothing that ships talks to the network through Foundation`() throws {
        let wrong = Repository.swift(in: "Sources").filter { $0.imports.contains("FoundationNetworking") }
        #expect(wrong.map(\.path) == [])
    }

    @Test func `every import of a module of ours is declared in the manifest`() throws {
        let manifest = try Repository.text(of: "Package.swift")
        let files = Repository.swift(in: "Sources") + Repository.swift(in: "Tests")
        var wrong: [String] = []
        for (name, files) in Dictionary(grouping: files, by: \.module) {
            let row =
                #"(?:[tT]arget\(\s*name: |\.wrapper\()"\#(name)"(?:,[^\[\]]*(?:dependencies|around): \[([^\]]*)\])?"#
            guard let declared = try Regex(row).firstMatch(in: manifest) else {
                // Some folders of tests hold programs of other kinds.
                if Self.modules.contains(name) { wrong.append("\(name) is not in Package.swift") }
                continue
            }
            var names = Set((declared.output[1].substring ?? "").matches(of: /"([\w-]+)"/).map { String($0.1) })
            // A wrapper depends on the core without saying so.
            if manifest.contains(".wrapper(\"\(name)\"") { names.insert("RejoinCore") }
            for file in files {
                wrong += file.imports.filter { Self.modules.contains($0) && !names.contains($0) }
                    .map { "\(file.path) imports \($0)" }
            }
        }
        #expect(wrong.isEmpty, "\(Set(wrong).sorted().joined(separator: "\n"))")
    }
}
