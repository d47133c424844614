import RejoinAssist

/// `rejoin classify` and `rejoin group`: a table whose items get a group, each accepted or not.
package struct SortCommand: Sendable {
    private let front: AssistFront

    /// The column that holds the group.
    static let groupColumn = "group"

    /// Sorts through a front.
    package init(_ front: AssistFront) { self.front = front }

    /// Puts the items of a table into the groups that a file names, one on each line.
    ///
    /// A line may name a few examples after a colon, with semicolons between them.
    package func classify(_ options: AssistOptions, groups path: String) async -> Int32 {
        let lines: String
        do { lines = try KeptFile(path).read() } catch {
            await front.say(error.description)
            return ExitCode.usage
        }
        let groups = Self.groups(in: lines)
        guard groups.count > 1 else {
            await front.say("\(HarmlessText.line(path)) names fewer than two groups")
            return ExitCode.usage
        }
        guard let (table, items) = await items(of: options) else { return ExitCode.usage }
        let input = Classify.Input(items: items, groups: groups)
        return await run(Classify.self, input, table, options)
    }

    /// Finds groups for the items of a table.
    package func group(_ options: AssistOptions) async -> Int32 {
        guard let (table, items) = await items(of: options) else { return ExitCode.usage }
        return await run(Group.self, Group.Input(items: items), table, options)
    }

    private func run<O: BatchOperation & ReviewableOperation>(
        _ operation: O.Type, _ input: O.Input, _ table: CSVTable, _ options: AssistOptions
    ) async -> Int32 where O.Output == Batch<String> {
        let assistant = await front.assistant()
        let isWatched = front.terminal.isErrorInteractive
        let result = await front.propose(operation, for: input, with: assistant, explains: options.explains) {
            (watch, tell) throws(NoProposal) in
            try await assistant.propose(operation, for: input, watch: watch) { progress in
                guard isWatched, progress.total > 1 else { return }
                tell("\rrejoin: \(progress.done) of \(progress.total) parts")
            }
        }
        switch result {
        case .failure(let reason): return AssistWords.words(for: reason).code
        case .success(let proposal): return await review(proposal, table, options)
        }
    }

    @MainActor
    private func review<O: BatchOperation & ReviewableOperation>(
        _ proposal: Proposal<O>, _ table: CSVTable, _ options: AssistOptions
    ) async -> Int32 where O.Output == Batch<String> {
        let review = Review(proposal)
        let pending = proposal.output.value.pending.count
        if pending > 0 {
            await front.say("\(pending) of the items got no answer and stay as they are; run it again for them")
        }
        guard review.changes.contains(where: \.isReal) else {
            await front.say("there is nothing to change")
            return pending > 0 ? ExitCode.interrupted : ExitCode.done
        }
        let effect = WriteTable<O>(table: table, options: options, terminal: front.terminal)
        if front.isAttended, !options.isAgreed, !options.isPipe {
            let loop = ReviewLoop(terminal: front.terminal, diff: front.diff)
            guard await loop.run(review) else { return ExitCode.done }
        } else if !options.isAgreed, !options.isPipe, options.output == nil {
            // Nobody can be asked: it is shown, and nothing is saved.
            return await show(table, review)
        }
        let code = await front.commit(review, effect)
        return code == ExitCode.done && pending > 0 ? ExitCode.interrupted : code
    }

    @MainActor
    private func show<O: ReviewableOperation>(_ table: CSVTable, _ review: Review<O>) async -> Int32 {
        let changed = Self.applying(review.changes, to: table)
        try? await front.terminal.write(HarmlessText.whole(changed.text))
        return ExitCode.done
    }

    static func applying(_ changes: [Change], to table: CSVTable) -> CSVTable {
        var table = table
        for change in changes {
            guard let row = Int(change.id.name), table.rows.indices.contains(row) else { continue }
            table.set(groupColumn, of: row, to: change.after)
        }
        return table
    }

    // MARK: Reading

    private func items(of options: AssistOptions) async -> (CSVTable, [ItemBrief])? {
        guard let text = await front.text(of: options) else { return nil }
        do throws(CSVTable.Fault) {
            let table = try CSVTable(text)
            let title = ["title", "name", "item", "description"].lazy.compactMap(table.column).first ?? 0
            let group = table.column(Self.groupColumn)
            guard !table.rows.isEmpty else {
                await front.say("there are no items in it")
                return nil
            }
            let items = table.rows.enumerated().map { row, fields in
                let current = group.map { fields[$0] } ?? ""
                return ItemBrief(id: String(row), title: fields[title], group: current.isEmpty ? nil : current)
            }
            return (table, items)
        } catch {
            await front.say("\(options.isPipe ? "standard input" : HarmlessText.line(options.file)): \(error)")
            return nil
        }
    }

    static func groups(in text: String) -> [GroupBrief] {
        var seen: Set<String> = []
        return text.split(whereSeparator: \.isNewline).compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1).map(\.trimmingSpace)
            guard let title = parts.first, !title.isEmpty, seen.insert(title.lowercased()).inserted else { return nil }
            let examples = parts.count > 1 ? parts[1].split(separator: ";").map(\.trimmingSpace) : []
            return GroupBrief(id: title, title: title, examples: examples.filter { !$0.isEmpty })
        }
    }

    /// Writes the table with the accepted groups: over the file it came from, to another, or to standard output.
    struct WriteTable<O: ReviewableOperation>: CommitEffect {
        typealias Operation = O
        let table: CSVTable
        let options: AssistOptions
        let terminal: any Terminal

        struct Receipt: Sendable, Codable {
            let rows: Int
        }

        func apply(_ accepted: Accepted<O>, key: IdempotencyKey) async throws -> Receipt {
            let text = SortCommand.applying(accepted.changes, to: table).text
            if let output = options.output {
                try NewFile(output).write(text)
            } else if options.isPipe {
                try await terminal.write(text)
            } else {
                let file = KeptFile(options.file)
                let before = try file.read()
                guard try CSVTable(before) == table else { throw CommitFailure.originalChanged }
                try file.replace(before, with: text, keeping: before)
            }
            return Receipt(rows: accepted.changes.count)
        }
    }
}
