extension BatchOperation {
    /// Asks for one chunk after another, and puts the drafts together.
    ///
    /// - Parameters:
    ///   - progress: told after each chunk how many are over; never backwards.
    ///   - stops: the failures after which no further chunk is asked for; any other leaves its chunk out.
    ///   - one: asks for the chunk of a number.
    /// - Throws: a failure that stops; the first chunk's where none came back; `cancelled` for a cancelled batch.
    static func draft(
        for input: Input, progress: @Sendable (BatchProgress) -> Void,
        stops: (AssistantFailure) -> Bool = { _ in false },
        asking one: (Int, Input) async throws(AssistantFailure) -> Draft
    ) async throws(AssistantFailure) -> Draft {
        let chunks = chunks(of: input)
        var outcomes: [Result<Draft, AssistantFailure>] = []
        for (index, chunk) in chunks.enumerated() {
            do throws(AssistantFailure) {
                outcomes.append(.success(try await one(index, chunk)))
            } catch {
                if stops(error) { throw error }
                outcomes.append(.failure(error))
            }
            if Task.isCancelled { throw .cancelled }
            progress(BatchProgress(done: outcomes.count, total: chunks.count))
        }
        return try merged(outcomes, of: chunks, for: input)
    }
}
