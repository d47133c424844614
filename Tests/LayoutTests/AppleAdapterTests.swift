import Foundation
import Testing

/// The adapter to the platform's model is compiled where there is no such platform, against stubs of both generations.
@Suite struct AppleAdapterTests {
    /// The folder that the package was built into, beside the running tests.
    private static let build = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path

    @Test("R31 each error of both generations becomes one of ours, and an unknown one keeps its type's name alone")
    func mapping() throws {
        let result = try Repository.run("/usr/bin/env", ["bash", "scripts/check-apple-adapter", Self.buildFolder])
        #expect(result.status == 0, "\(result.output)")
        let lines = result.output.split(separator: "\n").map(String.init)
        for cell in ["none", "26", "27"] { #expect(lines.contains("\(cell): type-checks")) }
        var found: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstRange(of: ": ") else { continue }
            found[String(line[..<colon.lowerBound])] = String(line[colon.upperBound...])
        }
        for (error, failure) in Self.expected { #expect(found[error] == failure, "\(error)") }
        let unknown = found.filter { $0.value.hasPrefix("unknown(") }
        #expect(Set(unknown.keys) == ["26 ToolCallError", "26 Stranger", "27 ToolCallError", "27 Stranger"])
        #expect(unknown.values.allSatisfy { $0.contains("ToolCallError") || $0.contains("Stranger") })
        #expect(!result.output.contains("CANARY"))
    }

    private static let buildFolder: String = {
        // The path of the running tests; a debugger or a tool may stand in between.
        let candidates = CommandLine.arguments + [Bundle.main.executablePath ?? ""]
        for path in candidates where path.hasSuffix(".xctest") {
            return URL(filePath: path).deletingLastPathComponent().path
        }
        return build
    }()

    private static let expected = [
        "26 exceededContextWindowSize": "contextTooLarge", "26 assetsUnavailable": "assetsUnavailable",
        "26 guardrailViolation": "guardrail", "26 unsupportedGuide": "capabilityMissing",
        "26 unsupportedLanguageOrLocale": "unsupportedLanguage", "26 decodingFailure": "decoding",
        "26 rateLimited": "busy(until: nil)", "26 concurrentRequests": "gateViolation", "26 refusal": "refused",
        "26 CancellationError": "cancelled", "26 deviceNotEligible": "hardwareIneligible",
        "26 appleIntelligenceNotEnabled": "disabledByUser", "26 modelNotReady": "preparing",
        "27 old.exceededContextWindowSize": "contextTooLarge", "27 old.refusal": "refused",
        "27 contextSizeExceeded": "contextTooLarge", "27 guardrailViolation": "guardrail",
        "27 unsupportedGenerationGuide": "capabilityMissing", "27 unsupportedLanguageOrLocale": "unsupportedLanguage",
        "27 rateLimited.never": "busy(until: nil)", "27 refusal": "refused",
        "27 unsupportedCapability": "capabilityMissing", "27 unsupportedTranscriptContent": "capabilityMissing",
        "27 timeout": "timeout", "27 assetsUnavailable": "assetsUnavailable", "27 ParsingError": "decoding",
        "27 concurrentRequests": "gateViolation", "27 transcriptMutationWhileResponding": "gateViolation",
        "27 networkFailure": "offline", "27 serviceUnavailable": "serviceDown",
    ]
}
