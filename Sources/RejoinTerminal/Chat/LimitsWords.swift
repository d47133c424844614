package import RejoinClient
package import RejoinCore

/// What the server said is left, in one sentence.
///
/// The figures are the server's alone; without a connection they are shown with their age, so that they never look
/// live.
package enum LimitsWords {
    /// The scarcest limit; nil where nothing is limited.
    package static func words(_ state: LimitsModel.State, now: Timestamp) -> String? {
        let items: [Limit]
        var since: Timestamp?
        switch state {
        case .current(let current): items = current
        case .aged(let aged, let moment, _): (items, since) = (aged, moment)
        case .unknown, .hidden: return nil
        }
        let counted = items.compactMap { item -> (item: Limit, remaining: Int, limit: Int)? in
            guard let limit = item.limit, limit > 0, let remaining = item.remaining else { return nil }
            return (item, max(remaining, 0), limit)
        }
        // Compared as products, so that no share is lost to rounding.
        let scarcest = counted.min {
            Double($0.remaining) * Double($1.limit) < Double($1.remaining) * Double($0.limit)
        }
        guard let scarcest else { return nil }
        var words = "\(scarcest.item.capability): \(scarcest.remaining) of \(scarcest.limit) left"
        if scarcest.remaining == 0, let moment = scarcest.item.resetsAt {
            words += ", again in \(MessageWords.age(moment.milliseconds - now.milliseconds))"
        }
        if let since {
            let counted = scarcest.item.asOf ?? since
            words += " (\(MessageWords.age(now.milliseconds - counted.milliseconds)) ago)"
        }
        return words
    }
}
