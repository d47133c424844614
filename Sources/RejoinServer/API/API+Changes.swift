import HTTPServer
import RejoinCore

extension API {
    func showChanges(_ call: Call, _ caller: SessionRecord) async throws {
        let after = try call.cursor()
        let limit = try call.integer("limit", in: 1...1000) ?? 500
        let page = try await store.changes(of: caller.account, after: after, limit: limit)
        guard case .changes(let changes, let cursor, let more) = page else {
            throw Problem(.cursorExpired, "The feed no longer reaches back that far: list afresh.")
        }
        if call.wantsEvents { return try await streamChanges(changes, cursor, more, call, caller) }
        try await call.respond(200) { json in
            json.beginObject()
            json.name("changes")
            json.beginArray()
            for change in changes { json.change(change) }
            json.endArray()
            json.name("cursor")
            json.integer(cursor)
            json.name("more")
            json.bool(more)
            json.endObject()
        }
    }

    private func streamChanges(
        _ first: [Change], _ start: Int, _ more: Bool, _ call: Call, _ caller: SessionRecord
    ) async throws {
        let stream = try await call.stream(heartbeat: limits.heartbeat)
        var (changes, cursor, more) = (first, start, more)
        while true {
            if !changes.isEmpty { try await stream.write(Self.encode(changes)) }
            if !more { await feed.wait(for: caller.account, beyond: cursor) }
            try Task.checkCancellation()
            if feed.isClosed { return try await stream.finish() }
            // A device that was signed out elsewhere hears no more.
            guard try await isSignedIn(caller) else { return try await stream.finish() }
            let page = try await store.changes(of: caller.account, after: cursor, limit: 500)
            guard case .changes(let next, let newest, let hasMore) = page else { return try await stream.finish() }
            (changes, cursor, more) = (next, newest, hasMore)
        }
    }

    private func isSignedIn(_ caller: SessionRecord) async throws -> Bool {
        try await store.sessions(of: caller.account).contains { $0.id == caller.id }
    }

    private static func encode(_ changes: [Change]) -> [UInt8] {
        var bytes: [UInt8] = []
        for change in changes {
            bytes.append(contentsOf: "id:".utf8)
            JSONWriter.append(change.cursor, to: &bytes)
            bytes.append(contentsOf: "\ndata:".utf8)
            var json = JSONWriter(after: bytes)
            json.change(change)
            bytes = json.bytes
            bytes.append(contentsOf: "\n\n".utf8)
        }
        return bytes
    }
}
