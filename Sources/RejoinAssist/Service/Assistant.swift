internal import RejoinCore

/// What a feature asks: it finds the route, runs it, falls back, validates, and gives back a proposal for review.
///
/// Nothing that it returns can be saved: only a ``Review`` gives a permit. Where an operation runs is decided anew for
/// each call, from what is true then; whatever leaves the device passes the gate of the person's consent as it leaves.
public final class Assistant: Sendable {
    /// How routes are chosen.
    public let policy: RoutePolicy
    let environment: @Sendable () async -> RouteEnvironment
    let runners: Runners
    let telemetry: any TelemetrySink
    let surroundings: AssistantSurroundings
    private let ask: @Sendable (ConsentQuestion) async -> Bool

    /// What runs on each route; a route without a runner must not be ready in the environment.
    public struct Runners: Sendable {
        /// The model on this device.
        public var local: LocalService?
        /// The platform's private cloud, which is reached like a model on the device.
        public var privateCloud: LocalService?
        /// The server.
        public var cloud: CloudExecutor?

        /// Names the runners that an app has.
        public init(local: LocalService? = nil, privateCloud: LocalService? = nil, cloud: CloudExecutor? = nil) {
            self.local = local
            self.privateCloud = privateCloud
            self.cloud = cloud
        }
    }

    /// Puts an assistant together.
    ///
    /// - Parameters:
    ///   - environment: what is true now; it is read anew for each decision and each fallback.
    ///   - ask: asks the person for consent and returns the answer, which is then recorded. Without it a call that
    ///     needs consent ends with ``NoProposal/needsConsent(_:)``.
    public init(
        policy: RoutePolicy = RoutePolicy(version: 1), runners: Runners,
        environment: @escaping @Sendable () async -> RouteEnvironment, telemetry: any TelemetrySink = NoTelemetry(),
        surroundings: AssistantSurroundings, ask: @escaping @Sendable (ConsentQuestion) async -> Bool = { _ in false }
    ) {
        self.policy = policy
        self.runners = runners
        self.environment = environment
        self.telemetry = telemetry
        self.surroundings = surroundings
        self.ask = ask
    }

    /// Where an operation would run now, and why; nothing is run or sent.
    public func resolve<O: AssistantOperation>(_ operation: O.Type, for input: O.Input) async -> Resolution {
        await policy.resolve(Self.profile(of: operation, asking: [input]), in: surroundings(of: operation, input))
    }

    /// Where an operation on a long list would run now, and why; nothing is run or sent.
    public func resolve<O: BatchOperation>(_ operation: O.Type, for input: O.Input) async -> Resolution {
        let profile = Self.profile(of: operation, asking: O.chunks(of: input))
        return await policy.resolve(profile, in: surroundings(of: operation, input))
    }

    /// Runs an operation and gives back what may be reviewed.
    ///
    /// - Parameters:
    ///   - attempt: names the tap, so that a call after a loss or a restart gets the answer that was paid for; call
    ///     ``settle(_:)`` once the outcome is kept. Without it a call is an attempt of its own.
    ///   - key: makes earlier requests of the same key at the device's model obsolete.
    ///   - watch: told of everything on the way but the end, such as previews and the crossing of a boundary.
    /// - Throws: why there is no proposal.
    public func propose<O: AssistantOperation>(
        _ operation: O.Type, for input: O.Input, attempt: AttemptID? = nil, superseding key: SupersedeKey? = nil,
        watch: @escaping @Sendable (ResponseUpdate<O>) -> Void = { _ in }
    ) async throws(NoProposal) -> Proposal<O> {
        let id = makeID()
        let profile = Self.profile(of: operation, asking: [input])
        return try await propose(operation, profile, for: input, id: id, watch: watch) {
            (decision) throws(AssistantFailure) in
            try await self.draft(
                operation, for: input, decision, attempt: attempt ?? AttemptID(id.description),
                isKept: attempt != nil, key
            ) { watch(.preview($0)) }
        }
    }

    /// Runs an operation on a long list, part by part, and gives back one proposal with a decision for every item.
    ///
    /// Parts that fail leave their items pending; where all fail, so does the call.
    ///
    /// - Parameter progress: told after each part; never backwards but when a fallback begins anew.
    /// - Throws: why there is no proposal.
    public func propose<O: BatchOperation>(
        _ operation: O.Type, for input: O.Input, attempt: AttemptID? = nil,
        watch: @escaping @Sendable (ResponseUpdate<O>) -> Void = { _ in },
        progress: @escaping @Sendable (BatchProgress) -> Void
    ) async throws(NoProposal) -> Proposal<O> {
        let id = makeID()
        let whole = attempt ?? AttemptID(id.description)
        let profile = Self.profile(of: operation, asking: O.chunks(of: input))
        return try await propose(operation, profile, for: input, id: id, watch: watch) {
            (decision) throws(AssistantFailure) in
            // A rule looks at the list as a whole.
            if decision.primary == .deterministic { return try Self.ruled(operation, for: input) }
            return try await O.draft(for: input, progress: progress, stops: { $0 == .consentMissing }) {
                (index, chunk) throws(AssistantFailure) in
                try await self.draft(
                    operation, for: chunk, decision, attempt: whole.part(index), isKept: attempt != nil, nil
                ) { _ in }
            }
        }
    }

    /// Forgets an attempt whose outcome the app has kept, or that nobody wants any more, with all its parts.
    public func settle(_ attempt: AttemptID, parts: Int = 0) async {
        await runners.cloud?.settle(attempt, chunks: parts)
    }

    // MARK: One request

    private func propose<O: AssistantOperation>(
        _ operation: O.Type, _ profile: OperationProfile, for input: O.Input, id: ProposalID,
        watch: @Sendable (ResponseUpdate<O>) -> Void,
        run: @Sendable (RouteDecision) async throws(AssistantFailure) -> O.Draft
    ) async throws(NoProposal) -> Proposal<O> {
        let diary = Diary(telemetry, profile.id, policy.version, language: Self.language(of: operation, for: input))
        var resolution = await policy.resolve(profile, in: surroundings(of: operation, input))
        var lastFailure: NoProposal?
        while true {
            diary.note(resolution)
            let decision = try await decision(in: resolution, after: lastFailure) {
                await self.policy.resolve(profile, in: self.surroundings(of: operation, input))
            } noting: {
                diary.note($0)
            }
            if let notice = decision.notice { watch(.crossing(notice.boundary)) }
            let began = surroundings.elapsed()
            let failure: AssistantFailure
            switch await Self.result({ () throws(AssistantFailure) in try await run(decision) }) {
            case .success(let draft):
                watch(.ended)
                do throws(ValidationFailure) {
                    let output = try O.pipeline(draft, against: input)
                    diary.validated(decision, output.report, after: surroundings.elapsed() - began)
                    return Proposal(id: id, route: decision.primary, input: input, output: output)
                } catch {
                    diary.rejected(decision, after: surroundings.elapsed() - began)
                    lastFailure = .rejected(error)
                    failure = error == .refusedInWords ? .refused : .decoding
                }
            case .failure(let reason):
                if reason == .consentMissing, let request = decision.consentNeeded { throw .consentWithdrawn(request) }
                diary.failed(decision, reason, after: surroundings.elapsed() - began)
                lastFailure = .failed(reason)
                failure = reason
            }
            guard failure != .cancelled, !Task.isCancelled else { throw .failed(.cancelled) }
            resolution = await policy.fallback(
                after: failure, from: decision, in: surroundings(of: operation, input))
            // What was shown came from a route that failed.
            watch(.preview(""))
        }
    }

    /// The decision to run, after asking the person where that is needed.
    ///
    /// - Parameter lastFailure: what is told where a fallback leads nowhere; the first route's refusal would hide it.
    private func decision(
        in first: Resolution, after lastFailure: NoProposal?, again resolve: () async -> Resolution,
        noting note: (Resolution) -> Void
    ) async throws(NoProposal) -> RouteDecision {
        var resolution = first
        var asked: Set<ConsentRequest> = []
        while true {
            switch resolution {
            case .run(let decision): return decision
            case .wait(let wait): throw lastFailure ?? .mustWait(wait)
            case .unavailable(let refusal): throw lastFailure ?? .unavailable(refusal)
            case .askConsent(let question):
                guard asked.insert(question.request).inserted, await ask(question), await record(question.request)
                else {
                    throw .needsConsent(question)
                }
                resolution = await resolve()
                note(resolution)
            }
        }
    }

    private func record(_ request: ConsentRequest) async -> Bool {
        let ledger = await environment().consent
        return (try? await ledger.record(ConsentGrant(request, at: surroundings.now()))) != nil
    }

    // MARK: One route

    private func draft<O: AssistantOperation>(
        _ operation: O.Type, for input: O.Input, _ decision: RouteDecision, attempt: AttemptID, isKept: Bool,
        _ key: SupersedeKey?, preview: @escaping @Sendable (String) -> Void
    ) async throws(AssistantFailure) -> O.Draft {
        switch decision.primary {
        case .deterministic: return try Self.ruled(operation, for: input)
        case .onDevice:
            guard let local = runners.local else { throw .assetsUnavailable }
            return try await local.draft(operation, for: input, superseding: key, preview: preview)
        case .privateCloud:
            guard let privateCloud = runners.privateCloud, let request = decision.consentNeeded else {
                throw .assetsUnavailable
            }
            // A runner of the device's kind knows of no consent: it is asked for here, and for as long as it runs.
            let gate = ConsentGate(await environment().consent)
            do {
                return try await gate.pass(request) {
                    try await privateCloud.draft(operation, for: input, superseding: key, preview: preview)
                }
            } catch let failure as AssistantFailure {
                throw failure
            } catch is ConsentWithdrawn {
                throw .consentMissing
            } catch {
                throw .cancelled
            }
        case .cloud:
            // The executor asks for the consent itself, before each time that it sends.
            guard let cloud = runners.cloud else { throw .assetsUnavailable }
            let draft = try await cloud.draft(operation, for: input, attempt: attempt).draft
            if !isKept { await cloud.settle(attempt) }
            return draft
        }
    }

    /// What the rule says that the decision saw; it depends on nothing but the input.
    private static func ruled<O: AssistantOperation>(
        _ operation: O.Type, for input: O.Input
    ) throws(AssistantFailure) -> O.Draft {
        guard let draft = O.rule(for: input) else { throw .invalidRequest }
        return draft
    }

    private static func result<Draft: Sendable>(
        _ run: () async throws(AssistantFailure) -> Draft
    ) async -> Result<Draft, AssistantFailure> {
        do throws(AssistantFailure) {
            return .success(try await run())
        } catch {
            return .failure(error)
        }
    }

    // MARK: What is known of an input

    private func surroundings<O: AssistantOperation>(
        of operation: O.Type, _ input: O.Input
    ) async -> RouteEnvironment {
        var environment = await environment()
        // The app may switch an operation's rule off; whether one matches is the operation's own to say.
        let isAllowed = environment.rules(O.profile.id)
        let hasRule = isAllowed && O.rule(for: input) != nil
        environment.rules = { _ in hasRule }
        return environment
    }

    private static func profile<O: AssistantOperation>(of operation: O.Type, asking parts: [O.Input])
        -> OperationProfile
    {
        O.profile.fitted(to: parts.lazy.map(O.task(for:)))
    }

    private static func language<O: AssistantOperation>(of operation: O.Type, for input: O.Input) -> LanguageLabel {
        LanguageGuess(O.task(for: input).prompt).label
    }

    func makeID() -> ProposalID {
        ProposalID(at: surroundings.now(), random: (surroundings.random(), surroundings.random()))
    }
}
