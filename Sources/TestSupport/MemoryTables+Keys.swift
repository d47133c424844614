internal import RejoinCore
internal import RejoinServer

extension MemoryTables {
    mutating func addPasskey(_ passkey: PasskeyRecord) throws -> PasskeyPut {
        if let known = passkeys.first(where: { $0.id == passkey.id }) {
            guard known.account == passkey.account else { return .notFound }
            return known.credential == passkey.credential ? .existing(known) : .conflict
        }
        if passkeys.contains(where: { $0.credential == passkey.credential }) { return .conflict }
        guard passkeys(of: passkey.account).count < PasskeyRecord.most else { return .full }
        passkeys.append(passkey)
        try feed(.passkey, passkey.id, of: passkey.account, conversation: nil, at: passkey.createdAt)
        audit(.passkeyAdded, passkey.name, of: passkey.account, at: passkey.createdAt)
        return .added
    }

    func passkeys(of account: AccountID) -> [PasskeyRecord] {
        passkeys.filter { $0.account == account }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    mutating func notePasskeyUse(_ id: PasskeyID, signCount: UInt32, isBackedUp: Bool, now: Timestamp) -> Bool {
        guard let index = passkeys.firstIndex(where: { $0.id == id }) else { return false }
        let stored = passkeys[index].signCount
        guard signCount > stored || (signCount, stored) == (0, 0) else { return false }
        passkeys[index].signCount = signCount
        passkeys[index].isBackedUp = isBackedUp
        passkeys[index].lastUsedAt = now
        return true
    }

    mutating func renamePasskey(_ id: PasskeyID, of account: AccountID, to name: String, now: Timestamp) throws
        -> PasskeyRecord?
    {
        guard let index = passkeys.firstIndex(where: { $0.id == id && $0.account == account }) else { return nil }
        passkeys[index].name = name
        try feed(.passkey, id, of: account, conversation: nil, at: now)
        return passkeys[index]
    }

    mutating func deletePasskey(_ id: PasskeyID, of account: AccountID, now: Timestamp) throws -> Bool {
        guard let index = passkeys.firstIndex(where: { $0.id == id && $0.account == account }) else { return false }
        let name = passkeys.remove(at: index).name
        try feed(.passkey, id, of: account, conversation: nil, .delete, at: now)
        audit(.passkeyRemoved, name, of: account, at: now)
        return true
    }

    func identity(issuer: String, subject: String) -> IdentityRecord? {
        identities.first { $0.issuer == issuer && $0.subject == subject }
    }

    func identities(of account: AccountID) -> [IdentityRecord] {
        identities.filter { $0.account == account }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    mutating func linkIdentity(_ identity: IdentityRecord) throws -> IdentityLink {
        if let known = self.identity(issuer: identity.issuer, subject: identity.subject) {
            return known.account == identity.account ? .existing : .taken
        }
        identities.append(identity)
        try feed(.identity, identity.id, of: identity.account, conversation: nil, at: identity.createdAt)
        audit(.identityLinked, identity.issuer, of: identity.account, at: identity.createdAt)
        return .linked
    }

    mutating func unlinkIdentity(_ id: IdentityID, of account: AccountID, now: Timestamp) throws -> Bool {
        guard let index = identities.firstIndex(where: { $0.id == id && $0.account == account }) else { return false }
        let issuer = identities.remove(at: index).issuer
        try feed(.identity, id, of: account, conversation: nil, .delete, at: now)
        audit(.identityUnlinked, issuer, of: account, at: now)
        return true
    }
}
