package import RejoinAssist

/// `rejoin rewrite`: a text in other words, part by part; what is accepted is written, and nothing else.
package struct RewriteCommand: Sendable {
    private let front: AssistFront

    /// Rewrites through a front.
    package init(_ front: AssistFront) { self.front = front }

    /// Rewrites, shows, asks, writes; the exit code says how it ended.
    package func run(_ options: AssistOptions, tone: RewriteTone) async -> Int32 {
        guard let text = await front.text(of: options) else { return ExitCode.usage }
        let parts = Paragraphs(text)
        guard !parts.texts.isEmpty else {
            await front.say("there is nothing to rewrite")
            return ExitCode.usage
        }
        let assistant = await front.assistant()
        let document = options.isPipe ? nil : Document(KeptFile(options.file), text: text)
        var code = ExitCode.done
        var rewritten = parts
        for index in parts.texts.indices {
            let input = Rewrite.Input(text: parts.texts[index], tone: tone)
            let isFirst = index == parts.texts.startIndex
            let result = await front.propose(
                Rewrite.self, for: input, with: assistant, explains: options.explains && isFirst
            ) { (watch, _) throws(NoProposal) in
                try await assistant.propose(Rewrite.self, for: input, watch: watch)
            }
            switch result {
            case .failure(let reason):
                // A part that cannot be rewritten stays as it is; a person who stops has seen enough.
                code = AssistWords.words(for: reason).code
                if case .failed(.cancelled) = reason { return code }
                if reason.resolution != nil { return code }
            case .success(let proposal):
                guard let document else {
                    rewritten.texts[index] = proposal.output.value
                    continue
                }
                let outcome = await review(proposal, index: index, document, options)
                if outcome != ExitCode.done { code = outcome }
            }
        }
        if document == nil {
            do { try await front.terminal.write(rewritten.whole) } catch { return ExitCode.done }
        }
        return code
    }

    @MainActor
    private func review(
        _ proposal: Proposal<Rewrite>, index: Int, _ document: Document, _ options: AssistOptions
    ) async -> Int32 {
        let review = Review(proposal)
        guard review.changes.contains(where: \.isReal) else {
            await front.terminal.writeError("Nothing to change there.\n")
            return ExitCode.done
        }
        if options.isAgreed || !front.isAttended {
            for change in review.changes {
                await front.terminal.writeError(front.diff.text(before: change.before, after: change.after) + "\n")
            }
            guard options.isAgreed else { return ExitCode.done }
        } else {
            let loop = ReviewLoop(terminal: front.terminal, diff: front.diff)
            guard await loop.run(review) else { return ExitCode.done }
        }
        return await front.commit(review, ReplaceParagraph(index: index, document: document))
    }

    /// A file whose paragraphs are replaced one by one.
    actor Document {
        private let file: KeptFile
        private let original: String
        private var written: String
        private var parts: Paragraphs

        init(_ file: KeptFile, text: String) {
            self.file = file
            original = text
            written = text
            parts = Paragraphs(text)
        }

        func replace(_ index: Int, with text: String) throws {
            var next = parts
            next.texts[index] = text
            try file.replace(written, with: next.whole, keeping: original)
            parts = next
            written = next.whole
        }
    }

    /// Writes the file with one paragraph replaced; written twice under one key it is the same file.
    struct ReplaceParagraph: CommitEffect {
        typealias Operation = Rewrite
        let index: Int
        let document: Document

        struct Receipt: Sendable, Codable {
            let bytes: Int
        }

        func apply(_ accepted: Accepted<Rewrite>, key: IdempotencyKey) async throws -> Receipt {
            guard let change = accepted.changes.first else { return Receipt(bytes: 0) }
            try await document.replace(index, with: change.after)
            return Receipt(bytes: change.after.utf8.count)
        }
    }
}

/// A text as paragraphs and what stands between them, so that one can be replaced and the rest stays byte for byte.
struct Paragraphs: Equatable, Sendable {
    /// The paragraphs that hold anything, without white space around them.
    var texts: [String] = []
    /// What stands before each of them, and after the last.
    private var gaps: [String] = []

    init(_ text: String) {
        var gap = ""
        var paragraph = ""
        func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }
        func end(_ paragraph: inout String, _ gap: inout String) {
            guard !paragraph.isEmpty else { return }
            let lead = paragraph.prefix(while: \.isWhitespace)
            var body = paragraph.dropFirst(lead.count)
            var tail = ""
            while let last = body.last, last.isWhitespace {
                tail = String(last) + tail
                body.removeLast()
            }
            gaps.append(gap + lead)
            texts.append(String(body))
            gap = tail
            paragraph = ""
        }
        var rest = text[...]
        while !rest.isEmpty {
            let stop = rest.firstIndex(where: \.isNewline).map { rest.index(after: $0) } ?? rest.endIndex
            let line = rest[..<stop]
            rest = rest[stop...]
            if isBlank(line) {
                end(&paragraph, &gap)
                gap += line
            } else {
                paragraph += line
            }
        }
        end(&paragraph, &gap)
        gaps.append(gap)
    }

    /// The text that they make.
    var whole: String {
        zip(gaps, texts).map { $0 + $1 }.joined() + (gaps.last ?? "")
    }
}
