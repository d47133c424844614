import RejoinCore

extension Limit {
    /// Reads a limit as the server gives it.
    init?(_ value: JSONValue) {
        guard let object = value.object, let capability = object["capability"]?.string else { return nil }
        func moment(_ name: String) -> Timestamp? { object[name]?.string.flatMap { Timestamp($0) } }
        self.init(
            capability: capability, plan: object["plan"]?.string, limit: object["limit"]?.integer,
            remaining: object["remaining"]?.integer, resetsAt: moment("resets_at"), asOf: moment("as_of"))
    }
}
