internal import RejoinCore
internal import SQLite

extension StoreTransaction {
    // MARK: Passkeys

    func addPasskey(_ passkey: PasskeyRecord) throws -> PasskeyPut {
        if let known = try self.passkey(passkey.id) {
            guard known.account == passkey.account else { return .notFound }
            return known.credential == passkey.credential ? .existing(known) : .conflict
        }
        let isKnown = try connection.exists(
            "SELECT 1 FROM passkey WHERE credential = ?", .bytes(passkey.credential))
        if isKnown { return .conflict }
        guard try passkeys(of: passkey.account).count < PasskeyRecord.most else { return .full }
        try connection.run(
            """
            INSERT INTO passkey (id, account, credential, public_key, sign_count, is_backup_eligible, is_backed_up,
                transports, name, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .id(passkey.id), .id(passkey.account), .bytes(passkey.credential), .bytes(passkey.publicKey),
            .integer(Int(passkey.signCount)), .bool(passkey.isBackupEligible), .bool(passkey.isBackedUp),
            .text(passkey.transports.joined(separator: " ")), .text(passkey.name), .time(passkey.createdAt))
        try feed(.passkey, passkey.id, of: passkey.account, conversation: nil, at: passkey.createdAt)
        try audit(.passkeyAdded, passkey.name, of: passkey.account, at: passkey.createdAt)
        return .added
    }

    private static let passkeyColumns = """
        SELECT id, account, credential, public_key, sign_count, is_backup_eligible, is_backed_up, transports, name,
            created_at, last_used_at FROM passkey
        """

    func passkey(_ id: PasskeyID) throws -> PasskeyRecord? {
        try connection.first("\(Self.passkeyColumns) WHERE id = ?", .id(id), read: Self.passkey)
    }

    func passkey(_ id: PasskeyID, of account: AccountID) throws -> PasskeyRecord? {
        guard let passkey = try passkey(id), passkey.account == account else { return nil }
        return passkey
    }

    func passkey(credential: [UInt8]) throws -> PasskeyRecord? {
        try connection.first("\(Self.passkeyColumns) WHERE credential = ?", .bytes(credential), read: Self.passkey)
    }

    func passkeys(of account: AccountID) throws -> [PasskeyRecord] {
        try connection.all(
            "\(Self.passkeyColumns) WHERE account = ? ORDER BY created_at, id", .id(account), read: Self.passkey)
    }

    private static func passkey(_ row: borrowing Row) throws(SQLiteFailure) -> PasskeyRecord {
        guard let signCount = UInt32(exactly: row.integer64(4)) else { throw .corrupt("a counter is out of range") }
        return PasskeyRecord(
            id: try row.id(0), account: try row.id(1), credential: row.bytes(2), publicKey: row.bytes(3),
            signCount: signCount, isBackupEligible: row.integer(5) != 0, isBackedUp: row.integer(6) != 0,
            transports: row.text(7).split(separator: " ").map(String.init), name: row.text(8), createdAt: row.time(9),
            lastUsedAt: row.optionalTime(10))
    }

    func notePasskeyUse(_ id: PasskeyID, signCount: UInt32, isBackedUp: Bool, now: Timestamp) throws -> Bool {
        guard let known = try passkey(id), PasskeyCeremony.isNext(signCount, after: known.signCount) else {
            return false
        }
        try connection.run(
            "UPDATE passkey SET sign_count = ?, is_backed_up = ?, last_used_at = ? WHERE id = ?",
            .integer(Int(signCount)), .bool(isBackedUp), .time(now), .id(id))
        return true
    }

    func renamePasskey(_ id: PasskeyID, of account: AccountID, to name: String, now: Timestamp) throws -> PasskeyRecord?
    {
        guard var known = try passkey(id, of: account) else { return nil }
        try connection.run("UPDATE passkey SET name = ? WHERE id = ?", .text(name), .id(id))
        try feed(.passkey, id, of: account, conversation: nil, at: now)
        known.name = name
        return known
    }

    func deletePasskey(_ id: PasskeyID, of account: AccountID, now: Timestamp) throws -> Bool {
        guard let known = try passkey(id, of: account) else { return false }
        try connection.run("DELETE FROM passkey WHERE id = ?", .id(id))
        try feed(.passkey, id, of: account, conversation: nil, .delete, at: now)
        try audit(.passkeyRemoved, known.name, of: account, at: now)
        return true
    }

    // MARK: Identities at a provider

    private static let identityColumns = """
        SELECT id, account, issuer, subject, name, created_at, last_used_at FROM identity
        """

    func identity(issuer: String, subject: String) throws -> IdentityRecord? {
        try connection.first(
            "\(Self.identityColumns) WHERE issuer = ? AND subject = ?", .text(issuer), .text(subject),
            read: Self.identity)
    }

    func identities(of account: AccountID) throws -> [IdentityRecord] {
        try connection.all(
            "\(Self.identityColumns) WHERE account = ? ORDER BY created_at, id", .id(account), read: Self.identity)
    }

    private static func identity(_ row: borrowing Row) throws(SQLiteFailure) -> IdentityRecord {
        IdentityRecord(
            id: try row.id(0), account: try row.id(1), issuer: row.text(2), subject: row.text(3),
            name: row.optionalText(4), createdAt: row.time(5), lastUsedAt: row.optionalTime(6))
    }

    func linkIdentity(_ identity: IdentityRecord) throws -> IdentityLink {
        if let known = try self.identity(issuer: identity.issuer, subject: identity.subject) {
            return known.account == identity.account ? .existing : .taken
        }
        try connection.run(
            "INSERT INTO identity (id, account, issuer, subject, name, created_at) VALUES (?, ?, ?, ?, ?, ?)",
            .id(identity.id), .id(identity.account), .text(identity.issuer), .text(identity.subject),
            .optional(identity.name), .time(identity.createdAt))
        try feed(.identity, identity.id, of: identity.account, conversation: nil, at: identity.createdAt)
        try audit(.identityLinked, identity.issuer, of: identity.account, at: identity.createdAt)
        return .linked
    }

    func createAccount(_ account: AccountRecord, keepsHistory: Bool, identity: IdentityRecord) throws -> Bool {
        guard try self.identity(issuer: identity.issuer, subject: identity.subject) == nil,
            try createAccount(account, keepsHistory: keepsHistory)
        else { return false }
        return try linkIdentity(identity) == .linked
    }

    func noteIdentityUse(_ id: IdentityID, now: Timestamp) throws {
        try connection.run("UPDATE identity SET last_used_at = ? WHERE id = ?", .time(now), .id(id))
    }

    func unlinkIdentity(_ id: IdentityID, of account: AccountID, now: Timestamp) throws -> Bool {
        let issuer = try connection.first(
            "DELETE FROM identity WHERE id = ? AND account = ? RETURNING issuer", .id(id), .id(account)
        ) { $0.text(0) }
        guard let issuer else { return false }
        try feed(.identity, id, of: account, conversation: nil, .delete, at: now)
        try audit(.identityUnlinked, issuer, of: account, at: now)
        return true
    }
}
