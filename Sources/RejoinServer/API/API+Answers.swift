import HTTPServer
import RejoinCore

extension API {
    func showAnswer(_ id: AnswerID, _ call: Call, _ caller: SessionRecord) async throws {
        let record = try Self.found(try await store.answer(id, of: caller.account), "answer")
        let shown = try await view(record)
        try await call.respond(200) { $0.answer(shown) }
    }

    /// Stops an answer and says how it ended, which may be otherwise if it ended just before.
    func stopAnswer(_ id: AnswerID, _ call: Call, _ caller: SessionRecord) async throws {
        _ = try Self.found(try await store.answer(id, of: caller.account), "answer")
        _ = await runs.stop(id)
        let record = try Self.found(try await store.answer(id, of: caller.account), "answer")
        let shown = try await view(record)
        try await call.respond(200) { json in
            json.beginObject()
            json.member("state", shown.state.name)
            json.name("seq")
            json.integer(shown.seq)
            json.endObject()
        }
    }

    func followEvents(_ id: AnswerID, _ call: Call, _ caller: SessionRecord) async throws {
        let after = try call.cursor()
        let record = try Self.found(try await store.answer(id, of: caller.account), "answer")
        if record.end != nil, after >= record.seq {
            // All was delivered and nothing will come: 204 tells a browser not to come back.
            return try await call.respond(204, fields: ["Cache-Control": "no-store"], body: [])
        }
        try await follow(id, of: caller.account, after: after, call)
    }

    /// Sends an answer's log from a cursor on, as it grows, until its end.
    ///
    /// The reader may leave at any time.
    func follow(_ id: AnswerID, of account: AccountID, after: Int, _ call: Call) async throws {
        try await withTaskExecutorPreference(call.exchange.executor) {
            let stream = try await call.stream(heartbeat: limits.heartbeat, location: "/v1/answers/\(id)/events")
            var follower = LogFollower(answer: id, cursor: after, eventLog: eventLog, store: store)
            while let events = try await follower.next() {
                try await stream.write(events)
            }
            try await stream.finish()
        }
    }
}
