/// What an account may do beyond its own things.
package enum Role: String, Sendable, CaseIterable {
    /// Invites people, sees which accounts there are, and closes them; sees nothing of what they hold.
    case owner
    case member
}
