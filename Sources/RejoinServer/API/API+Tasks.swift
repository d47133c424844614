import Foundation
import HTTPServer
import RejoinCore

extension API {
    func listTasks(_ call: Call, _ caller: SessionRecord) async throws {
        var shown: [TaskRecord] = []
        for kept in try await store.tasks(of: caller.account) {
            if let task = try await tasks.task(kept.id, of: caller.account) { shown.append(task) }
        }
        try await call.respond(200) { json in
            json.beginObject()
            json.name("items")
            json.beginArray()
            for task in shown { json.task(task) }
            json.endArray()
            json.endObject()
        }
    }

    /// Begins a task by the name of its kind: the same as the kind's own route.
    func createTask(_ call: Call, _ caller: SessionRecord) async throws {
        let object = try await call.object(limit: 4096)
        guard try object.requiredString("kind") == "export" else {
            throw Problem(.invalidRequest, "kind is \"export\"; an import begins with POST /v1/imports.", field: "kind")
        }
        try await begin(object, call, caller)
    }

    func createExport(_ call: Call, _ caller: SessionRecord) async throws {
        try await begin(try await call.object(limit: 4096), call, caller)
    }

    private func begin(_ object: RequestObject, _ call: Call, _ caller: SessionRecord) async throws {
        let id: TaskID = try object.id("id") ?? surroundings.makeID()
        let task = try await tasks.export(id, for: caller.account)
        try await call.respond(202) { $0.task(task) }
    }

    /// Takes an archive as the body, and reads it as a task.
    func createImport(_ call: Call, _ caller: SessionRecord) async throws {
        let id: TaskID
        if let given = call.exchange.request.query("id") {
            guard let parsed = TaskID(given) else { throw RequestObject.wrongType("id", "a lower-case UUID") }
            id = parsed
            if let known = try await tasks.task(id, of: caller.account) {
                return try await call.respond(202) { $0.task(known) }
            }
        } else {
            id = surroundings.makeID()
        }
        let task = try await tasks.importing(id, for: caller.account, limit: limits.importBytes) {
            try await call.exchange.nextBodyPiece()
        }
        try await call.respond(202) { $0.task(task) }
    }

    func showTask(_ id: TaskID, _ call: Call, _ caller: SessionRecord) async throws {
        let task = try await found(id, caller)
        try await call.respond(200) { $0.task(task) }
    }

    func deleteTask(_ id: TaskID, _ call: Call, _ caller: SessionRecord) async throws {
        guard try await tasks.delete(id, of: caller.account) else { throw Self.noTask }
        try await call.respond(204, fields: [:], body: [])
    }

    /// Follows a task: an event each time that it is further, the last one when it is over.
    func followTask(_ id: TaskID, _ call: Call, _ caller: SessionRecord) async throws {
        var task = try await found(id, caller)
        let stream = try await call.stream(heartbeat: limits.heartbeat)
        var revision = 0
        var number = 0
        while true {
            number += 1
            var json = JSONWriter(
                after: Array("id:\(number)\nevent:\(task.state.isFinal ? "end" : "progress")\ndata:".utf8))
            json.task(task)
            try await stream.write(json.bytes + [0x0A, 0x0A])
            if task.state.isFinal { break }
            // Several times a second is more than can be read.
            if number > 1 { try await surroundings.sleep(.milliseconds(200)) }
            let further = await tasks.wait(for: id, beyond: revision)
            revision = further ?? revision
            guard let next = try await tasks.task(id, of: caller.account) else { break }
            if further == nil, !next.state.isFinal { break }
            task = next
        }
        try await stream.finish()
    }

    /// Sends the archive of an export.
    func fetchResult(_ id: TaskID, _ call: Call, _ caller: SessionRecord) async throws {
        let task = try await found(id, caller)
        guard task.kind == .export, task.state == .done, let size = task.resultBytes,
            let file = FileHandle(forReadingAtPath: tasks.file(of: id))
        else {
            throw Problem(
                task.state.isFinal ? .deleted : .conflict,
                task.state.isFinal ? "There is no archive any more." : "The archive is not whole yet.")
        }
        defer { try? file.close() }
        let day = task.createdAt.description.prefix(10)
        let fields: HTTPFields = [
            "Content-Type": "application/gzip", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
            "Content-Disposition": "attachment; filename=\"rejoinder-\(day).jsonl.gz\"",
            "X-Rejoin-Size": String(size),
        ]
        let stream = try await call.download(fields)
        while let data = try file.read(upToCount: 64 << 10), !data.isEmpty {
            try await stream.write([UInt8](data))
        }
        try await stream.finish()
    }

    private func found(_ id: TaskID, _ caller: SessionRecord) async throws -> TaskRecord {
        guard let task = try await tasks.task(id, of: caller.account) else { throw Self.noTask }
        return task
    }

    private static let noTask = Problem(.notFound, "There is no such task.")
}

extension JSONWriter {
    /// A task as replies show it.
    mutating func task(_ task: TaskRecord) {
        beginObject()
        name("id")
        id(task.id)
        member("kind", task.kind.rawValue)
        member("state", task.state.rawValue)
        member("reason", task.reason)
        name("done")
        integer(task.done)
        name("total")
        if let total = task.total { integer(total) } else { null() }
        if let report = task.report {
            name("report")
            json(report)
        }
        if let size = task.resultBytes {
            name("result")
            beginObject()
            member("url", "/v1/tasks/\(task.id)/result")
            name("size")
            integer(size)
            endObject()
        }
        name("created_at")
        time(task.createdAt)
        name("ended_at")
        if let endedAt = task.endedAt { time(endedAt) } else { null() }
        endObject()
    }
}
