internal import Synchronization

/// Lets one refresh of a refused credential run at a time; who comes meanwhile gets its outcome.
final class CredentialGate: Sendable {
    private let source: any CredentialSource
    private let state = Mutex(State())

    private struct State {
        var refreshing: (refused: Credential, task: Task<Credential?, Never>)?
        /// What replaced which refused credential last.
        var last: (refused: Credential, replacement: Credential?)?
    }

    init(_ source: any CredentialSource) { self.source = source }

    func credential() async -> Credential? { await source.credential() }

    /// The credential that replaces a refused one, nil where there is none, and whether that is news.
    ///
    /// What an earlier refresh gave is no news: it may have been refused since, and then one more refresh is right.
    func replacement(of refused: Credential) async -> (credential: Credential?, isNew: Bool) {
        let known = state.withLock { state -> (task: Task<Credential?, Never>?, replacement: Credential?) in
            // Refused meanwhile and replaced by somebody else's refresh.
            if let last = state.last, last.refused == refused { return (nil, last.replacement) }
            if let running = state.refreshing, running.refused == refused { return (running.task, nil) }
            // Not the caller's own task: a caller that is cancelled must not end the others' refresh.
            let task = Task { [source] in
                let replacement = await source.refresh(refused)
                self.finish(refused, replacement)
                return replacement
            }
            state.refreshing = (refused, task)
            return (task, nil)
        }
        guard let task = known.task else { return (known.replacement, false) }
        return (await task.value, true)
    }

    private func finish(_ refused: Credential, _ replacement: Credential?) {
        state.withLock { state in
            if state.refreshing?.refused == refused { state.refreshing = nil }
            // A refresh that failed may be tried again by a later attempt.
            state.last = replacement == nil ? nil : (refused, replacement)
        }
    }
}
