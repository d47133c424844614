import Foundation
import LocalModel
import Synchronization
import Testing

@Suite struct LoadTests {
    @Test func `a missing file is named as such`() async {
        await #expect {
            try await LocalModel.load(path: "/nowhere/model.gguf")
        } throws: { ($0 as? LocalModelError)?.code == .fileMissing }
    }

    @Test func `a text is no model`() async throws {
        try await withFile(Data("This is not a model at all.".utf8)) { path in
            await #expect {
                try await LocalModel.load(path: path)
            } throws: { ($0 as? LocalModelError)?.code == .notAModel }
        }
    }

    @Test func `no words about a failed load hold the path`() async {
        await #expect {
            try await LocalModel.load(path: "/nowhere/secret.gguf")
        } throws: { !"\($0)".contains("secret") }
    }

    @Test(.enabled(if: TestModel.isThere, Comment(rawValue: TestModel.absence)), arguments: [5, 4096, 20_000_000])
    func `a model cut short is called damaged`(length: Int) async throws {
        let whole = try FileHandle(forReadingFrom: URL(filePath: #require(TestModel.path)))
        let start = try #require(try whole.read(upToCount: length))
        try await withFile(start) { path in
            await #expect {
                try await LocalModel.load(path: path)
            } throws: { ($0 as? LocalModelError)?.code == .fileDamaged }
        }
    }

    @Test(.enabled(if: TestModel.isThere, Comment(rawValue: TestModel.absence)))
    func `says how far it is and ends at the whole`() async throws {
        let fractions = Mutex([Double]())
        let model = try await LocalModel.load(path: #require(TestModel.path)) { fraction in
            fractions.withLock { $0.append(fraction) }
        }
        #expect(fractions.withLock { $0 == $0.sorted() && $0.last == 1 })
        await model.shutdown()
    }

    @Test(.enabled(if: TestModel.isThere, Comment(rawValue: TestModel.absence)))
    func `the context is at most what the model was trained for`() async throws {
        let model = try await TestModel.load(sequences: 1, context: 100_000)
        #expect(model.configuration.contextPerSequence == 8192)
        await model.shutdown()
    }

    @Test(.enabled(if: TestModel.isThere, Comment(rawValue: TestModel.absence)))
    func `a cancelled load gives up`() async throws {
        let path = try #require(TestModel.path)
        let task = Task { try await LocalModel.load(path: path) }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    private func withFile(_ content: Data, _ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "load-\(UUID().uuidString).gguf")
        try content.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }
}
