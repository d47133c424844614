internal import CLlama

/// A token's number in the model's vocabulary.
typealias Token = Int32

/// The model's words: texts to tokens, and tokens to bytes.
struct Vocabulary: Sendable {
    let weights: Weights

    var count: Int { Int(unsafe llama_vocab_n_tokens(weights.vocabulary)) }

    /// Whether the token ends an answer.
    func endsAnswer(_ token: Token) -> Bool { unsafe llama_vocab_is_eog(weights.vocabulary, token) }

    /// Cuts a text into tokens.
    ///
    /// - Parameters:
    ///   - beginning: whether the model's token for the beginning of a text comes first, where it has one.
    ///   - controlWords: whether `<|im_end|>` and the like become what they name. Only for the template's own text.
    func tokens(_ text: some StringProtocol, beginning: Bool, controlWords: Bool) -> [Token] {
        var bytes = Array(text.utf8).map { CChar(bitPattern: $0) }
        guard !bytes.isEmpty || beginning else { return [] }
        guard let length = Int32(exactly: bytes.count) else { return [] }
        // A text needs at most one token a byte, and one before and one after.
        var tokens = [Token](repeating: 0, count: bytes.count + 2)
        var count = unsafe llama_tokenize(
            weights.vocabulary, &bytes, length, &tokens, Int32(clamping: tokens.count), beginning, controlWords)
        if count < 0 {
            tokens = [Token](repeating: 0, count: Int(count.magnitude))
            count = unsafe llama_tokenize(
                weights.vocabulary, &bytes, length, &tokens, Int32(clamping: tokens.count), beginning, controlWords)
        }
        return Array(tokens.prefix(max(0, Int(count))))
    }

    /// The bytes of a token, which may be part of a character; none for control words.
    func bytes(of token: Token) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: 64)
        var count = unsafe llama_token_to_piece(weights.vocabulary, token, &buffer, Int32(buffer.count), 0, false)
        if count < 0 {
            buffer = [CChar](repeating: 0, count: Int(count.magnitude))
            count = unsafe llama_token_to_piece(weights.vocabulary, token, &buffer, Int32(buffer.count), 0, false)
        }
        return buffer.prefix(max(0, Int(count))).map { UInt8(bitPattern: $0) }
    }
}
