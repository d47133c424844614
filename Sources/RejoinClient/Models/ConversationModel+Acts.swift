public import RejoinCore

/// What a person does with what is shown; a refusal becomes ``ConversationModel/notice``.
extension ConversationModel {
    /// Stops the answer that is under way.
    public func stop() async {
        guard let running else { return }
        await stop(running)
    }

    /// Stops an answer, or takes its prompt back if it has not left this device.
    public func stop(_ answer: AnswerModel) async {
        await attempt { try await client.stop(answer.id) }
        await reload()
    }

    /// Asks for another answer to a prompt.
    public func regenerate(_ turn: TurnID) async {
        guard await attempt({ try await client.regenerate(turn) }) != nil else { return }
        scroll.sent()
        await reload()
    }

    /// Tries a turn again.
    public func retry(_ turn: TurnID) async {
        guard await attempt({ try await client.retry(turn) }) != nil else { return }
        scroll.sent()
        await reload()
    }

    /// Takes back a prompt that waits for a connection; its words go back into the draft.
    public func cancel(_ turn: TurnID) async {
        await attempt { try await client.cancelWaiting(turn) }
        await reload()
    }

    /// Shows another version or branch: an answer that a ``Choice`` names.
    public func select(_ answer: AnswerID) async {
        await attempt { try await client.select(answer) }
        await reload()
    }

    /// Shows a prompt, on whichever branch it is: that is what a search leads to.
    ///
    /// - Returns: whether it is there to be shown.
    @discardableResult
    public func show(_ turn: TurnID) async -> Bool {
        if exchanges.contains(where: { $0.id == turn }) { return true }
        guard let id, let tree = try? await client.tree(id)?.tree, let answer = tree[turn]?.answers.last else {
            return false
        }
        await select(answer)
        return exchanges.contains { $0.id == turn }
    }
}
