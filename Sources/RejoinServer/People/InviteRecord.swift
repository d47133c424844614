package import RejoinCore

/// Leave to create an account, handed on as a code that is stored only as a hash.
package struct InviteRecord: Equatable, Sendable {
    /// Whether an invitation still works, and if not, why.
    package enum State: String, Sendable { case open, used, expired, revoked }

    package var id: InviteID
    package var maker: AccountID
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    /// How many accounts it is good for.
    package var uses: Int
    /// How many were created with it.
    package var used: Int
    package var revokedAt: Timestamp?

    package init(
        id: InviteID, maker: AccountID, createdAt: Timestamp, expiresAt: Timestamp, uses: Int = 1, used: Int = 0,
        revokedAt: Timestamp? = nil
    ) {
        self.id = id
        self.maker = maker
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.uses = uses
        self.used = used
        self.revokedAt = revokedAt
    }

    /// Whether it works; what a person did to it says more than that its time is over, so that comes first.
    package func state(at now: Timestamp) -> State {
        if revokedAt != nil { return .revoked }
        if used >= uses { return .used }
        return expiresAt <= now ? .expired : .open
    }

    /// How long after its end an invitation is listed: 30 days, in milliseconds.
    package static let listedAfter: Int64 = 30 * 86_400_000
}
