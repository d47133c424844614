/// Which limit refused, and when it lifts: what a refusal says beyond its words.
public struct LimitReached: Equatable, Sendable {
    /// What is counted: `turns`, `tokens`, `strong-turns`.
    public var capability: String
    /// How much there is in all until it resets.
    public var limit: Int
    public var resetsAt: Timestamp
    /// A model that would still answer, where one exists.
    public var fallbackModel: String?

    /// Names the limit.
    public init(capability: String, limit: Int, resetsAt: Timestamp, fallbackModel: String? = nil) {
        self.capability = capability
        self.limit = limit
        self.resetsAt = resetsAt
        self.fallbackModel = fallbackModel
    }

    /// Whole seconds until the limit lifts, one at least: what `Retry-After` says.
    public func secondsLeft(at now: Timestamp) -> Int {
        let (left, overflows) = resetsAt.milliseconds.subtractingReportingOverflow(now.milliseconds)
        guard !overflows, left > 0 else { return 1 }
        return Int(clamping: left / 1000 + (left % 1000 == 0 ? 0 : 1))
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("capability", capability)
        json.name("limit")
        json.integer(limit)
        json.name("resets_at")
        json.time(resetsAt)
        json.member("fallback_model", fallbackModel)
    }

    init?(_ object: JSONObject) {
        guard let capability = object["capability"]?.string, let limit = object["limit"]?.integer,
            let resetsAt = object["resets_at"]?.string.flatMap({ Timestamp($0) })
        else { return nil }
        self.init(
            capability: capability, limit: limit, resetsAt: resetsAt,
            fallbackModel: object["fallback_model"]?.string)
    }
}
