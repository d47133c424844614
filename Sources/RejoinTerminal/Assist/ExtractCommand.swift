package import RejoinAssist
import RejoinCore

/// `rejoin extract`: the values in a text, each looked at by the person before it is written.
package struct ExtractCommand: Sendable {
    private let front: AssistFront

    /// Extracts through a front.
    package init(_ front: AssistFront) { self.front = front }

    /// Finds the values, shows them, and writes those that were accepted as JSON.
    ///
    /// What costs much when it is wrong is reviewed in any case: where nobody can be asked, the values are shown as
    /// proposals on standard error and nothing is written.
    package func run<S: ExtractionSchema>(_ schema: S.Type, _ options: AssistOptions) async -> Int32 {
        guard let text = await front.text(of: options) else { return ExitCode.usage }
        let input = Extract<S>.Input(text: text)
        let assistant = await front.assistant()
        let result = await front.propose(Extract<S>.self, for: input, with: assistant, explains: options.explains) {
            (watch, _) throws(NoProposal) in
            try await assistant.propose(Extract<S>.self, for: input, watch: watch)
        }
        switch result {
        case .failure(let reason): return AssistWords.words(for: reason).code
        case .success(let proposal): return await review(proposal, options)
        }
    }

    @MainActor
    private func review<S: ExtractionSchema>(
        _ proposal: Proposal<Extract<S>>, _ options: AssistOptions
    ) async -> Int32 {
        let review = Review(proposal)
        guard review.changes.contains(where: \.isReal) else {
            await front.say("nothing of what is looked for was found in it")
            return ExitCode.failed
        }
        guard front.isAttended else {
            for change in review.changes {
                await front.terminal.writeError(
                    "\(HarmlessText.line(change.title)): \(HarmlessText.line(change.after))\n")
            }
            await front.say("nobody can be asked here, so nothing was written")
            return ExitCode.refused
        }
        guard await ReviewLoop(terminal: front.terminal, diff: front.diff).run(review) else { return ExitCode.done }
        return await front.commit(review, WriteValues<S>(options: options, terminal: front.terminal))
    }

    /// Writes what was accepted as one JSON object.
    struct WriteValues<S: ExtractionSchema>: CommitEffect {
        typealias Operation = Extract<S>
        let options: AssistOptions
        let terminal: any Terminal

        struct Receipt: Sendable, Codable {
            let fields: Int
        }

        func apply(_ accepted: Accepted<Extract<S>>, key: IdempotencyKey) async throws -> Receipt {
            var json = JSONWriter()
            json.beginObject()
            for change in accepted.changes { json.member(change.id.name, change.after) }
            json.endObject()
            let text = String(decoding: json.bytes, as: UTF8.self) + "\n"
            if let output = options.output {
                try NewFile(output).write(text)
            } else {
                try await terminal.write(text)
            }
            return Receipt(fields: accepted.changes.count)
        }
    }
}
