package import RejoinCore
package import RejoinServer

extension MemoryStore {
    package func setPlan(_ plan: String?, of account: AccountID, now: Timestamp) async throws -> Bool {
        try write { try $0.setPlan(plan, of: account, now: now) }
    }
    package func limits(of account: AccountID, plans: PlanBook, now: Timestamp) async throws -> [LimitFigure] {
        try read { $0.limits(of: account, plans: plans, now: now) }
    }
    package func charge(of answer: AnswerID) async throws -> ChargeRecord? { try read { $0.charges[answer] } }
    package func expireLedger(before: Timestamp) async throws { try write { $0.expireLedger(before: before) } }

    package func consent(of account: AccountID) async throws -> ConsentState { try read { $0.consent(of: account) } }
    package func setConsent(
        _ values: [ConsentTopic: Int], of account: AccountID, ifVersion version: Int?, now: Timestamp
    ) async throws -> ConsentPut {
        try write { try $0.setConsent(values, of: account, ifVersion: version, now: now) }
    }
    package func consentHistory(_ topic: ConsentTopic, of account: AccountID) async throws -> [ConsentRecord] {
        try read { ($0.consents[account] ?? []).filter { $0.topic == topic } }
    }
    package func audit(of account: AccountID, before: Int?, limit: Int) async throws -> [AuditEntry] {
        try read { $0.audit(of: account, before: before, limit: limit) }
    }
    package func noteSending(_ sending: Sending, of answer: AnswerID) async throws {
        try write { $0.note(sending, of: answer) }
    }
    package func deleteOutlived(maximumDays: Int?, now: Timestamp) async throws -> Int {
        try write { try $0.deleteOutlived(maximumDays: maximumDays, now: now) }
    }
}
