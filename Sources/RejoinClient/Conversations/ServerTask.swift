public import RejoinCore

/// A piece of work that the server does while nobody waits for it: an export or an import.
public struct ServerTask: Equatable, Sendable {
    public let id: ID<ServerTask>
    /// `export` or `import`; an open list.
    public var kind: String
    /// `queued`, `running`, `done`, `failed` or `cancelled`.
    public var state: String
    /// Why it failed.
    public var reason: String?
    public var done: Int
    /// How much there is to do; nil until that is known.
    public var total: Int?
    /// How large the archive is, in bytes; nil where there is none.
    public var archiveSize: Int?

    /// Whether nothing more will happen.
    public var isOver: Bool { state != "queued" && state != "running" }

    init?(_ value: JSONValue) {
        guard let object = value.object, let id = object["id"]?.string.flatMap({ ID<ServerTask>($0) }),
            let kind = object["kind"]?.string, let state = object["state"]?.string
        else { return nil }
        self.id = id
        self.kind = kind
        self.state = state
        reason = object["reason"]?.string
        done = object["done"]?.integer ?? 0
        total = object["total"]?.integer
        archiveSize = object["result"]?.object?["size"]?.integer
    }
}
