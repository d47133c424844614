import Foundation
import Testing

/// The page about threats, held to the tests that it names.
@Suite struct ThreatModelTests {
    /// The names of all tests of this repository.
    private static let names: Set<String> = {
        var names: Set<String> = []
        for path in Repository.files where path.hasPrefix("Tests/") && path.hasSuffix(".swift") {
            guard let text = try? Repository.text(of: path) else { continue }
            for match in text.matches(of: /@Test\(\s*"([^"\n]+)"/) { names.insert(String(match.1)) }
            for match in text.matches(of: /func `([^`\n]+)`/) { names.insert(String(match.1)) }
        }
        return names
    }()

    @Test func `each test that the page about threats names exists, and the page stays short`() throws {
        let page = try Repository.text(of: "docs/threat-model.md")
        // What is quoted and has more than a word or two is a name; the rest is code.
        let quoted = page.matches(of: /`([^`\n]+)`/).map { String($0.1) }.filter { $0.split(separator: " ").count > 3 }
        #expect(quoted.count > 30)
        let missing = Set(quoted).subtracting(Self.names)
        #expect(missing.isEmpty, "No test is called\n\(missing.sorted().joined(separator: "\n"))")
        #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
    }

    @Test("S34 nothing but the operator's own addresses is asked past the guard")
    func wayOut() throws {
        // Who may use a client that reaches for every address, each with whose address it is.
        let allowed = [
            "Sources/RejoinServer/Outgoing/OutgoingClient.swift": "the guard itself",
            "Sources/RejoinServer/Providers/OpenAIProvider.swift": "the base_url of the operator's configuration",
            "Sources/RejoinServer/Server/Providers.swift": "hands the client to the providers",
        ]
        let wrong = Repository.swift(in: "Sources/RejoinServer").filter { file in
            file.imports.contains("HTTPClient") && allowed[file.path] == nil
        }.filter { file in file.lines.contains { $0.code.contains(/HTTPClient\(|: HTTPClient\b/) } }
        #expect(wrong.map(\.path) == [], "Names from outside go through OutgoingClient")
    }
}
