/// A piece of an app that must not compile, beside the one that differs in nothing else and must.
struct Snippet: Sendable {
    /// When the compiler notices.
    enum Stage: Sendable { case types, flow }

    /// The file's name without its ending.
    let name: String
    let stage: Stage
    /// What the compiler must say, in part.
    let diagnostic: String
    /// What must not compile.
    let wrong: String
    /// What must, so that an error for another reason is noticed.
    let right: String

    /// The smallest operation, with a type for its input.
    private static func operation(_ name: String, input: String, _ declaration: String) -> String {
        """
        \(declaration)
        enum \(name): AssistantOperation {
            typealias Input = \(input)
            typealias Draft = String
            typealias Output = String
            static var profile: OperationProfile { Rewrite.profile }
            static var kind: ResponseKind { .prose }
            static var pipeline: ValidationPipeline<Input, String, String> { .init { draft, _, _ in draft } }
            static func task(for input: Input) -> ModelTask { ModelTask(instructions: "", prompt: "", maximumTokens: 1) }
            static func draft(from text: String, for input: Input) throws(ValidationFailure) -> String { text }
            static func request(for input: Input) -> JSONValue { .null }
        }
        """
    }

    static let all: [Snippet] =
        [
            Snippet(
                name: "R02Class", stage: .types, diagnostic: "Sendable",
                wrong: operation("R02Class", input: "R02Document", "final class R02Document { var text = \"\" }"),
                right: operation("R02ClassRight", input: "R02Value", "struct R02Value { var text = \"\" }")),
            Snippet(
                name: "R02Database", stage: .types, diagnostic: "Sendable",
                wrong: operation(
                    "R02Database", input: "R02Row",
                    "class R02Row { let connection = UnsafeMutableRawPointer(bitPattern: 8) }"),
                right: operation("R02DatabaseRight", input: "R02RowValue", "struct R02RowValue { let id = 8 }")),
            Snippet(
                name: "R47Construct", stage: .types, diagnostic: "inaccessible due to 'internal' protection level",
                wrong: "func r47() -> Validated<String> { Validated(value: \"x\", report: ValidationReport()) }",
                right: """
                    func r47(_ input: Rewrite.Input) throws -> Validated<String> { try Rewrite.pipeline("x", against: input) }
                    """),
            Snippet(
                name: "R47Decode", stage: .types, diagnostic: "conform to 'Decodable'",
                wrong:
                    "func r47decode<T: Decodable>(_: T.Type) {}\nfunc r47decoded() { r47decode(Validated<String>.self) }",
                right: "func r47decode<T: Decodable>(_: T.Type) {}\nfunc r47decoded() { r47decode(String.self) }"),
            Snippet(
                name: "R47Review", stage: .types,
                diagnostic: "cannot convert value of type 'String' to expected argument type",
                wrong: """
                    func r47review(_ id: ProposalID, _ input: Rewrite.Input, _ raw: String) -> Proposal<Rewrite> {
                        Proposal(id: id, route: .onDevice, input: input, output: raw)
                    }
                    """,
                right: """
                    func r47review(_ id: ProposalID, _ input: Rewrite.Input, _ raw: Validated<String>) -> Proposal<Rewrite> {
                        Proposal(id: id, route: .onDevice, input: input, output: raw)
                    }
                    """),
            Snippet(
                name: "R47Effect", stage: .types, diagnostic: "inaccessible due to 'internal' protection level",
                wrong: """
                    func r47effect(_ input: Rewrite.Input, _ output: Validated<String>) -> Accepted<Rewrite> {
                        Accepted(input: input, output: output, changes: [])
                    }
                    """,
                right: """
                    func r47effect(_ accepted: Accepted<Rewrite>) -> [Change] { accepted.changes }
                    """),
            Snippet(
                name: "R54Forge", stage: .types, diagnostic: "inaccessible due to 'internal' protection level",
                wrong: """
                    func r54forge(_ key: IdempotencyKey, _ accepted: Accepted<Rewrite>) -> IdempotencyKey {
                        CommitPermit(key: key, accepted: accepted).key
                    }
                    """,
                right: """
                    @MainActor func r54forge(_ review: Review<Rewrite>) throws -> IdempotencyKey { try review.accept().key }
                    """),
            Snippet(
                name: "R54Twice", stage: .flow, diagnostic: "'permit' consumed more than once",
                wrong: """
                    func r54<E: CommitEffect>(_ permit: consuming CommitPermit<Rewrite>, _ effect: E, _ ledger: MemoryCommitLedger)
                        async throws where E.Operation == Rewrite {
                        _ = try await permit.apply(effect, ledger: ledger)
                        _ = try await permit.apply(effect, ledger: ledger)
                    }
                    """,
                right: """
                    func r54<E: CommitEffect>(_ permit: consuming CommitPermit<Rewrite>, _ effect: E, _ ledger: MemoryCommitLedger)
                        async throws where E.Operation == Rewrite {
                        _ = try await permit.apply(effect, ledger: ledger)
                    }
                    """),
            Snippet(
                name: "R54Loop", stage: .flow, diagnostic: "consumed in a loop",
                wrong: """
                    func r54loop<E: CommitEffect>(_ permit: consuming CommitPermit<Rewrite>, _ effect: E, _ ledger: MemoryCommitLedger)
                        async throws where E.Operation == Rewrite {
                        for _ in 0..<2 { _ = try await permit.apply(effect, ledger: ledger) }
                    }
                    """,
                right: """
                    func r54loop<E: CommitEffect>(_ review: Review<Rewrite>, _ effect: E, _ ledger: MemoryCommitLedger)
                        async throws where E.Operation == Rewrite {
                        for _ in 0..<2 { _ = try await review.accept().apply(effect, ledger: ledger) }
                    }
                    """),
            Snippet(
                name: "R58Name", stage: .types, diagnostic: "to expected argument type 'StaticString'",
                wrong: "func r58(_ prompt: String) -> OperationID { OperationID(stringLiteral: prompt) }",
                right: "func r58() -> OperationID { \"rewrite\" }"),
        ] + telemetry
}
