internal import RejoinCore
internal import SQLite

// The ledger: what is reserved when an answer is admitted, and settled once when it has ended.

extension StoreTransaction {
    func setPlan(_ plan: String?, of account: AccountID, now: Timestamp) throws -> Bool {
        let changed = try connection.run(
            "UPDATE account SET plan = ? WHERE id = ?", .optional(plan), .id(account))
        guard changed > 0 else { return false }
        try feedLimits(of: account, at: now)
        try audit(.planChanged, plan, of: account, at: now)
        return true
    }

    /// The plan that holds for an account.
    private func plan(of account: AccountID, _ plans: PlanBook) throws -> Plan? {
        if plans.isUnlimited { return nil }
        let name = try connection.first("SELECT plan FROM account WHERE id = ?", .id(account)) { $0.optionalText(0) }
        return plans.plan(named: name ?? nil)
    }

    func limits(of account: AccountID, plans: PlanBook, now: Timestamp) throws -> [LimitFigure] {
        guard let plan = try plan(of: account, plans) else { return [] }
        return try plan.figures(at: now) { try used($0, $1, by: account) }
    }

    private func used(_ capability: Quota.Capability, _ window: QuotaWindow, by account: AccountID) throws -> Int {
        try connection.first(
            "SELECT used FROM quota_use WHERE account = ? AND capability = ? AND window = ?", .id(account),
            .text(capability.rawValue), .time(window.start)
        ) { $0.integer(0) } ?? 0
    }

    /// Reserves what a new answer is going to take.
    ///
    /// - Returns: why it is not admitted; nil when it is.
    func reserve(_ terms: AdmissionTerms, for answer: AnswerID, of account: AccountID, at now: Timestamp) throws
        -> Admission?
    {
        guard let plan = try plan(of: account, terms.plans), !plan.quotas.isEmpty else { return nil }
        switch try plan.decide(terms.charge, at: now, used: { try used($0, $1, by: account) }) {
        case .refuse(let limit): return .limited(limit)
        case .weaker(let model): return .weaker(model: model)
        case .take(let takings):
            try connection.run(
                "INSERT INTO charge (answer, account, at) VALUES (?, ?, ?)", .id(answer), .id(account), .time(now))
            for taking in takings {
                try connection.run(
                    "INSERT INTO taking (answer, capability, window, ends_at, amount) VALUES (?, ?, ?, ?, ?)",
                    .id(answer), .text(taking.capability.rawValue), .time(taking.window.start),
                    .time(taking.window.end), .integer(taking.amount))
                try move(taking, of: account)
            }
            try feedLimits(of: account, at: now)
            return nil
        }
    }

    private func move(_ taking: Plan.Taking, of account: AccountID) throws {
        try connection.run(
            """
            INSERT INTO quota_use (account, capability, window, ends_at, used) VALUES (?1, ?2, ?3, ?4, max(0, ?5))
            ON CONFLICT DO UPDATE SET used = max(0, used + ?5)
            """, .id(account), .text(taking.capability.rawValue), .time(taking.window.start), .time(taking.window.end),
            .integer(taking.amount))
    }

    func charge(of answer: AnswerID) throws -> ChargeRecord? {
        let found = try connection.first(
            "SELECT account, at, settled_at, tokens, is_estimated, counts FROM charge WHERE answer = ?", .id(answer)
        ) { row throws(SQLiteFailure) in
            var charge = ChargeRecord(answer: answer, account: try row.id(0), at: row.time(1), takings: [])
            if let at = row.optionalTime(2) {
                charge.settlement = ChargeRecord.Settlement(
                    at: at, tokens: row.integer(3), isEstimated: row.bool(4), counts: row.bool(5))
            }
            return charge
        }
        guard var charge = found else { return nil }
        charge.takings = try connection.all(
            "SELECT capability, window, ends_at, amount FROM taking WHERE answer = ? ORDER BY capability", .id(answer)
        ) { row throws(SQLiteFailure) in
            guard let capability = Quota.Capability(rawValue: row.text(0)) else {
                throw .corrupt("an unknown capability in the ledger")
            }
            return Plan.Taking(
                capability: capability, window: QuotaWindow(start: row.time(1), end: row.time(2)),
                amount: row.integer(3))
        }
        return charge
    }

    /// Settles an answer's entry, once; nothing where there is none.
    ///
    /// - Parameter ended: nil where its conversation is deleted while it is under way.
    func settle(_ answer: AnswerID, as ended: Answer?, at now: Timestamp) throws {
        guard let charge = try charge(of: answer), charge.settlement == nil else { return }
        let settlement = charge.settlement(ended, at: now)
        try connection.run(
            "UPDATE charge SET settled_at = ?, tokens = ?, is_estimated = ?, counts = ? WHERE answer = ?",
            .time(now), .integer(settlement.tokens), .bool(settlement.isEstimated), .bool(settlement.counts),
            .id(answer))
        let corrections = charge.corrections(settlement)
        for correction in corrections { try move(correction, of: charge.account) }
        if !corrections.isEmpty { try feedLimits(of: charge.account, at: now) }
    }

    func expireLedger(before: Timestamp) throws {
        let old = Value.time(before)
        try connection.run(
            "DELETE FROM taking WHERE answer IN (SELECT answer FROM charge WHERE settled_at < ?)", old)
        try connection.run("DELETE FROM charge WHERE settled_at < ?", old)
        try connection.run("DELETE FROM quota_use WHERE ends_at < ?", old)
    }

    /// Says in the feed that the figures moved.
    ///
    /// One entry stands for all: the one before it goes, or an account's feed would be half figures.
    private func feedLimits(of account: AccountID, at now: Timestamp) throws {
        try connection.run(
            "DELETE FROM change WHERE account = ?1 AND cursor = (SELECT limits_change FROM account WHERE id = ?1)",
            .id(account))
        try feed(.limits, account, of: account, conversation: nil, at: now)
        try connection.run(
            "UPDATE account SET limits_change = newest_change WHERE id = ?", .id(account))
    }
}
