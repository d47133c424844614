extension Assistant {
    /// Runs an operation as updates of one response, for a ``ResponseModel``: previews first, one final word last.
    ///
    /// Whoever stops reading stops the request.
    public func updates<O: AssistantOperation>(
        _ operation: O.Type, for input: O.Input, attempt: AttemptID? = nil, superseding key: SupersedeKey? = nil
    ) -> AsyncStream<ResponseUpdate<O>> {
        AsyncStream { continuation in
            // Ends with the stream: whoever stops reading cancels it.
            let request = Task {
                do throws(NoProposal) {
                    let proposal = try await propose(
                        operation, for: input, attempt: attempt, superseding: key
                    ) { continuation.yield($0) }
                    continuation.yield(.proposal(proposal))
                } catch {
                    continuation.yield(ResponseUpdate(error))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in request.cancel() }
        }
    }
}

extension ResponseUpdate {
    /// The final word where there is no proposal.
    init(_ reason: NoProposal) {
        self =
            switch reason {
            case .rejected(let failure): .rejected(failure)
            case .failed(let failure): .failed(failure)
            case .needsConsent, .mustWait, .unavailable, .consentWithdrawn: .notRun(reason)
            }
    }
}
