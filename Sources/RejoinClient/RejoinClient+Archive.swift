public import RejoinCore

/// The calls about taking everything along.
///
/// Each throws ``ClientError``, and `CancellationError` when its task was cancelled.
extension RejoinClient {
    /// Has the server make an archive of everything; asked again after a lost reply, it is the same task.
    public func beginExport() async throws -> ServerTask {
        var json = JSONWriter()
        json.beginObject()
        json.name("id")
        json.id(ids.make() as ID<ServerTask>)
        json.endObject()
        return try read(await call("POST", "/v1/exports", body: json.bytes)) { ServerTask($0) }
    }

    /// How far a task is.
    public func task(_ id: ID<ServerTask>) async throws -> ServerTask {
        try read(await call("GET", "/v1/tasks/\(id)")) { ServerTask($0) }
    }

    /// Hands over the archive of an export that is done, piece by piece.
    ///
    /// - Parameter write: takes the next bytes; what it throws ends the transfer.
    public func archive(of id: ID<ServerTask>, write: (ArraySlice<UInt8>) throws -> Void) async throws {
        let request = request("GET", "/v1/tasks/\(id)/result", accept: "application/gzip")
        let line = try await open(request, silenceLimit: RetryPolicy().silenceLimit)
        while let piece = try await line.next() { try write(piece) }
        line.leave()
    }
}
