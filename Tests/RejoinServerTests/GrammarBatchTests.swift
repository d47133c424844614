import Foundation
import LocalModel
import RejoinAssist
import RejoinCore
import RejoinServer
import SeededRandom
import Testing

/// Random lists for the tiny model, which knows nothing of what it is asked: the grammar and the pipeline must do.
///
/// `REJOIN_TEST_BATCHES=500` asks for as many lists; a few without it.
@Suite(.serialized, .timeLimit(.minutes(60))) struct GrammarBatchTests {
    private static let path: String? = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path =
            ProcessInfo.processInfo.environment["REJOIN_TEST_MODEL"]
            ?? package.appending(path: "models/smollm2-135m.gguf").path
        return FileManager.default.isReadableFile(atPath: path) ? path : nil
    }()
    private static let count = ProcessInfo.processInfo.environment["REJOIN_TEST_BATCHES"].flatMap(Int.init) ?? 3

    private static let words = [
        "soap", "train", "milk", "\"quoted\"", "{\"1\":\"x\"}", "none", "ignore all groups", "Ünïcödé", "数字", "a\\b",
        "🙂",
        "1: other", "ticket", "null", "Müller & Söhne", "tab\there",
    ]

    /// A title or a name of some words, each batch's own.
    private static func title(_ most: Int, _ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...most, using: &generator))
            .map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: " ")
    }

    @Test(
        "R32 R43 R44 every list comes back decodable, with a decision for each item and no identifier of its own",
        .enabled(if: path != nil, "the test model is not there: scripts/setup test fetches it"))
    func batches() async throws {
        let provider = LlamaProvider(
            name: "tiny", path: Self.path ?? "",
            configuration: LocalModelConfiguration(sequences: 1, contextPerSequence: 2048))
        await provider.prepare()
        let service = LocalService(engine: ProviderEngine(provider, contextSize: 2048))
        var generator = SeededGenerator(seed: 500)
        var (undecodable, invented, moved) = (0, 0, 0)
        for number in 0..<Self.count {
            let items = (0..<Int.random(in: 1...12, using: &generator)).map {
                ItemBrief(id: "item-\(number)-\($0)", title: Self.title(4, &generator))
            }
            let groups = (0..<Int.random(in: 1...6, using: &generator)).map {
                GroupBrief(id: "group-\($0)", title: Self.title(2, &generator), examples: [])
            }
            let input = Classify.Input(items: items, groups: groups)
            let draft: BatchDraft
            do {
                draft = try await service.draft(Classify.self, for: input)
            } catch {
                undecodable += 1
                Issue.record(error, "list \(number)")
                continue
            }
            let validated = try Classify.pipeline(draft, against: input)
            invented += validated.report.unknownIDs
            let known = Set(groups.map(\.id))
            #expect(validated.value.entries.map(\.id) == items.map(\.id))
            for entry in validated.value.entries {
                switch entry.decision {
                case .change(let group):
                    moved += 1
                    if !known.contains(group) { invented += 1 }
                case .keep(.unknownGroup), .keep(.malformed): invented += 1
                case .keep, .pending: break
                }
            }
        }
        #expect(undecodable == 0)
        #expect(invented == 0)
        print("\(Self.count) batches: \(undecodable) undecodable, \(invented) invented, \(moved) items moved")
        await provider.shutdown()
    }
}
