internal import CLlama

/// The tokens of one evaluation, of any number of sequences.
@safe final class Batch {
    private(set) var storage: llama_batch
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        unsafe storage = llama_batch_init(Int32(clamping: capacity), 0, 1)
    }

    deinit { unsafe llama_batch_free(storage) }

    var count: Int { Int(unsafe storage.n_tokens) }
    var room: Int { capacity - count }

    func clear() { unsafe storage.n_tokens = 0 }

    /// Adds a token at a place of a sequence and gives back its row.
    @discardableResult
    func append(_ token: Token, of sequence: Int32, at position: Int, predicts: Bool) -> Int32 {
        precondition(room > 0)
        let row = count
        unsafe storage.token[row] = token
        unsafe storage.pos[row] = Int32(clamping: position)
        unsafe storage.n_seq_id[row] = 1
        // The library made one place for a sequence's number in every row.
        unsafe storage.seq_id[row]?[0] = sequence
        unsafe storage.logits[row] = predicts ? 1 : 0
        unsafe storage.n_tokens += 1
        return Int32(clamping: row)
    }
}
