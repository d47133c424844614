import Foundation
import Testing

@Suite struct ReadmeTests {
    @Test func `the program in the README is the one that is compiled and run`() throws {
        let program = try Repository.text(of: "Examples/KeepTheAnswer/main.swift")
        let readme = try Repository.text(of: "README.md")
        #expect(readme.contains("```swift\n" + program + "```"))
        #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 42)
    }
}
