internal import CLlama
internal import Foundation
internal import Synchronization

/// A model's weights and words in memory, freed with the last reference.
@safe final class Weights: @unchecked Sendable {
    // SAFETY: after the load nothing changes what it points to; the library reads it from any thread.
    let handle: OpaquePointer
    let vocabulary: OpaquePointer

    /// Reads a model.
    ///
    /// Blocks for as long as that takes.
    ///
    /// - Parameter progress: told how far it is, from 0 to 1; false gives up.
    /// - Throws: the reason, or `CancellationError` when `progress` gave up.
    init(path: String, progress: LoadProgress) throws {
        try Self.checkFile(path)
        try Backend.start()
        _ = Backend.takeMemoryComplaint()
        var parameters = unsafe llama_model_default_params()
        unsafe parameters.progress_callback = { fraction, progress in
            // The pointer is the one set below, alive until the load returns.
            guard let progress = unsafe progress else { return true }
            return unsafe Unmanaged<LoadProgress>.fromOpaque(progress).takeUnretainedValue().report(Double(fraction))
        }
        unsafe parameters.progress_callback_user_data = Unmanaged.passUnretained(progress).toOpaque()
        let loaded = unsafe withExtendedLifetime(progress) { unsafe llama_model_load_from_file(path, parameters) }
        guard let model = unsafe loaded else {
            if progress.isCancelled { throw CancellationError() }
            throw LocalModelError(Backend.takeMemoryComplaint() ? .notEnoughMemory : .fileDamaged)
        }
        guard let words = unsafe llama_model_get_vocab(model) else {
            unsafe llama_model_free(model)
            throw LocalModelError(.fileDamaged)
        }
        unsafe handle = model
        unsafe vocabulary = words
    }

    deinit { unsafe llama_model_free(handle) }

    /// The tokens that the model was trained to see at once.
    var trainingContext: Int { Int(unsafe llama_model_n_ctx_train(handle)) }

    private static func checkFile(_ path: String) throws(LocalModelError) {
        guard let file = FileHandle(forReadingAtPath: path) else { throw LocalModelError(.fileMissing) }
        defer { try? file.close() }
        guard let start = try? file.read(upToCount: 4) else { throw LocalModelError(.fileMissing) }
        guard start == Data("GGUF".utf8) else { throw LocalModelError(.notAModel) }
    }
}

/// Where a load tells how far it is, and learns that nobody waits for it any more.
final class LoadProgress: Sendable {
    private let cancelled = Atomic<Bool>(false)
    private let tell: @Sendable (Double) -> Void

    init(_ tell: @escaping @Sendable (Double) -> Void) { self.tell = tell }

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() { cancelled.store(true, ordering: .releasing) }

    /// Passes the fraction on; false once nobody waits.
    func report(_ fraction: Double) -> Bool {
        guard !isCancelled else { return false }
        tell(fraction)
        return true
    }
}
