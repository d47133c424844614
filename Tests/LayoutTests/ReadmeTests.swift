import Foundation
import Testing

@Suite struct ReadmeTests {
    @Test(
        "R61 the programs in the README are the ones that are compiled and run",
        arguments: [
            ("KeepTheAnswer", 42), ("RewriteANote", 40),
        ])
    func programs(name: String, lines: Int) throws {
        let program = try Repository.text(of: "Examples/\(name)/main.swift")
        let readme = try Repository.text(of: "README.md")
        #expect(readme.contains("```swift\n" + program + "```"))
        #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= lines)
    }
}
