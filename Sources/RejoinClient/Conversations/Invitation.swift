public import RejoinCore

/// Leave to create an account, which somebody hands on as a link.
public struct Invitation: Equatable, Sendable {
    /// Whether it still works, and if not, why.
    public enum State: String, Sendable { case open, used, expired, revoked }

    public let id: InviteID
    public let state: State
    /// How many accounts it is good for.
    public let uses: Int
    /// How many were made with it.
    public let used: Int
    public let expiresAt: Timestamp?

    init?(_ value: JSONValue) {
        guard let object = value.object, let id = object["id"]?.string.flatMap({ InviteID($0) }),
            let state = object["state"]?.string.flatMap(State.init), let uses = object["uses"]?.integer
        else { return nil }
        self.id = id
        self.state = state
        self.uses = uses
        used = object["used"]?.integer ?? 0
        expiresAt = object["expires_at"]?.string.flatMap { Timestamp($0) }
    }
}
