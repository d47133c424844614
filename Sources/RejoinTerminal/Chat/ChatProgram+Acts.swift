#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import RejoinClient
import RejoinCore

extension ChatProgram {
    /// Shows what is there already, and asks for the rest.
    func begin() {
        take(.account)
        take(.limits)
        take(.list)
        sit(with: wanted ?? folder?.lastConversation)
    }

    /// Does what was asked for before the end, and keeps what was typed: for a moment, should something be in the way.
    func end() async {
        let (sitting, clock) = (sitting, client.client.clock)
        let (done, signal) = AsyncStream<Void>.makeStream()
        jobs.yield {
            await sitting.close()
            signal.finish()
        }
        jobs.finish()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in done {} }
            group.addTask { try? await clock.sleep(for: Self.lastPatience) }
            await group.next()
            group.cancelAll()
        }
    }

    private static let lastPatience = Duration.seconds(2)

    /// Does what a key asked for.
    func perform(_ action: ChatAction) {
        switch action {
        case .open(let conversation): open(conversation)
        case .send(let text), .edit(_, let text): submit(text)
        case .stop(let answer):
            act { sitting in
                if let model = sitting.exchange(with: answer)?.answer { await sitting.conversation.stop(model) }
            }
        case .regenerate(let turn): act { await $0.conversation.regenerate(turn) }
        case .retry(let turn): act { await $0.conversation.retry(turn) }
        case .select(let answer): act { await $0.conversation.select(answer) }
        case .delete(let conversation):
            arrange { await $0.delete(conversation) }
            if view.conversation == conversation { open(nil) }
        case .rename(let conversation, let title): arrange { await $0.rename(conversation, to: title) }
        case .pin(let conversation, let isPinned): arrange { await $0.pin(conversation, isPinned) }
        case .search(let words): list.query = words
        case .copy(let text): copy(text)
        // What is typed is kept as it is typed.
        case .saveDraft: break
        case .listMore: list.more()
        case .scroll(let lines): chatScreen.scroll(&view, by: lines)
        case .reveal:
            chatScreen.reveal(&view)
            sought = view.selected
            bringSought()
        case .repaint: repaint()
        case .suspend: screen.suspend()
        case .quit: leave()
        }
    }

    /// Asks for something in the conversation on the screen, after what was asked for before.
    private func act(_ work: @escaping @MainActor @Sendable (Sitting) async -> Void) {
        let sitting = sitting
        jobs.yield { await work(sitting) }
    }

    /// Asks for something of the list, after what was asked for before; a refusal is said.
    private func arrange(_ work: @escaping @MainActor @Sendable (ConversationListModel) async -> Void) {
        let (list, post) = (list, post)
        jobs.yield {
            await work(list)
            if let notice = list.notice { post.yield(.outcome(.refused(notice))) }
            list.dismissNotice()
        }
    }

    private func submit(_ text: String) {
        let (sitting, post) = (sitting, post)
        sitting.composer.text = text
        guard let sending = sitting.composer.begin() else { return view.submitted() }
        // What had been set aside for an earlier prompt is what is typed now.
        readComposer()
        jobs.yield {
            await sitting.composer.finish(sending)
            post.yield(.outcome(.submitted(sitting.number)))
        }
    }

    /// Leaves what is open and shows another conversation, first as far as it is here.
    private func open(_ conversation: ConversationID?) {
        if conversation != nil, conversation == sitting.conversation.id { return view.scroll = .following }
        let left = sitting
        jobs.yield { await left.close() }
        sit(with: conversation)
    }

    private func sit(with conversation: ConversationID?) {
        let (number, post) = (sitting.number + 1, post)
        sitting = Sitting(number: number, client: client, conversation: conversation, model: view.model)
        // What is typed from now on belongs there, even before it is shown.
        view.conversation = conversation
        view.isTemporary = false
        view.isSending = false
        view.composer.replace(with: "")
        view.editing = nil
        view.history = PromptHistory()
        folder?.lastConversation = conversation
        take(.conversation(number))
        take(.composer(number))
        sitting.begin { post.yield(.outcome(.read(number))) }
    }

    /// Hands a text to the terminal's clipboard, which works over any line (OSC 52).
    private func copy(_ text: String) {
        let bytes = Data(text.utf8)
        guard bytes.count <= Self.clipboardLimit else {
            view.say("too long for the clipboard of a terminal")
            return
        }
        let (screen, post) = (screen, post)
        let output = "\u{1B}]52;c;" + bytes.base64EncodedString() + "\u{7}"
        jobs.yield {
            guard (try? await screen.write(output)) != nil else { return }
            post.yield(.outcome(.done("copied, if the terminal allows it")))
        }
    }

    /// Terminals take no longer ones.
    private static let clipboardLimit = 74_994
}
