internal import CLlama
internal import Synchronization

/// The library's own start, once for the process.
enum Backend {
    /// Starts the library if it is not yet running.
    ///
    /// - Throws: what makes every model unusable on this machine.
    static func start() throws(LocalModelError) {
        if let failure { throw LocalModelError(failure) }
    }

    /// Whether the library complained about memory since the last time this was asked.
    ///
    /// It says why a load failed in its log alone. The flag is for the whole process: two loads that fail at once may
    /// be told the wrong one of two true reasons.
    static func takeMemoryComplaint() -> Bool { memoryComplaint.exchange(false, ordering: .acquiringAndReleasing) }

    private static let memoryComplaint = Atomic<Bool>(false)

    private static let failure: LocalModelError.Code? = {
        // The log may hold paths and texts: nothing of it is shown.
        unsafe llama_log_set(
            { level, text, _ in
                guard level == GGML_LOG_LEVEL_ERROR, let text = unsafe text else { return }
                if unsafe String(cString: text).contains("alloc") {
                    Backend.memoryComplaint.store(true, ordering: .releasing)
                }
            }, nil)
        llama_backend_init()
        guard cllama_layouts_match() else { return .libraryMismatch }
        let processor = unsafe ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU)
        return unsafe processor == nil ? .noBackend : nil
    }()
}
