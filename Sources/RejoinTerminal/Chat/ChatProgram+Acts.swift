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
        view.connection = ChatView.Connection(client.connection)
        readList()
        readLimits()
        perform(.open(wanted ?? folder?.lastConversation))
    }

    /// Does what was asked for before the end, and keeps what was typed: for a moment, should something be in the way.
    func end() async {
        // What is being sent leaves the draft by itself, or stays there.
        if view.submission == nil || !view.composer.isEmpty { keepDraft() }
        let (client, clock) = (client, client.client.clock)
        if view.isTemporary, let conversation = view.conversation {
            jobs.yield { try? await client.leave(conversation) }
        }
        let (done, signal) = AsyncStream<Void>.makeStream()
        jobs.yield { signal.finish() }
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
        case .send(let text): submit(text, editing: nil)
        case .edit(let turn, let text): submit(text, editing: turn)
        case .stop(let answer): act { try await $0.stop(answer) }
        case .regenerate(let turn): act { _ = try await $0.regenerate(turn) }
        case .retry(let turn): act { _ = try await $0.retry(turn) }
        case .cancelWaiting(let turn): act { try await $0.cancelWaiting(turn) }
        case .select(let answer): act { try await $0.select(answer) }
        case .delete(let conversation): delete(conversation)
        case .rename(let conversation, let title): act { try await $0.rename(conversation, to: title) }
        case .pin(let conversation, let isPinned): act { try await $0.pin(conversation, isPinned) }
        case .search(let words): search(words)
        case .copy(let text): copy(text)
        case .saveDraft:
            if !isDraftNewer { wait(for: .draft, Self.draftInterval) }
            isDraftNewer = true
        case .listMore:
            guard view.list.count >= listLimit else { return }
            listLimit += 200
            readList()
        case .scroll(let lines): chatScreen.scroll(&view, by: lines)
        case .reveal:
            chatScreen.reveal(&view)
            revealsSoon = opening.isUnderWay
        case .repaint: repaint()
        case .suspend: screen.suspend()
        case .quit: leave()
        }
    }

    /// Asks the client for something, after what was asked for before; a refusal is said.
    private func act(_ work: @escaping @Sendable (ConversationClient) async throws -> Void) {
        let (client, post) = (client, post)
        jobs.yield {
            do { try await work(client) } catch {
                post.yield(.outcome(.refused(Self.words(error))))
            }
        }
    }

    private func submit(_ text: String, editing: TurnID?) {
        let (client, post) = (client, post)
        let (conversation, model, isTemporary) = (view.conversation, view.model, view.isTemporary)
        jobs.yield {
            do {
                let sent =
                    if let editing {
                        try await client.edit(editing, [.text(text)])
                    } else {
                        try await client.send(text, in: conversation, model: model, temporary: isTemporary)
                    }
                post.yield(.outcome(.submitted(sent.conversation, in: conversation)))
            } catch {
                post.yield(.outcome(.notSubmitted(Self.words(error))))
            }
        }
    }

    private func delete(_ conversation: ConversationID) {
        act { try await $0.delete(conversation) }
        if view.conversation == conversation { open(nil) }
    }

    /// Leaves what is open and shows another conversation, first as far as it is here.
    private func open(_ conversation: ConversationID?) {
        keepDraft()
        let (client, post) = (client, post)
        let (left, wasTemporary) = (view.conversation, view.isTemporary)
        opening = (conversation, true)
        // What is typed from now on belongs there, even before it is shown.
        view.conversation = conversation
        view.isTemporary = false
        if left != conversation {
            view.composer.replace(with: "")
            view.editing = nil
        }
        if let folder, !wasTemporary || conversation != nil { folder.lastConversation = conversation }
        jobs.yield {
            if let left, left != conversation { try? await client.leave(left) }
            let tree = if let conversation { try? await client.tree(conversation) } else { StoredTree?.none }
            let draft = try? await client.draft(for: conversation)
            post.yield(.outcome(.opened(conversation, tree, draft)))
        }
        if let conversation { fetch(conversation) }
    }

    /// Fetches what is missing of a conversation and follows what is being written in it.
    func fetch(_ conversation: ConversationID) {
        let (client, post) = (client, post)
        run {
            do { try await client.open(conversation) } catch {
                let code = (error as? ClientRefusal)?.code
                let isGone = code == .notFound || code == .deleted
                post.yield(.outcome(.notOpened(conversation, Self.words(error), isGone: isGone)))
            }
        }
    }

    private func search(_ words: String) {
        let (client, post) = (client, post)
        jobs.yield {
            let hits = (try? await client.search(words, limit: 50)) ?? []
            post.yield(.outcome(.found(words, hits)))
        }
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

    /// Keeps what is typed.
    func keepDraft() {
        guard isDraftNewer else { return }
        isDraftNewer = false
        let (text, conversation, editing) = (view.composer.text, view.conversation, view.editing)
        let client = client
        jobs.yield { try? await client.saveDraft(text, for: conversation, editing: editing) }
    }

    func readList() {
        let (client, post, limit) = (client, post, listLimit)
        jobs.yield {
            if let list = try? await client.list(limit: limit) { post.yield(.outcome(.list(list))) }
        }
    }

    func readLimits() {
        let (client, post) = (client, post)
        jobs.yield { post.yield(.outcome(.limits(try? await client.limits()))) }
    }

    func readTree(_ conversation: ConversationID) {
        let (client, post) = (client, post)
        jobs.yield {
            guard let tree = try? await client.tree(conversation) else {
                post.yield(.outcome(.tree(conversation, nil)))
                return
            }
            post.yield(.outcome(.tree(conversation, tree)))
            // What could not be sent is in the draft again.
            post.yield(.outcome(.draft(conversation, try? await client.draft(for: conversation))))
        }
    }

    /// Why something could not be done.
    private static func words(_ error: any Error) -> String {
        switch error {
        case let refusal as ClientRefusal: Wording.refusal(refusal)
        case let error as LocalStoreError: HarmlessText.line(String(describing: error))
        case is CancellationError: ""
        default: "it did not work"
        }
    }
}
