internal import RejoinCore
internal import RejoinServer

// What an account may use and what it has decided, as plainly as it can be said: nothing is counted beforehand, every
// figure is a sum over all entries.

extension MemoryTables {
    // MARK: Limits

    mutating func setPlan(_ plan: String?, of account: AccountID, now: Timestamp) throws -> Bool {
        guard accounts[account] != nil else { return false }
        accounts[account]?.plan = plan
        try feedLimits(of: account, at: now)
        audit(.planChanged, plan, of: account, at: now)
        return true
    }

    func limits(of account: AccountID, plans: PlanBook, now: Timestamp) -> [LimitFigure] {
        plans.plan(named: accounts[account]?.plan)?.figures(at: now) { used($0, $1, by: account) } ?? []
    }

    private func used(_ capability: Quota.Capability, _ window: QuotaWindow, by account: AccountID) -> Int {
        charges.values.filter { $0.account == account }.reduce(0) { sum, charge in
            guard
                let taking = charge.takings.first(where: {
                    $0.capability == capability && $0.window.start == window.start
                })
            else { return sum }
            guard let settlement = charge.settlement else { return sum + taking.amount }
            if !settlement.counts { return sum }
            return sum + (capability == .tokens ? settlement.tokens : taking.amount)
        }
    }

    mutating func reserve(_ terms: AdmissionTerms, for answer: AnswerID, of account: AccountID, at now: Timestamp)
        throws
        -> Admission?
    {
        guard let plan = terms.plans.plan(named: accounts[account]?.plan), !plan.quotas.isEmpty else { return nil }
        switch plan.decide(terms.charge, at: now, used: { used($0, $1, by: account) }) {
        case .refuse(let limit): return .limited(limit)
        case .weaker(let model): return .weaker(model: model)
        case .take(let takings):
            let sorted = takings.sorted { $0.capability.rawValue < $1.capability.rawValue }
            charges[answer] = ChargeRecord(answer: answer, account: account, at: now, takings: sorted)
            try feedLimits(of: account, at: now)
            return nil
        }
    }

    mutating func settle(_ answer: AnswerID, as ended: Answer?, at now: Timestamp) throws {
        guard let charge = charges[answer], charge.settlement == nil else { return }
        let settlement = charge.settlement(ended, at: now)
        charges[answer]?.settlement = settlement
        if !charge.corrections(settlement).isEmpty { try feedLimits(of: charge.account, at: now) }
    }

    mutating func expireLedger(before: Timestamp) {
        charges = charges.filter { $0.value.settlement.map { $0.at >= before } ?? true }
    }

    private mutating func feedLimits(of account: AccountID, at now: Timestamp) throws {
        feeds[account]?.entries.removeAll { $0.change.kind == .limits }
        try feed(.limits, account, of: account, conversation: nil, at: now)
    }

    // MARK: Decisions

    func consent(of account: AccountID) -> ConsentState {
        ConsentState((consents[account] ?? []).reversed())
    }

    func keepsHistory(_ account: AccountID) -> Bool { consent(of: account)[.history] != 0 }

    mutating func setConsent(
        _ values: [ConsentTopic: Int], of account: AccountID, ifVersion version: Int?, now: Timestamp
    ) throws -> ConsentPut {
        let old = consent(of: account)
        if let version, version != old.version { return .conflict(old) }
        var hasChanged = false
        for topic in ConsentTopic.allCases {
            guard let value = values[topic], value != old[topic] else { continue }
            hasChanged = true
            consents[account, default: []].append(
                ConsentRecord(topic: topic, value: value, version: old.version + 1, at: now))
            audit(.consentChanged, "\(topic.rawValue) \(value)", of: account, at: now)
        }
        if hasChanged { try feed(.consent, account, of: account, conversation: nil, at: now) }
        return .changed(consent(of: account))
    }

    mutating func audit(_ event: AuditEntry.Event, _ detail: String?, of account: AccountID, at now: Timestamp) {
        let number = (audits[account]?.last?.number ?? 0) + 1
        audits[account, default: []].append(AuditEntry(number: number, at: now, event: event, detail: detail))
        audits[account]?.removeAll { $0.number <= number - AuditEntry.kept }
    }

    func audit(of account: AccountID, before: Int?, limit: Int) -> [AuditEntry] {
        Array((audits[account] ?? []).filter { $0.number < before ?? .max }.reversed().prefix(max(0, limit)))
    }

    mutating func note(_ sending: Sending, of answer: AnswerID) {
        guard let position = answers.firstIndex(where: { $0.id == answer }) else { return }
        answers[position].sent.append(sending)
    }

    mutating func deleteOutlived(maximumDays: Int?, now: Timestamp) throws -> Int {
        var count = 0
        for account in accounts.values.sorted(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) {
            let own = consent(of: account.id)[.retention]
            let bounds = [own == 0 ? nil : own, maximumDays].compactMap { $0 }
            guard let days = bounds.min() else { continue }
            let moment = now.advanced(byMilliseconds: -Int64(days) * 86_400_000)
            let outlived = conversations.filter { id, kept in
                kept.account == account.id && !kept.record.isTemporary && kept.record.updatedAt < moment
                    && !answers.contains { $0.conversation == id && $0.end == nil }
            }
            let sorted = outlived.sorted { ($0.value.record.updatedAt, $0.key) < ($1.value.record.updatedAt, $1.key) }
            for (id, _) in sorted.prefix(200 - count) {
                _ = try erase(id, of: account.id, now: now)
                count += 1
            }
        }
        return count
    }
}
