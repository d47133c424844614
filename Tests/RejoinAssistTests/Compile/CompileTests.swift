import Testing

@Suite(.serialized) struct CompileTests {
    private func errors(_ stage: Snippet.Stage) async throws -> SnippetCompiler.Errors {
        let snippets = Snippet.all.filter { $0.stage == stage }
        return try await SnippetCompiler().errors(
            in: Dictionary(uniqueKeysWithValues: snippets.map { ($0.name, $0.wrong) }))
    }

    @Test("R02 R47 R54 R58 what is right compiles, so that what is wrong fails for its own reason")
    func right() async throws {
        let files = Dictionary(uniqueKeysWithValues: Snippet.all.map { ($0.name, $0.right) })
        #expect(try await SnippetCompiler().errors(in: files) == [:])
    }

    @Test(
        "R02 R47 R54 R58 an object as input, a forged output, a raw draft, a forged permit, a run-time name do not compile"
    )
    func types() async throws {
        let errors = try await errors(.types)
        for snippet in Snippet.all where snippet.stage == .types {
            let said = errors[snippet.name, default: []]
            #expect(
                said.contains { $0.contains(snippet.diagnostic) }, "\(snippet.name): \(said) \(errors["", default: []])"
            )
        }
    }

    @Test("R54 applying one permit twice does not compile")
    func flow() async throws {
        let errors = try await errors(.flow)
        for snippet in Snippet.all where snippet.stage == .flow {
            let said = errors[snippet.name, default: []]
            #expect(
                said.contains { $0.contains(snippet.diagnostic) }, "\(snippet.name): \(said) \(errors["", default: []])"
            )
        }
    }
}
