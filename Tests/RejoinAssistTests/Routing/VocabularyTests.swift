import Foundation
import RejoinAssist
import Testing

@Suite struct VocabularyTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/RejoinAssist").standardizedFileURL.resolvingSymlinksInPath()

    private static func files() throws -> [(path: String, text: String)] {
        let paths = FileManager.default.enumerator(atPath: sources.path())?.allObjects as? [String] ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.map {
            ($0, try String(contentsOf: sources.appending(path: $0), encoding: .utf8))
        }
    }

    @Test("R01 no source file of the library contains the name of a vendor or a model")
    func names() throws {
        let parts = [
            "openai", "chatgpt", "anthropic", "firebase", "mistral", "llama", "smollm", "qwen", "deepseek",
            "foundationmodels", "languagemodelsession",
        ]
        let words: Set = [
            "gpt", "claude", "gemini", "google", "apple", "siri", "microsoft", "azure", "amazon", "gemma",
        ]
        let files = try Self.files()
        #expect(files.count > 20)
        for (path, text) in files {
            let lowered = text.lowercased()
            for part in parts { #expect(!lowered.contains(part), "\(path) contains \(part)") }
            let found = words.intersection(lowered.split { !$0.isLetter }.map(String.init))
            #expect(found.isEmpty, "\(path) contains \(found)")
        }
    }

    @Test("R01 routing reads an operation's profile and nothing else of an operation")
    func profileAlone() throws {
        for (path, text) in try Self.files() where path.hasPrefix("Routing/") {
            for name in ["AssistantOperation", "ModelTask", "DraftSchema", "ValidationPipeline"] {
                #expect(!text.contains(name), "\(path) knows \(name)")
            }
        }
    }

    @Test("R22 the mode cannot be written into anything but the device's own settings")
    func modeStaysHere() throws {
        #expect(!(ExecutionMode.self is any Encodable.Type))
        #expect(!(ExecutionMode.self is any Decodable.Type))
        let writers = try Self.files().filter {
            $0.text.contains("ExecutionMode.init(rawValue:)") || $0.text.contains("ExecutionMode(rawValue:")
        }
        #expect(writers.map(\.path) == ["Routing/DeviceSettings.swift"])
        for type in [
            RoutePolicy.self, RemoteRestrictions.self, PolicyOverride.self, RoutePreference.self,
        ] as [any Encodable.Type] {
            #expect(!"\(type)".contains("Mode"))
        }
        let policy = try JSONEncoder().encode(RoutePolicy.standard)
        #expect(!String(decoding: policy, as: UTF8.self).contains("mode"))
    }
}
