internal import RejoinCore
internal import RejoinServer

// People, as plainly as it can be said.

extension MemoryTables {
    struct Familiar: Hashable {
        var account: AccountID
        var address: [UInt8]
    }

    mutating func register(_ account: AccountRecord, invite codeHash: [UInt8], now: Timestamp) throws
        -> InvitedAccount
    {
        let state = invites[codeHash]?.state(at: now)
        guard state == .open else { return .refused(state) }
        guard try createAccount(account, keepsHistory: true) else { return .nameTaken }
        invites[codeHash]?.used += 1
        return .created
    }

    private func hasOwner(besides account: AccountID) -> Bool {
        accounts.values.contains { $0.role == .owner && $0.id != account }
    }

    mutating func setRole(_ role: Role, of account: AccountID, now: Timestamp) -> RoleChange {
        guard let old = accounts[account]?.role else { return .notFound }
        if old == role { return .changed }
        if role == .member, !hasOwner(besides: account) { return .lastOwner }
        accounts[account]?.role = role
        audit(.roleChanged, role.rawValue, of: account, at: now)
        return .changed
    }

    func isLastOwner(_ account: AccountID) -> Bool {
        accounts[account]?.role == .owner && !hasOwner(besides: account) && accounts.count > 1
    }

    mutating func keepAnOwner() {
        guard !accounts.values.contains(where: { $0.role == .owner }) else { return }
        let oldest = accounts.values.min { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        if let oldest { accounts[oldest.id]?.role = .owner }
    }

    mutating func setPassword(hash: String, of account: AccountID, keeping device: SessionID?, now: Timestamp) throws
        -> [SessionID]?
    {
        guard let old = accounts[account] else { return nil }
        accounts[account]?.passwordHash = hash
        audit(.passwordChanged, nil, of: account, at: now)
        return old.passwordHash == nil ? [] : try closeSessions(of: account, but: device, now: now)
    }

    mutating func renameSession(_ id: SessionID, of account: AccountID, to device: String, now: Timestamp) throws
        -> Bool
    {
        let position = sessions.firstIndex { $0.record.id == id && $0.record.account == account }
        guard let position else { return false }
        sessions[position].record.device = device
        try feed(.device, id, of: account, conversation: nil, at: now)
        return true
    }

    mutating func closeSessions(of account: AccountID, but kept: SessionID?, now: Timestamp) throws -> [SessionID] {
        let others = sessions(of: account).filter { $0.id != kept }
        for session in others {
            sessions.removeAll { $0.record.id == session.id }
            try feed(.device, session.id, of: account, conversation: nil, .delete, at: now)
            audit(.signedOut, session.device, of: account, at: now)
        }
        return others.map(\.id)
    }

    mutating func noteSeen(_ seen: [SessionID: Timestamp]) {
        for position in sessions.indices {
            guard let at = seen[sessions[position].record.id] else { continue }
            sessions[position].record.seenAt = max(sessions[position].record.seenAt, at)
        }
    }

    mutating func createInvite(_ invite: InviteRecord, codeHash: [UInt8]) throws {
        guard accounts[invite.maker] != nil, invites[codeHash] == nil else {
            throw StoreFailure(.other, detail: "the invitation cannot be")
        }
        invites[codeHash] = invite
    }

    mutating func revokeInvite(_ id: InviteID, now: Timestamp) -> Bool {
        guard let hash = invites.first(where: { $0.value.id == id })?.key else { return false }
        if invites[hash]?.revokedAt == nil { invites[hash]?.revokedAt = now }
        return true
    }

    mutating func beginAttempt(_ keys: [Attempts.Key], now: Timestamp) -> Timestamp? {
        if let wait = keys.compactMap({ attempts[$0.hash]?.blockedUntil(free: $0.free, now: now) }).max() {
            return wait
        }
        for key in keys {
            attempts[key.hash] = (attempts[key.hash] ?? Attempts(count: 0, lastAt: now)).counted(at: now)
        }
        return nil
    }

    mutating func forgiveAttempt(cleared: [Attempts.Key], eased: [Attempts.Key]) {
        for key in cleared { attempts[key.hash] = nil }
        for key in eased {
            guard let count = attempts[key.hash]?.count else { continue }
            attempts[key.hash]?.count = max(0, count - 1)
        }
    }

    mutating func noteFamiliar(_ address: [UInt8], to account: AccountID, at now: Timestamp) throws {
        guard accounts[account] != nil else { throw StoreFailure(.other, detail: "no such account") }
        familiar[Familiar(account: account, address: address)] = now
        let own = familiar.filter { $0.key.account == account }.sorted {
            $0.value == $1.value ? $0.key.address.lexicographicallyPrecedes($1.key.address) : $0.value > $1.value
        }
        for (key, _) in own.dropFirst(FamiliarAddresses.perAccount) { familiar[key] = nil }
    }

    mutating func expirePeople(now: Timestamp) {
        func ago(_ milliseconds: Int64) -> Timestamp { now.advanced(byMilliseconds: -milliseconds) }
        attempts = attempts.filter { $0.value.lastAt >= ago(Attempts.memory) }
        familiar = familiar.filter { $0.value >= ago(FamiliarAddresses.memory) }
        invites = invites.filter { $0.value.expiresAt >= ago(InviteRecord.listedAfter) }
    }
}
