import RejoinClient
import RejoinCore

extension Probe {
    /// A person attaches a file, and the line breaks halfway.
    static let attachments = Probe(
        "P50.7", "Attachments", decided: "Upload at pick, then attach by reference; resumable"
    ) { stage, book in
        let person = try await stage.person()
        let line = Uploads(transport: stage.transport("phone"), address: stage.address, token: person.token)
        let file = Array("twelve bytes".utf8)
        let made = try await line.call("POST", "/v1/uploads", [("upload-length", "\(file.count)")])
        book.note("POST /v1/uploads: \(made.status)")
        guard (200..<300).contains(made.status), let place = made.location else {
            return book.notOffered("the server takes no uploads (status \(made.status))")
        }
        // Half of it, and then as after a break: the offset is asked for.
        let half = try await line.call("PATCH", place, [("upload-offset", "0")], body: Array(file.prefix(6)))
        let asked = try await line.call("HEAD", place)
        book.note("after half of the file: PATCH \(half.status), offset \(asked.offset ?? "none")")
        guard
            book.check(
                asked.offset == "6", "the upload goes on where it broke off",
                otherwise: "after half of the file the server says offset \(asked.offset ?? "none")")
        else { return }
        let rest = try await line.call("PATCH", place, [("upload-offset", "6")], body: Array(file.dropFirst(6)))
        let whole = try await line.call("HEAD", place)
        book.note("after all of it: PATCH \(rest.status), offset \(whole.offset ?? "none")")
        book.check(
            whole.offset == "12", "and is whole in the end",
            otherwise: "after the whole file the server says offset \(whole.offset ?? "none")")
        book.doubt("no client of ours attaches files yet; the wire was asked")
    }
}

/// Speaks tus 1.0, as far as the probe needs it.
private struct Uploads {
    struct Reply {
        let status: Int
        let location: String?
        let offset: String?
    }

    let transport: any Transport
    let address: String
    let token: String

    func call(
        _ method: String, _ path: String, _ fields: [(name: String, value: String)] = [], body: [UInt8]? = nil
    ) async throws -> Reply {
        var all = fields
        all.append(("authorization", "Bearer " + token))
        all.append(("tus-resumable", "1.0.0"))
        all.append(("x-rejoin-client", "probe/1"))
        if body != nil { all.append(("content-type", "application/offset+octet-stream")) }
        // A server may name the place by its whole address; the token goes to no other server.
        let path = path.hasPrefix(address + "/") ? String(path.dropFirst(address.count)) : path
        guard path.hasPrefix("/") else { throw TransportFailure(.unsendable, "the upload is on another server") }
        let reply = try await transport.send(
            TransportRequest(method: method, url: address + path, fields: all, body: body))
        let head = Reply(status: reply.status, location: reply.field("location"), offset: reply.field("upload-offset"))
        reply.body.cancel()
        return head
    }
}
