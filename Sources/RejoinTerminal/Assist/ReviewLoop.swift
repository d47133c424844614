import RejoinAssist

/// A review at the terminal: what would change is shown, and a person says which of it, line by line.
struct ReviewLoop {
    /// What a line of the person's asks for.
    enum Word: Equatable {
        case accept, refuse, all, none, help
        case toggle([Int])
        case edit(Int, String)
        case unknown

        /// Reads a line; with one change there is no number to say.
        init(_ line: String, count: Int) {
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
            let rest = words.count > 1 ? words[1].trimmingSpace : ""
            switch words.first?.lowercased() {
            case nil, "n", "no", "q", "quit": self = .refuse
            case "y", "yes": self = .accept
            case "a", "all": self = .all
            case "0", "none": self = .none
            case "?", "h", "help": self = .help
            case "e", "edit":
                let parts = rest.split(separator: " ", maxSplits: 1)
                if count == 1, !rest.isEmpty {
                    self = .edit(1, rest)
                } else if let number = parts.first.flatMap({ Int($0) }), (1...max(1, count)).contains(number) {
                    self = .edit(number, parts.count > 1 ? parts[1].trimmingSpace : "")
                } else {
                    self = .unknown
                }
            default:
                let numbers = line.split { $0 == " " || $0 == "," }.map { Int($0) ?? 0 }
                self = numbers.allSatisfy((1...max(1, count)).contains) ? .toggle(numbers) : .unknown
            }
        }
    }

    let terminal: any Terminal
    let diff: DiffText

    /// Shows the changes and follows the person until they accept or refuse; the end of input refuses.
    ///
    /// - Returns: whether what is selected is to be applied.
    @MainActor
    func run<O: ReviewableOperation>(_ review: Review<O>) async -> Bool {
        await show(review)
        while true {
            await terminal.writeError(prompt(review))
            guard let line = await terminal.readLine() else { return false }
            switch Word(line, count: review.changes.count) {
            case .accept:
                if review.selection.isEmpty {
                    await say("Nothing is selected: type the numbers, or a for all.")
                } else {
                    return true
                }
            case .refuse: return false
            case .all:
                review.selection = Set(review.changes.map(\.id))
                await show(review)
            case .none:
                review.selection = []
                await show(review)
            case .toggle(let numbers):
                for number in numbers { review.selection.formSymmetricDifference([review.changes[number - 1].id]) }
                await show(review)
            case .edit(let number, let text): await edit(review, number, text)
            case .help: await say(Self.help(review.changes.count))
            case .unknown: await say("That is no answer here; ? lists them.")
            }
        }
    }

    @MainActor
    private func edit<O: ReviewableOperation>(_ review: Review<O>, _ number: Int, _ text: String) async {
        do throws(ValidationFailure) {
            try review.replace(review.changes[number - 1].id, with: text)
            await show(review)
        } catch {
            await say("That cannot stand there: \(AssistWords.rejection(error)).")
        }
    }

    @MainActor
    private func show<O: ReviewableOperation>(_ review: Review<O>) async {
        var text = "\n"
        for (index, change) in review.changes.enumerated() {
            let mark = review.selection.contains(change.id) ? "x" : " "
            if review.changes.count == 1, change.title.isEmpty {
                text += diff.text(before: change.before, after: change.after) + "\n"
            } else {
                let title = HarmlessText.line(change.title)
                let after = change.after.isEmpty ? "(nothing)" : HarmlessText.line(change.after)
                let before = change.before.isEmpty ? "" : " (now \(HarmlessText.line(change.before)))"
                let edited = review.edited.contains(change.id) ? ", as you wrote it" : ""
                text +=
                    "\(String(repeating: " ", count: index < 9 ? 1 : 0))\(index + 1) [\(mark)] \(title): \(after)\(before)\(edited)\n"
            }
        }
        await terminal.writeError(text)
    }

    @MainActor
    private func prompt<O: ReviewableOperation>(_ review: Review<O>) -> String {
        review.changes.count == 1
            ? "Apply it? y, n, or e and your own words: "
            : "Apply \(review.selection.count) of \(review.changes.count)? y, n, numbers, a, e NUMBER WORDS, ?: "
    }

    private func say(_ text: String) async { await terminal.writeError(text + "\n") }

    private static func help(_ count: Int) -> String {
        let one = """
              y        apply what is selected
              n        apply nothing
            """
        let many = """
              1 4 7    select these, or take them out again
              a, 0     select all, or none
              e 3 …    put your own words in place of number 3
            """
        return count == 1 ? one + "\n  e …      put your own words in its place" : one + "\n" + many
    }
}
