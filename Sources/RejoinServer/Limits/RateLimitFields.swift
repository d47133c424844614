package import HTTPServer
package import RejoinCore

/// The `RateLimit` and `RateLimit-Policy` fields, as the IETF's httpapi draft has them.
///
/// One item for each policy: `q` its quota, `w` its window in seconds; `r` what remains and `t` the seconds until it
/// resets. Tokens are no requests, so their policy names its unit.
package enum RateLimitFields {
    /// The fields for an account's figures; none where nothing is limited.
    package static func fields(_ figures: [LimitFigure], at now: Timestamp) -> HTTPFields {
        var fields = HTTPFields()
        guard !figures.isEmpty else { return fields }
        let policies = figures.map { figure in
            let unit = figure.capability == .tokens ? ";qu=\"tokens\"" : ""
            return "\"\(figure.capability.rawValue)\";q=\(figure.limit);w=\(figure.seconds)\(unit)"
        }
        let states = figures.map { figure in
            let reached = LimitReached(
                capability: figure.capability.rawValue, limit: figure.limit, resetsAt: figure.resetsAt)
            return "\"\(figure.capability.rawValue)\";r=\(figure.remaining);t=\(reached.secondsLeft(at: now))"
        }
        fields.append("RateLimit-Policy", policies.joined(separator: ", "))
        fields.append("RateLimit", states.joined(separator: ", "))
        return fields
    }
}
