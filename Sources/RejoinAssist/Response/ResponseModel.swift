public import Observation
public import RejoinCore

/// What a view shows of one place in an app where a model is asked: at most one response at a time, the last one asked for.
///
/// A request that is overtaken is cancelled before the next one starts. If its result comes all the same, it changes
/// nothing, and is noted once under its own name. The phase comes from the machine alone, so a control with consequences
/// is enabled in one phase and nowhere else.
@MainActor @Observable public final class ResponseModel<O: AssistantOperation> {
    /// Where the current response is.
    public var phase: ResponsePhase { machine?.phase ?? .idle }
    /// The current request.
    public var request: RequestID? { machine?.request }
    /// What was shown before it was checked; empty once it is replaced or taken away.
    public private(set) var preview = ""
    /// Whether the preview must say that it is not the whole.
    public var isPreviewMarked: Bool { machine?.marksPreview == true && !preview.isEmpty }
    /// What was validated; there while it may be reviewed, and after.
    public private(set) var proposal: Proposal<O>?
    /// Why the route gave nothing.
    public private(set) var failure: AssistantFailure?
    /// Why it was not run, and what would change that.
    public private(set) var obstacle: NoProposal?
    /// Why what came may not be shown.
    public private(set) var rejection: ValidationFailure?
    /// Who is about to see the data; `nil` while it stays on the device.
    public private(set) var crossing: DataBoundary?
    /// How many notes of each kind there were.
    public private(set) var tally = ResponseTally()

    private var machine: ResponseMachine?
    @ObservationIgnored private var reading: Task<Void, Never>?
    /// Requests that were overtaken and whose result has not come.
    @ObservationIgnored private var overtaken: Set<RequestID> = []
    @ObservationIgnored private let note: @MainActor (ResponseNote) -> Void

    /// Starts with nothing asked.
    ///
    /// - Parameter note: is given every note, once.
    public init(note: @escaping @MainActor (ResponseNote) -> Void = { _ in }) {
        self.note = note
    }

    /// The controls that are enabled now.
    public var controls: Set<ResponseControl> { ResponseControl.enabled(in: phase) }

    /// Asks, and follows what comes; a request that is under way is overtaken, and cancelled first.
    ///
    /// - Returns: false where a commit is running: nothing may overtake that, and nothing was asked.
    @discardableResult
    public func ask<Updates: AsyncSequence & Sendable>(
        _ request: RequestID, _ updates: @escaping @Sendable () async -> Updates
    ) -> Bool where Updates.Element == ResponseUpdate<O>, Updates.Failure == Never {
        guard begin(request) else { return false }
        reading = Task { [weak self] in
            for await update in await updates() {
                guard let self else { return }
                self.receive(update, for: request)
                // A sequence that goes on after its final word is not listened to.
                if update.isFinal { return }
            }
        }
        return true
    }

    /// Takes the place of whatever was asked before, without following anything: the caller brings the updates.
    ///
    /// - Returns: false where a commit is running.
    @discardableResult
    public func begin(_ request: RequestID) -> Bool {
        guard phase != .committing else { return false }
        reading?.cancel()
        reading = nil
        if let machine {
            if !machine.phase.isFinal, machine.phase != .ready { overtaken.insert(machine.request) }
            move(.superseded)
        }
        proposal = nil
        failure = nil
        obstacle = nil
        rejection = nil
        crossing = nil
        preview = ""
        machine = ResponseMachine(request: request, kind: O.kind)
        move(.requested)
        return true
    }

    /// Takes an update of a request, current or not.
    public func receive(_ update: ResponseUpdate<O>, for request: RequestID) {
        guard request == machine?.request else {
            if update.isFinal, overtaken.remove(request) != nil, !update.isCancellation { record(.stale(request)) }
            return
        }
        switch update {
        case .crossing(let boundary): if !phase.isFinal { crossing = boundary }
        case .preview(let text):
            if phase != .streaming { guard move(.streamed) else { return } }
            preview = WholeCharacters.shown(of: GrowingText(text), mayGrow: true).string
        case .ended: move(.ended)
        case .proposal(let proposal): finish(with: proposal)
        case .rejected(let rejection):
            if phase != .validating { move(.ended) }
            if move(.rejected) { self.rejection = rejection }
        case .failed(let failure): end(with: failure)
        case .notRun(let reason): if move(.refused) { obstacle = reason }
        }
    }

    /// Stops the model; a stopped request shows no error.
    public func stop() { leave(by: .stopped) }

    /// Puts the response away.
    public func dismiss() { leave(by: .dismissed) }

    /// The view goes: the request is cancelled, and a commit that is running goes on.
    public func disappear() { leave(by: .dismissed) }

    /// Applies what was accepted in a review of the current proposal.
    ///
    /// - Returns: the effect's receipt; `nil` where it was not applied, and ``failure`` or the review says why.
    public func commit<E: CommitEffect>(
        _ review: Review<O>, _ effect: E, ledger: any CommitLedger
    ) async -> Result<E.Receipt, CommitFailure>? where E.Operation == O {
        guard review.proposal.id == proposal?.id, phase == .ready, let permit = try? review.accept() else { return nil }
        move(.commitStarted)
        do throws(CommitFailure) {
            let receipt = try await permit.apply(effect, ledger: ledger)
            review.committed()
            move(.commitSucceeded)
            return .success(receipt)
        } catch {
            review.failed(with: error)
            move(error.mayRetry ? .commitDelayed : .commitFailed)
            return .failure(error)
        }
    }

    private func leave(by event: ResponseEvent) {
        guard let machine, phase != .committing else { return }
        reading?.cancel()
        reading = nil
        if !machine.phase.isFinal, machine.phase != .ready { overtaken.insert(machine.request) }
        move(event)
    }

    private func finish(with proposal: Proposal<O>) {
        // A rule, or a route without a stream, has nothing to say before its result.
        if phase != .validating { move(.ended) }
        guard move(.validated) else { return }
        self.proposal = proposal
        preview = ""
    }

    private func end(with failure: AssistantFailure) {
        if failure == .cancelled {
            move(.stopped)
            return
        }
        if move(failure.isDrop ? .dropped : failure.isRefusal ? .refused : .failed) { self.failure = failure }
    }

    /// Moves the machine; an event without meaning in this phase changes nothing.
    @discardableResult
    private func move(_ event: ResponseEvent) -> Bool {
        guard let note = try? machine?.apply(event) else { return false }
        if machine?.keepsPreview == false { preview = "" }
        record(note)
        return true
    }

    private func record(_ note: ResponseNote) {
        tally.count(note)
        self.note(note)
    }
}
