import HTTPServer
import RejoinCore

extension API {
    func showConsent(_ call: Call, _ caller: SessionRecord) async throws {
        try await reply(try await store.consent(of: caller.account), call)
    }

    /// Changes decisions, for who names the version that they saw.
    ///
    /// Without it a device that was away for long could give a consent again that was taken back meanwhile.
    func changeConsent(_ call: Call, _ caller: SessionRecord) async throws {
        let object = try await call.object(limit: 16 << 10)
        guard let tag = call.exchange.request.fields["if-match"] else {
            throw Problem(
                .invalidRequest, "If-Match names the version that the decision was made on.", field: "If-Match")
        }
        guard tag.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\""),
            let version = Int(digits: tag.dropFirst().dropLast())
        else {
            throw Problem(.invalidRequest, "If-Match is the ETag of GET /v1/consent.", field: "If-Match")
        }
        var values: [ConsentTopic: Int] = [:]
        for topic in ConsentTopic.allCases {
            if topic == .retention {
                guard let value = object.value("retention_days") else { continue }
                guard let days = value.whole, topic.range.contains(days) else {
                    throw RequestObject.wrongType("retention_days", "a whole number of days from 0 to 36500")
                }
                values[topic] = days
            } else if let isOn = try object.bool(topic.rawValue) {
                values[topic] = isOn ? 1 : 0
            }
        }
        guard !values.isEmpty else {
            throw Problem(.invalidRequest, "Name one of improvement, history, memory and retention_days.")
        }
        let put = try await store.setConsent(
            values, of: caller.account, ifVersion: version, now: surroundings.wall())
        switch put {
        case .changed(let state): try await reply(state, call)
        case .conflict(let state):
            throw Problem(.conflict, "The decisions are at version \(state.version) by now: read them again.")
        }
    }

    private func reply(_ state: ConsentState, _ call: Call) async throws {
        call.add(["ETag": "\"\(state.version)\""])
        try await call.respond(200) { json in
            json.beginObject()
            json.name("version")
            json.integer(state.version)
            for record in state.records { json.consent(record) }
            json.endObject()
        }
    }

    /// Shows what happened to the account, newest first.
    func showAudit(_ call: Call, _ caller: SessionRecord) async throws {
        let limit = try call.integer("limit", in: 1...200) ?? 50
        let before = try call.integer("before", in: 1...Int.greatestWritten)
        let entries = try await store.audit(of: caller.account, before: before, limit: limit)
        try await call.respond(200) { json in
            json.beginObject()
            json.name("items")
            json.beginArray()
            for entry in entries {
                json.beginObject()
                json.name("number")
                json.integer(entry.number)
                json.name("at")
                json.time(entry.at)
                json.member("event", entry.event.rawValue)
                json.member("detail", entry.detail)
                json.endObject()
            }
            json.endArray()
            json.name("next")
            if entries.count == limit, let last = entries.last, last.number > 1 {
                json.integer(last.number)
            } else {
                json.null()
            }
            json.endObject()
        }
    }
}

extension JSONWriter {
    /// Writes a decision as a member: its value, its version and its time.
    mutating func consent(_ record: ConsentRecord) {
        let isRetention = record.topic == .retention
        name(isRetention ? "retention_days" : record.topic.rawValue)
        beginObject()
        name(isRetention ? "days" : "on")
        if isRetention { integer(record.value) } else { bool(record.value != 0) }
        name("version")
        integer(record.version)
        name("at")
        if let at = record.at { time(at) } else { null() }
        endObject()
    }
}
