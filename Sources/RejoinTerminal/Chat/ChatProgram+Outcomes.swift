import RejoinClient
import RejoinCore

extension ChatProgram {
    /// Reads again what the client says has changed.
    func take(_ update: ClientUpdate) {
        switch update {
        case .list: readList()
        case .limits: readLimits()
        case .consent: break
        case .connection:
            view.connection = ChatView.Connection(client.connection)
            changed()
        case .conversation(let id): if id == view.conversation { readTree(id) }
        case .answer(let id):
            guard let answer = client.live(id) else { return }
            view.show(answer)
            changed()
        }
    }

    /// Takes in what came of something that was asked for.
    func take(_ outcome: Outcome) {
        view.advance(to: now)
        changed()
        switch outcome {
        case .refused(let words): if !words.isEmpty { view.say(words) }
        case .done(let words): view.say(words, forSeconds: 2)
        case .notSubmitted(let words):
            view.notSubmitted()
            perform(.saveDraft)
            view.say("not sent: " + words)
        case .submitted(let conversation, let previous): submitted(conversation, previous)
        case .notOpened(let conversation, let words, let isGone):
            guard conversation == view.conversation || conversation == opening.conversation else { return }
            if isGone { perform(.open(nil)) }
            // What is here is shown all the same; the banner says that the server is away.
            if isGone || view.exchanges.isEmpty { view.say(words) }
        case .opened(let conversation, let tree, let draft):
            guard conversation == opening.conversation else { return }
            opened(conversation, tree, draft)
        case .tree(let id, let tree):
            guard id == view.conversation else { return }
            show(tree)
        case .draft(let id, let draft):
            guard id == view.conversation, view.composer.isEmpty, !isDraftNewer, view.submission == nil, let draft,
                !draft.text.isEmpty
            else { return }
            view.composer.replace(with: draft.text)
            view.editing = draft.editing
        case .list(let list): view.show(list: list.map { ConversationRow($0) })
        case .limits(let snapshot): limits = snapshot
        case .found(let words, let hits): view.show(hits: hits.map { SearchView.Hit($0) }, for: words)
        }
    }

    private func submitted(_ conversation: ConversationID, _ previous: ConversationID?) {
        view.submitted()
        if view.conversation == previous {
            view.conversation = conversation
            opening = (conversation, false)
            if !view.isTemporary { folder?.lastConversation = conversation }
        }
        // What was typed is a prompt now, under whatever name it was kept.
        isDraftNewer = true
        keepDraft()
        if previous == nil {
            let client = client
            jobs.yield { try? await client.saveDraft("", for: nil) }
            fetch(conversation)
        }
        readTree(conversation)
    }

    private func opened(_ conversation: ConversationID?, _ tree: StoredTree?, _ draft: Draft?) {
        opening.isUnderWay = false
        view.scroll = .following
        view.title = ""
        sought = revealsSoon ? view.selected : nil
        view.show([])
        if let draft, !draft.text.isEmpty, view.composer.isEmpty, !isDraftNewer {
            view.composer.replace(with: draft.text)
            view.editing = draft.editing
        }
        view.history = PromptHistory()
        if let tree {
            show(tree)
            view.history = PromptHistory(view.exchanges.map(\.prompt))
        }
    }

    private func show(_ tree: StoredTree?) {
        guard let tree else {
            // Not here yet, or not any more.
            guard !view.exchanges.isEmpty else { return }
            view.show([])
            view.conversation = nil
            view.title = ""
            folder?.lastConversation = nil
            view.say("this conversation was deleted")
            return
        }
        view.title = tree.conversation.title.text
        view.isTemporary = tree.conversation.isTemporary
        view.show(ExchangeView.path(of: tree))
        if revealsSoon, let sought = view.selected ?? sought { bring(sought, of: tree) }
    }

    /// Puts the cursor on a message that was looked for, on whichever branch it is.
    private func bring(_ message: MessageID, of tree: StoredTree) {
        guard view.focus == .messages else {
            revealsSoon = false
            return
        }
        if view.exchanges.contains(where: { $0.turn == message.turn }) {
            revealsSoon = false
            sought = nil
            view.selected = message
            chatScreen.reveal(&view)
        } else if let answer = tree.tree[message.turn]?.answers.last {
            sought = message
            perform(.select(TreeVersions(tree.tree).leaf(below: answer)))
        }
    }
}
