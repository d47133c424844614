import RejoinClient
import RejoinCore

/// Writes one answer as it comes: text to standard output, everything else aside.
///
/// What it has written is never written again, whatever the connection does; on a screen only the end that is still
/// open is drawn again.
final class AnswerPrinter {
    private let terminal: any Terminal
    private var harmless = HarmlessText()
    private let ability: TerminalAbility?
    private var drawing: AnswerDrawing?
    private var written = ""
    private var hasText = false
    private var isAtLineStart = true
    private var transient: String?
    private var model: Event.Model?
    private var isLost = false

    /// - Parameter ability: how the answer is drawn on a screen; nil writes its text as it comes.
    init(terminal: any Terminal, ability: TerminalAbility? = nil) {
        self.terminal = terminal
        self.ability = ability
        startDrawing()
    }

    private func startDrawing() {
        guard let ability, let size = terminal.screenSize else { return }
        drawing = AnswerDrawing(size: size, ability: ability)
    }

    /// Shows what is already known of an answer that is rejoined.
    func begin(with answer: Answer) async throws {
        model = answer.model
        if !answer.text.isEmpty { try await write(answer.text) }
        if let status = answer.status { await show(status) }
    }

    /// Shows the next update.
    ///
    /// - Throws: ``OutputClosed``; `CancellationError`.
    func show(_ update: AnswerFollower.Update, isAdmitted: Bool) async throws {
        switch update {
        case .events(let events): try await show(events)
        case .connected:
            if isLost, terminal.isErrorInteractive { await notice("the server is back") }
            isLost = false
            if !hasText { await showTransient("waiting for the model") }
        case .waiting:
            guard isAdmitted else { return await showTransient("waiting for the server") }
            if !isLost { await notice("the connection broke; waiting for the server") }
            isLost = true
        }
    }

    /// Ends the answer's last line.
    func finish() async throws {
        await clearTransient()
        if let output = drawing?.finish() { return try await draw(output) }
        let rest = harmless.finish()
        if !rest.isEmpty { try await put(rest) }
        if !isAtLineStart { try await put("\n") }
    }

    /// Says something that stays, on a line of its own.
    func notice(_ text: String) async {
        await clearTransient()
        var line = "rejoin: " + text + "\n"
        // On a shared screen the notice must not run into the text.
        if terminal.isErrorInteractive, terminal.isOutputInteractive, !isAtLineStart {
            line = "\n" + line
            isAtLineStart = true
        }
        // An end that may be drawn again has to stay the last thing on the screen.
        if let lifted = drawing?.lift() { try? await draw(lifted) }
        await terminal.writeError(line)
        if let output = drawing?.draw() { try? await draw(output) }
    }

    private func draw(_ output: String) async throws {
        if !output.isEmpty { try await terminal.write(output) }
    }

    private func show(_ events: [NumberedEvent]) async throws {
        var text = ""
        for numbered in events {
            switch numbered.event {
            case .text(let piece): text += piece
            case .status(let status):
                try await flush(&text)
                await show(status)
            case .model(let model):
                try await flush(&text)
                self.model = model
                if let words = Wording.instead(model) { await notice(words) }
                if !hasText { await showTransient(HarmlessText.line(model.model)) }
            case .snapshot(let snapshot):
                try await flush(&text)
                try await replace(with: ContentPart.text(of: snapshot.content))
            case .withdrawn(let reason):
                text = ""
                await notice("the text was withdrawn (" + HarmlessText.line(reason) + ")")
            case .compaction(let dropped, _):
                try await flush(&text)
                await notice("the conversation did not fit; \(dropped) older turns were left out")
            case .end: await clearTransient()
            case .reasoning: if !hasText { await showTransient(Wording.status(.init(.thinking), model: model)) }
            case .source, .attachment, .tool, .usage, .unknown: break
            }
        }
        try await flush(&text)
    }

    private func show(_ status: Event.Status) async {
        await showTransient(Wording.status(status, model: model))
    }

    private func flush(_ text: inout String) async throws {
        if text.isEmpty { return }
        let piece = text
        text = ""
        try await write(piece)
    }

    private func write(_ text: String) async throws {
        await clearTransient()
        written += text
        if drawing != nil {
            hasText = true
            let size = terminal.screenSize ?? Size(columns: terminal.width, rows: 24)
            if let output = drawing?.add(text, size: size) { try await draw(output) }
        } else {
            try await put(harmless.append(text))
        }
    }

    /// A snapshot stands for everything so far: only what it has more is written.
    private func replace(with text: String) async throws {
        if text.utf8.starts(with: written.utf8) {
            let rest = String(decoding: text.utf8.dropFirst(written.utf8.count), as: UTF8.self)
            if !rest.isEmpty { try await write(rest) }
            return
        }
        if let output = drawing?.finish() { try await draw(output) }
        drawing = nil
        await notice("the text was replaced by the server's")
        startDrawing()
        written = ""
        harmless = HarmlessText()
        try await write(text)
    }

    private func put(_ text: String) async throws {
        guard let last = text.utf8.last else { return }
        hasText = true
        isAtLineStart = last == UInt8(ascii: "\n")
        try await terminal.write(text)
    }

    private func showTransient(_ text: String) async {
        guard terminal.isErrorInteractive, text != transient, drawing == nil || !hasText else { return }
        // In the middle of a line there is no room for it.
        if terminal.isOutputInteractive, !isAtLineStart { return }
        transient = text
        await terminal.writeError("\r\u{1B}[K" + String((text + " …").prefix(max(terminal.width - 1, 8))))
    }

    private func clearTransient() async {
        guard transient != nil else { return }
        transient = nil
        await terminal.writeError("\r\u{1B}[K")
    }
}
