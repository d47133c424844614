internal import CLlama

/// Chooses the tokens of one answer; a grammar keeps them to a form.
///
/// The grammar is asked about the one token that was chosen freely. Only when it refuses are all the others put
/// through it: with a large vocabulary that costs as much as evaluating the model.
@safe final class Sampler {
    private let chain: UnsafeMutablePointer<llama_sampler>
    private let grammar: UnsafeMutablePointer<llama_sampler>?
    private let vocabularyCount: Int
    private var candidates: [llama_token_data] = []

    /// Makes the sampler of one answer.
    ///
    /// - Throws: `schemaUnsupported` if the library cannot read the grammar.
    init(_ sampling: Sampling, grammar text: String?, vocabulary: Vocabulary) throws(LocalModelError) {
        let words = unsafe vocabulary.weights.vocabulary
        var grammar: UnsafeMutablePointer<llama_sampler>?
        if let text {
            unsafe grammar = llama_sampler_init_grammar(words, text, "root")
            guard unsafe grammar != nil else { throw LocalModelError(.schemaUnsupported) }
        }
        guard let chain = unsafe llama_sampler_chain_init(llama_sampler_chain_default_params()) else {
            if let grammar = unsafe grammar { unsafe llama_sampler_free(grammar) }
            throw LocalModelError(.notEnoughMemory)
        }
        unsafe self.grammar = grammar
        unsafe self.chain = chain
        vocabularyCount = vocabulary.count
        if sampling.repeatPenalty > 0, sampling.repeatPenalty != 1 {
            unsafe llama_sampler_chain_add(chain, cllama_penalties(words, 64, Float(sampling.repeatPenalty), 0, 0))
        }
        if sampling.temperature <= 0 {
            unsafe llama_sampler_chain_add(chain, llama_sampler_init_greedy())
            return
        }
        unsafe llama_sampler_chain_add(chain, llama_sampler_init_top_k(Int32(clamping: sampling.topK)))
        unsafe llama_sampler_chain_add(chain, llama_sampler_init_top_p(Float(sampling.topP), 1))
        unsafe llama_sampler_chain_add(chain, llama_sampler_init_min_p(Float(sampling.minP), 1))
        unsafe llama_sampler_chain_add(chain, llama_sampler_init_temp(Float(sampling.temperature)))
        unsafe llama_sampler_chain_add(chain, llama_sampler_init_dist(sampling.seed))
    }

    deinit {
        if let grammar = unsafe grammar { unsafe llama_sampler_free(grammar) }
        unsafe llama_sampler_free(chain)
    }

    /// Chooses the token that follows the row of the last evaluation; nil if the grammar allows none.
    func next(after row: Int32, in context: Context) -> Token? {
        guard let grammar = unsafe grammar else { return unsafe llama_sampler_sample(chain, context.handle, row) }
        guard let logits = unsafe llama_get_logits_ith(context.handle, row) else { return nil }
        var token = unsafe choose(from: logits, within: nil)
        if token.map({ unsafe !allows($0, grammar) }) ?? true {
            token = unsafe choose(from: logits, within: grammar)
        }
        // The library ends the process when a grammar is fed a token that it refuses: ask once more.
        guard let token, unsafe allows(token, grammar) else { return nil }
        unsafe llama_sampler_accept(grammar, token)
        unsafe llama_sampler_accept(chain, token)
        return token
    }

    private func choose(
        from logits: UnsafeMutablePointer<Float>, within grammar: UnsafeMutablePointer<llama_sampler>?
    ) -> Token? {
        candidates.removeAll(keepingCapacity: true)
        for token in 0..<vocabularyCount {
            unsafe candidates.append(llama_token_data(id: Token(token), logit: logits[token], p: 0))
        }
        return unsafe candidates.withUnsafeMutableBufferPointer { buffer in
            var row = unsafe llama_token_data_array(
                data: buffer.baseAddress, size: buffer.count, selected: -1, sorted: false)
            if let grammar = unsafe grammar { unsafe llama_sampler_apply(grammar, &row) }
            unsafe llama_sampler_apply(chain, &row)
            guard let chosen = unsafe Int(exactly: row.selected), unsafe chosen >= 0 && chosen < row.size else {
                return nil
            }
            return unsafe row.data[chosen].id
        }
    }

    private func allows(_ token: Token, _ grammar: UnsafeMutablePointer<llama_sampler>) -> Bool {
        var candidate = llama_token_data(id: token, logit: 1, p: 0)
        return unsafe withUnsafeMutablePointer(to: &candidate) { pointer in
            var row = unsafe llama_token_data_array(data: pointer, size: 1, selected: -1, sorted: false)
            unsafe llama_sampler_apply(grammar, &row)
            return unsafe pointer.pointee.logit != -.infinity
        }
    }
}
