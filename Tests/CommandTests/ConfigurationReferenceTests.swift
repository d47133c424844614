import Foundation
import RejoinServer
import Testing

@Suite struct ConfigurationReferenceTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/configuration.md").standardizedFileURL

    /// To write the page anew: `REWRITE_PAGES=1 swift test --filter ConfigurationReferenceTests`.
    @Test func `the page in docs is the one that the tables make`() throws {
        if ProcessInfo.processInfo.environment["REWRITE_PAGES"] == "1" {
            try ConfigurationReference.page.write(to: Self.page, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.page, encoding: .utf8) == ConfigurationReference.page)
    }

    @Test func `the example on the page is a configuration`() throws {
        let page = ConfigurationReference.page
        let example = try #require(page.split(separator: "```json5\n").last?.split(separator: "```").first)
        let file = FileManager.default.temporaryDirectory.appending(path: "rejoin-\(UUID()).json5")
        try String(example).write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let configuration = try Configuration.load(
            file: file.path(), environment: ["HOME": "/h", "MODELS_KEY": "k"], flags: ConfigurationFlags())
        #expect(configuration.models.map(\.name) == ["small", "large"])
    }

    @Test func `every variable on the page is read`() throws {
        for variable in ConfigurationReference.variables.map(\.term) where variable.contains("LIMITS") {
            #expect(throws: ConfigurationError.self, "\(variable)") {
                try Configuration.load(
                    file: nil, environment: ["HOME": "/h", variable: "x"], flags: ConfigurationFlags())
            }
        }
    }
}
