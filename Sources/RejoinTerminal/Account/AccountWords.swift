import RejoinClient
import RejoinCore

/// What the account's commands print: one thing a line.
enum AccountWords {
    /// The end of an id: enough to tell a few apart, and the part that is random.
    static func short<Kind>(_ id: ID<Kind>) -> String { String(id.description.suffix(8)) }

    /// One limit, with the moment at which it is renewed.
    static func line(for limit: Limit, now: Timestamp) -> String {
        var words = HarmlessText.line(limit.capability)
        if let plan = limit.plan { words += " (\(HarmlessText.line(plan)))" }
        if let remaining = limit.remaining, let total = limit.limit { words += ": \(remaining) of \(total) left" }
        if let moment = limit.resetsAt {
            words += ", renewed \(moment) (in \(MessageWords.age(moment.milliseconds - now.milliseconds)))"
        }
        return words
    }

    /// One line of what happened, as a sentence.
    static func line(for event: AccountEvent) -> String {
        let detail = HarmlessText.line(event.detail ?? "")
        let words =
            switch event.name {
            case "signed-in": "signed in: \(detail)"
            case "signed-out": "signed out: \(detail)"
            case "consent-changed": decision(detail)
            case "plan-changed": detail.isEmpty ? "the plan is everybody's again" : "the plan is \(detail)"
            case "conversation-deleted": "a conversation was deleted"
            case "all-deleted": "all conversations were deleted"
            case "memory-emptied": "everything that was remembered was deleted"
            case "password-changed": "the password was changed"
            case "role-changed": "the account became that of \(detail == "owner" ? "an owner" : "a member")"
            case "passkey-added": "passkey added: \(detail)"
            case "passkey-removed": "passkey removed: \(detail)"
            case "identity-linked": "linked with \(detail)"
            case "identity-unlinked": "no longer linked with \(detail)"
            default: HarmlessText.line(event.name) + (detail.isEmpty ? "" : ": \(detail)")
            }
        return "\(event.at)  \(words)"
    }

    /// `history 0` as a sentence.
    private static func decision(_ detail: String) -> String {
        let parts = detail.split(separator: " ")
        guard parts.count == 2 else { return "decided: \(detail)" }
        if parts[0] == "retention" {
            return parts[1] == "0" ? "conversations are kept" : "conversations are deleted after \(parts[1]) days"
        }
        return "\(parts[0]) was switched \(parts[1] == "0" ? "off" : "on")"
    }

    /// Every decision, with what it means and since when it holds.
    static func lines(for consent: Consent) -> String {
        var lines = ""
        for topic in Consent.Topic.allCases {
            guard let decision = consent.decisions[topic] else { continue }
            let since = decision.at.map { ", since \($0)" } ?? ""
            lines +=
                "\(topic.rawValue): \(decision.isOn ? "on" : "off")\(since)\n    \(meaning(topic, decision.isOn))\n"
        }
        let days = consent.retentionDays
        lines +=
            days == 0 ? "retention: conversations are kept\n" : "retention: deleted after \(days) days without a word\n"
        return lines
    }

    private static func meaning(_ topic: Consent.Topic, _ isOn: Bool) -> String {
        switch (topic, isOn) {
        case (.improvement, true): "Conversations may be used to improve the service."
        case (.improvement, false): "Conversations are used for your answers alone."
        case (.history, true): "New conversations are kept until you delete them."
        case (.history, false): "Every new conversation is temporary."
        case (.memory, true): "Facts that you accept are given to the model; new ones may be proposed."
        case (.memory, false): "No fact is used or proposed."
        }
    }

    /// What is remembered, then what is proposed.
    static func lines(for memory: Memory) -> String {
        var lines = memory.isOn ? "" : "Memory is off: nothing of this is used.\n"
        if memory.facts.isEmpty { lines += "Nothing is remembered.\n" }
        for fact in memory.facts where fact.isAccepted { lines += line(for: fact) + "\n" }
        for fact in memory.proposals { lines += line(for: fact) + "\n" }
        return lines
    }

    /// One fact.
    static func line(for fact: RememberedFact) -> String {
        "\(short(fact.id))  \(fact.isAccepted ? "" : "proposed: ")\(HarmlessText.line(fact.text))"
    }

    /// One account.
    static func line(for person: Person) -> String {
        let since = person.createdAt.map { "since \($0)  " } ?? ""
        return "\(short(person.id))  \(since)\(HarmlessText.line(person.name))"
            + (person.role == .owner ? " (owner)" : "")
            + (person.plan.map { ", plan \(HarmlessText.line($0))" } ?? "")
    }

    /// One invitation.
    static func line(for invitation: Invitation) -> String {
        let until = invitation.state == .open ? invitation.expiresAt.map { " until \($0)" } ?? "" : ""
        return "\(short(invitation.id))  \(invitation.state.rawValue)\(until), "
            + "used \(invitation.used) of \(invitation.uses)"
    }

    /// One device.
    static func line(for device: DeviceSession) -> String {
        let since = device.createdAt.map { "since \($0)  " } ?? ""
        return
            "\(short(device.id))  \(since)\(HarmlessText.line(device.device))\(device.isCurrent ? " (this one)" : "")"
    }
}
