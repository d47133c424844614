internal import CLlama

/// The library's working memory: what each sequence has seen, and the evaluation of more.
///
/// One thread uses it.
@safe final class Context {
    let handle: OpaquePointer
    private let weights: Weights
    private let workers: OpaquePointer?
    private let interruption: Interruption

    /// Sets memory aside for all sequences.
    ///
    /// The sequences share one memory, so that a beginning which two of them have in common is kept once.
    ///
    /// - Throws: `notEnoughMemory`.
    init(
        _ weights: Weights, configuration: LocalModelConfiguration, threads: Int, interruption: Interruption
    ) throws(LocalModelError) {
        var parameters = unsafe llama_context_default_params()
        unsafe parameters.n_ctx = UInt32(clamping: configuration.sequences * configuration.contextPerSequence)
        unsafe parameters.n_batch = UInt32(clamping: configuration.batch)
        unsafe parameters.n_ubatch = UInt32(clamping: configuration.batch)
        unsafe parameters.n_seq_max = UInt32(clamping: configuration.sequences)
        unsafe parameters.n_threads = Int32(clamping: threads)
        unsafe parameters.n_threads_batch = Int32(clamping: threads)
        unsafe parameters.kv_unified = true
        unsafe parameters.no_perf = true
        guard let context = unsafe llama_init_from_model(weights.handle, parameters) else {
            throw LocalModelError(.notEnoughMemory)
        }
        unsafe handle = context
        unsafe workers = cllama_threadpool_attach(context, Int32(clamping: threads))
        self.weights = weights
        self.interruption = interruption
        unsafe llama_set_abort_callback(
            context,
            { interruption in
                // The pointer is the one set below; this object keeps it alive for as long as the context.
                guard let interruption = unsafe interruption else { return false }
                return unsafe Unmanaged<Interruption>.fromOpaque(interruption).takeUnretainedValue().isWanted
            }, Unmanaged.passUnretained(interruption).toOpaque())
    }

    deinit {
        unsafe llama_free(handle)
        unsafe cllama_threadpool_free(workers)
    }

    /// How an evaluation ended.
    enum Evaluation { case done, interrupted, failed }

    /// Evaluates the tokens of the batch; nothing of it is remembered unless all is done.
    func evaluate(_ batch: Batch, threads: Int) -> Evaluation {
        // The second number counts as soon as a batch has more than one token.
        unsafe llama_set_n_threads(handle, Int32(clamping: threads), Int32(clamping: threads))
        switch unsafe llama_decode(handle, batch.storage) {
        case 0: return .done
        case 2: return .interrupted
        default: return .failed
        }
    }

    /// Forgets what a sequence saw from a position on.
    func forget(_ sequence: Int32, from position: Int) {
        // Every memory of the library can forget a whole sequence; false is for parts alone, which a memory of keys
        // and values can always do.
        _ = unsafe llama_memory_seq_rm(llama_get_memory(handle), sequence, Int32(clamping: position), -1)
    }

    /// Gives a sequence the first `count` tokens of another's memory, without evaluating or copying them.
    func share(_ count: Int, from source: Int32, to target: Int32) {
        unsafe llama_memory_seq_cp(llama_get_memory(handle), source, target, 0, Int32(clamping: count))
    }
}
