package import RejoinCore

/// What a ``TaskID`` names.
package enum TaskKind {}
/// A piece of work that goes on while nobody waits for it.
package typealias TaskID = ID<TaskKind>

/// A piece of work that takes long: an export or an import.
package struct TaskRecord: Equatable, Sendable {
    /// What is done.
    package enum Kind: String, Sendable { case export, `import` }
    /// How far it is; the last three are final.
    package enum State: String, Sendable {
        case queued, running, done, failed, cancelled

        /// Whether nothing more will happen.
        package var isFinal: Bool { self != .queued && self != .running }
    }

    package var id: TaskID
    package var account: AccountID
    package var kind: Kind
    package var state: State
    /// Why it failed, from a closed list.
    package var reason: String?
    /// How much is done, in conversations for an export and in bytes for an import.
    package var done: Int
    /// How much there is to do, once that is known.
    package var total: Int?
    /// What an import found, as JSON.
    package var report: [UInt8]?
    /// The size of the archive, while there is one to fetch.
    package var resultBytes: Int?
    package var createdAt: Timestamp
    package var endedAt: Timestamp?

    package init(id: TaskID, account: AccountID, kind: Kind, createdAt: Timestamp) {
        self.id = id
        self.account = account
        self.kind = kind
        self.createdAt = createdAt
        state = .queued
        done = 0
    }
}
