public import RejoinCore

/// An account as an owner of the server sees it: that it is there, and nothing of what it holds.
public struct Person: Equatable, Sendable {
    /// What an account may do beyond its own things.
    public enum Role: String, Sendable {
        /// Invites people, sees which accounts there are, and closes them.
        case owner
        case member
    }

    public let id: AccountID
    public let name: String
    public let role: Role
    /// The account's own plan; nil for the one of everybody.
    public let plan: String?
    public let createdAt: Timestamp?

    init?(_ value: JSONValue) {
        guard let object = value.object, let id = object["id"]?.string.flatMap({ AccountID($0) }),
            let role = object["role"]?.string.flatMap(Role.init)
        else { return nil }
        self.id = id
        self.role = role
        name = object["name"]?.string ?? ""
        plan = object["plan"]?.string
        createdAt = object["created_at"]?.string.flatMap { Timestamp($0) }
    }
}
