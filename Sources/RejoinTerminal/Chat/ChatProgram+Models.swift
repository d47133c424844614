import Observation
import RejoinClient
import RejoinCore

/// What models show, and when it is read again.
extension ChatProgram {
    /// Reads something, and hears of the next change of it.
    private func read<Value>(_ subject: Subject, _ value: () -> Value) -> Value {
        let post = post
        return withObservationTracking(value) { post.yield(.changed(subject)) }
    }

    /// Reads what a model shows now.
    func take(_ subject: Subject) {
        switch subject {
        case .account:
            switch read(subject, { account.state }) {
            case .signedIn(let connection): view.connection = connection
            case .expired, .signingOut, .signedOut: view.connection = .signedOut
            }
        case .limits: _ = read(subject) { limits.state }
        case .list:
            switch read(subject, { list.state }) {
            case .loading: break
            case .list(let lines, _): view.show(list: lines.map { ConversationRow($0) })
            case .found(let hits, let words): view.show(hits: hits.map { SearchView.Hit($0) }, for: words)
            }
        case .conversation(let number): if number == sitting.number { takeConversation() }
        case .composer(let number):
            guard number == sitting.number else { return }
            _ = read(subject) { (sitting.composer.text, sitting.composer.purpose) }
            readComposer()
        case .answer(let answer, let number):
            guard number == sitting.number, let exchange = sitting.exchange(with: answer) else { return }
            watch(exchange.answer)
            view.show(exchange.answer.answer, exchange.answer.phase)
        }
        changed()
    }

    /// Takes in what came of something that was asked for.
    func take(_ outcome: Outcome) {
        view.advance(to: now)
        changed()
        switch outcome {
        case .refused(let notice): say(notice)
        case .done(let words): view.say(words, forSeconds: 2)
        case .submitted(let number):
            guard number == sitting.number else { return }
            view.submitted()
            readComposer()
            if case .refused(let notice) = sitting.composer.state {
                view.say("not sent: " + Wording.refusal(notice.refusal))
            }
        case .sought(let message):
            sought = message
            bringSought()
        case .read(let number):
            guard number == sitting.number else { return }
            sitting.isRead = true
            takeConversation()
        }
    }

    private func say(_ notice: RefusalNotice) { view.say(Wording.refusal(notice.refusal)) }

    // MARK: The conversation

    private func takeConversation() {
        let sitting = sitting
        let model = sitting.conversation
        let (state, exchanges, line, notice) = read(.conversation(sitting.number)) {
            (model.state, model.exchanges, model.line, model.notice)
        }
        if let notice {
            say(notice)
            model.dismissNotice()
        }
        // What stood there before stays until there is something to take its place.
        guard sitting.isRead || state == .new || !exchanges.isEmpty else { return }
        if case .unavailable(let notice) = state, [.deleted, .notFound].contains(notice.refusal.code) {
            perform(.open(nil))
            say(notice)
            return
        }
        if case .unavailable(let notice) = state { say(notice) }
        noteID(model.id)
        view.title = line?.title.text ?? ""
        view.isTemporary = line?.isTemporary ?? sitting.composer.isTemporary
        watch(exchanges)
        if !sitting.hasHistory {
            sitting.hasHistory = !exchanges.isEmpty || state == .new
            view.scroll = .following
            view.history = PromptHistory(exchanges.map(\.prompt))
        }
        view.show(exchanges.map { ExchangeView($0) })
        bringSought()
    }

    /// Notes that the conversation began, or that its only prompt was taken back.
    private func noteID(_ id: ConversationID?) {
        guard view.conversation != id else { return }
        view.conversation = id
        if !sitting.composer.isTemporary { folder?.lastConversation = id }
    }

    private func watch(_ exchanges: [Exchange]) {
        let old = sitting.watched
        sitting.watched = Dictionary(exchanges.map { ($0.answer.id, $0.answer) }, uniquingKeysWith: { $1 })
        for exchange in exchanges where old[exchange.answer.id] !== exchange.answer { watch(exchange.answer) }
    }

    private func watch(_ answer: AnswerModel) {
        _ = read(.answer(answer.id, sitting.number)) { (answer.answer.seq, answer.phase) }
    }

    /// Puts the cursor on a message that was looked for, on whichever branch it is.
    func bringSought() {
        guard let sought, !view.exchanges.isEmpty, view.conversation == sitting.conversation.id, sitting.isRead else {
            return
        }
        guard view.focus == .messages else { return self.sought = nil }
        if view.exchanges.contains(where: { $0.turn == sought.turn }) {
            self.sought = nil
            view.selected = sought
            chatScreen.reveal(&view)
        } else if sitting.conversation.state == .shown {
            self.sought = nil
            let (sitting, post) = (sitting, post)
            jobs.yield {
                guard await sitting.conversation.show(sought.turn) else { return }
                post.yield(.outcome(.sought(sought)))
            }
        }
    }

    // MARK: The composer

    /// Takes over what the composer says by itself: a draft, or words that came back.
    func readComposer() {
        let composer = sitting.composer
        guard composer.text != sitting.agreed else { return }
        sitting.agreed = composer.text
        if composer.text != view.composer.text { view.composer.replace(with: composer.text) }
        view.editing = if case .editing(let turn) = composer.purpose { turn } else { nil }
    }

    /// Tells the composer what was typed.
    func noteComposer(_ actions: [ChatAction]) {
        let composer = sitting.composer
        composer.isTemporary = view.isTemporary
        // These take the words out by themselves.
        if actions.contains(where: \.isSubmission) { return }
        let old: TurnID? = if case .editing(let turn) = composer.purpose { turn } else { nil }
        if old != view.editing {
            if let exchange = sitting.conversation.exchanges.last(where: { $0.id == view.editing }) {
                composer.edit(exchange)
            } else {
                composer.cancelEditing()
                view.composer.replace(with: composer.text)
            }
        }
        let text = view.composer.text
        if text != sitting.agreed { composer.text = text }
        sitting.agreed = composer.text
    }
}

extension ChatAction {
    /// Whether it sends what is typed.
    fileprivate var isSubmission: Bool {
        switch self {
        case .send, .edit: true
        default: false
        }
    }
}
