extension Snippet {
    /// The ways in which somebody might try to put words that were made at run time into telemetry.
    static let telemetry: [Snippet] = [
        Snippet(
            name: "R58Version", stage: .types, diagnostic: "to expected argument type 'StaticString'",
            wrong: "func r58version(_ answer: String) -> VersionLabel { VersionLabel(answer) }",
            right: "func r58version() -> VersionLabel { VersionLabel(\"small\", 1) }"),
        Snippet(
            name: "R58Interpolated", stage: .types, diagnostic: "return type 'OperationID'",
            wrong: "func r58interpolated(_ prompt: String) -> OperationID { \"rewrite.\\(prompt)\" }",
            right: "func r58interpolated() -> OperationID { \"rewrite.long\" }"),
        Snippet(
            name: "R58Field", stage: .types, diagnostic: "to expected argument type 'VersionLabel'",
            wrong: """
                func r58field(_ file: String) -> TelemetryEvent {
                    TelemetryEvent(.failed, operation: Rewrite.profile.id, model: file)
                }
                """,
            right: """
                func r58field(_ model: VersionLabel) -> TelemetryEvent {
                    TelemetryEvent(.failed, operation: Rewrite.profile.id, model: model)
                }
                """),
        Snippet(
            name: "R58Decode", stage: .types, diagnostic: "conform to 'Decodable'",
            wrong:
                "func r58decode<T: Decodable>(_: T.Type) {}\nfunc r58decoded() { r58decode(TelemetryEvent.self) }",
            right: "func r58decode<T: Decodable>(_: T.Type) {}\nfunc r58decoded() { r58decode(DomainRisk.self) }"),
        Snippet(
            name: "R58Redacted", stage: .types, diagnostic: "inaccessible due to 'internal' protection level",
            wrong: "func r58redacted(_ log: String) -> RedactedText { RedactedText(redacted: log) }",
            right: "func r58redacted(_ log: String) -> RedactedText { Redaction.redact(log) }"),
        Snippet(
            name: "R58Error", stage: .types, diagnostic: "conform to 'Error'",
            wrong: "func r58error(_ output: String) -> AssistantFailure { .unknown(type: ErrorTypeName(of: output)) }",
            right: "func r58error(_ error: any Error) -> AssistantFailure { .unknown(type: ErrorTypeName(of: error)) }"),
    ]
}
