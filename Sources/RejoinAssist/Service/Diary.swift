/// Writes one request's events for telemetry.
struct Diary: Sendable {
    private let sink: any TelemetrySink
    private let operation: OperationID
    private let policyVersion: UInt16
    private let language: LanguageLabel

    init(_ sink: any TelemetrySink, _ operation: OperationID, _ policyVersion: Int, language: LanguageLabel) {
        self.sink = sink
        self.operation = operation
        self.policyVersion = UInt16(clamping: policyVersion)
        self.language = language
    }

    /// What came of asking for a route.
    func note(_ resolution: Resolution) {
        switch resolution {
        case .run(let decision):
            record(
                .decided(in: decision.mode), route: decision.primary, reason: ReasonLabel(decision.reason),
                local: decision.primary == .onDevice ? .ready : Self.local(in: decision.rejected))
        case .wait(let wait): record(.waiting, local: wait.state)
        case .askConsent(let question):
            record(.asked, route: question.route, local: Self.local(in: question.rejected))
        case .unavailable(let refusal): record(.refused, local: Self.local(in: refusal.rejected))
        }
    }

    func validated(_ decision: RouteDecision, _ report: ValidationReport, after duration: Duration) {
        let outcome = ValidationOutcome(report.isPartial ? .partly : .accepted, language: language)
        record(.validated, route: decision.primary, duration: duration, validation: outcome)
    }

    func rejected(_ decision: RouteDecision, after duration: Duration) {
        let outcome = ValidationOutcome(.rejected, language: language)
        record(.validated, route: decision.primary, duration: duration, validation: outcome)
    }

    func failed(_ decision: RouteDecision, _ failure: AssistantFailure, after duration: Duration) {
        record(.failed, route: decision.primary, duration: duration, failure: FailureClass(failure))
    }

    private func record(
        _ name: EventName, route: Route? = nil, reason: ReasonLabel? = nil, local: LocalState? = nil,
        duration: Duration? = nil, validation: ValidationOutcome? = nil, failure: FailureClass? = nil
    ) {
        sink.record(
            TelemetryEvent(
                name, operation: operation, route: route.map(RouteLabel.init), reason: reason, local: local,
                duration: duration.map(DurationBucket.init), validation: validation, failure: failure,
                policyVersion: policyVersion))
    }

    private static func local(in rejected: [RejectedRoute]) -> LocalState? {
        for case .local(let availability) in rejected.lazy.filter({ $0.route == .onDevice }).flatMap(\.why) {
            return availability.state
        }
        return nil
    }
}
