package import RejoinAssist

/// What the assistant's commands stand on: the terminal, a way to put an assistant together, and what stays between calls.
package struct AssistFront: Sendable {
    let terminal: any Terminal
    let environment: [String: String]
    /// Makes the assistant of one command; it may load a model, so a command asks once.
    package let makeAssistant: MakeAssistant
    let ledger: any CommitLedger

    /// Puts an assistant together that asks the person for consent by the function.
    package typealias MakeAssistant =
        @Sendable (_ ask: @escaping @Sendable (ConsentQuestion) async -> Bool) async -> Assistant

    /// Puts a front together.
    ///
    /// - Parameter ledger: where it is written down what was accepted and applied.
    package init(
        terminal: any Terminal, environment: [String: String], ledger: any CommitLedger,
        makeAssistant: @escaping MakeAssistant
    ) {
        self.terminal = terminal
        self.environment = environment
        self.ledger = ledger
        self.makeAssistant = makeAssistant
    }

    /// Whether a person can be asked.
    var isAttended: Bool { terminal.isInputInteractive && terminal.isErrorInteractive }

    var diff: DiffText {
        DiffText(isColoured: terminal.isErrorInteractive && (environment["NO_COLOR"] ?? "").isEmpty)
    }

    func say(_ text: String) async { await terminal.writeError("rejoin: " + text + "\n") }

    /// The assistant of one command, which asks the person at this terminal.
    func assistant() async -> Assistant { await makeAssistant(ask) }

    /// Asks whether data may leave; who is not there cannot agree.
    private func ask(_ question: ConsentQuestion) async -> Bool {
        guard isAttended else { return false }
        await terminal.writeError(
            """
            This would leave your device, to \(AssistWords.words(for: question.request)).
            Once you agree it is remembered; `rejoin consent revoke` takes it back. Agree? y, n: 
            """)
        return await terminal.readLine().map { ["y", "yes"].contains($0.lowercased()) } ?? false
    }

    /// Finds out what would change, with the words on the way, until it is there or Ctrl-C stops it.
    ///
    /// - Parameter run: asks the assistant, with a watch to hand on and a way to tell the person how far it is.
    func propose<O: AssistantOperation>(
        _ operation: O.Type, for input: O.Input, with assistant: Assistant, explains: Bool,
        _ run:
            @escaping @Sendable (
                _ watch: @escaping @Sendable (ResponseUpdate<O>) -> Void, _ tell: @escaping @Sendable (String) -> Void
            ) async throws(NoProposal) -> Proposal<O>
    ) async -> Result<Proposal<O>, NoProposal> {
        if explains {
            let resolution = await assistant.resolve(operation, for: input)
            let explanation = resolution.explain()
            await terminal.writeError("\(AssistWords.words(for: explanation))\n\(explanation.support)\n")
        }
        let (notices, notice) = AsyncStream<String>.makeStream()
        let telling = Task { [terminal] in
            for await text in notices { await terminal.writeError(text) }
        }
        let request = Task { () -> Result<Proposal<O>, NoProposal> in
            do throws(NoProposal) {
                return .success(
                    try await run { update in
                        guard case .crossing(let boundary) = update else { return }
                        notice.yield("rejoin: this goes to \(HarmlessText.line(boundary.words))\n")
                    } _: {
                        notice.yield($0)
                    })
            } catch {
                return .failure(error)
            }
        }
        let interrupts = terminal.interrupts()
        let stopping = Task {
            for await _ in interrupts { request.cancel() }
        }
        let result = await request.value
        stopping.cancel()
        notice.finish()
        await telling.value
        if case .failure(let reason) = result { await say(AssistWords.words(for: reason).sentence) }
        return result
    }

    /// Applies what was accepted, and says what came of it.
    ///
    /// - Returns: the exit code.
    @MainActor
    func commit<O: ReviewableOperation, E: CommitEffect>(
        _ review: Review<O>, _ effect: E
    ) async -> Int32 where E.Operation == O {
        do {
            let permit = try review.accept()
            do throws(CommitFailure) {
                _ = try await permit.apply(effect, ledger: ledger)
                review.committed()
                return ExitCode.done
            } catch {
                review.failed(with: error)
                switch error {
                case .originalChanged: await say("the file was changed meanwhile; nothing was written")
                default: await say("it could not be saved; nothing was lost")
                }
                return ExitCode.failed
            }
        } catch {
            await say("nothing is selected, so nothing was saved")
            return ExitCode.done
        }
    }
}

/// What the assistant's commands have in common on the command line.
package struct AssistOptions: Sendable {
    /// The file to read; `-` is standard input.
    package var file: String
    /// `--explain`: say where it runs and why.
    package var explains: Bool
    /// `--yes`: apply without asking; not for what has to be reviewed.
    package var isAgreed: Bool
    /// `--out`: where the result goes, in place of the file it came from.
    package var output: String?

    /// Notes what was said.
    package init(file: String, explains: Bool = false, isAgreed: Bool = false, output: String? = nil) {
        self.file = file
        self.explains = explains
        self.isAgreed = isAgreed
        self.output = output
    }

    var isPipe: Bool { file == "-" }
}

extension AssistFront {
    /// The text of the file or of standard input; nil with a notice.
    func text(of options: AssistOptions) async -> String? {
        if options.isPipe {
            guard let lines = await terminal.lines(upTo: KeptFile.limit) else {
                await say("more than \(KeptFile.limit >> 20) MiB on standard input")
                return nil
            }
            return lines.map { $0 + "\n" }.joined()
        }
        do { return try KeptFile(options.file).read() } catch {
            await say(error.description)
            return nil
        }
    }
}
