#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import RejoinCore

#if canImport(Glibc)
import Glibc
private let posixWrite = Glibc.write
#else
import Darwin
private let posixWrite = Darwin.write
#endif

/// The servers that this terminal was signed in to by `rejoin login`, with a token for each.
///
/// One file that its user alone can read, written whole or not at all.
package struct SignedInServers: Equatable, Sendable {
    /// The address that was signed in to last: where commands go that name no other.
    package private(set) var current: String?
    private var tokens: [String: String] = [:]

    /// Signed in to none.
    package init() {}

    /// The file of a person's environment.
    package static func path(_ environment: [String: String]) -> String {
        ClientFolder.path(environment) + "/servers.json"
    }

    /// Reads what was written; a file that cannot be read counts as none.
    package init(_ bytes: [UInt8]?) {
        guard let bytes, let object = (try? JSONReader.parse(bytes))?.object,
            let servers = object["servers"]?.array
        else { return }
        for server in servers {
            guard let address = server.object?["address"]?.string, let token = server.object?["token"]?.string else {
                continue
            }
            tokens[address] = token
        }
        current = object["current"]?.string.flatMap { tokens[$0] == nil ? nil : $0 }
    }

    /// The token for a server; nil if this terminal is not signed in there.
    package func token(for address: String) -> String? { tokens[address] }

    /// Notes that a server let this terminal in; commands go there from now on.
    package mutating func signIn(_ address: String, token: String) {
        tokens[address] = token
        current = address
    }

    /// Forgets a server; where commands went there, they go to the machine's own again.
    package mutating func signOut(_ address: String) {
        tokens[address] = nil
        if current == address { current = nil }
    }

    /// Writes the file, for its user alone; false where the file system does not let it.
    package func write(to path: String) -> Bool {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let temporary = path + ".new"
        unlink(temporary)
        // Private before a token is in it.
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let bytes = json
        let written = bytes.withUnsafeBytes { posixWrite(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        return written == bytes.count && rename(temporary, path) == 0
    }

    private var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("current", current)
        json.name("servers")
        json.beginArray()
        for (address, token) in tokens.sorted(by: { $0.key < $1.key }) {
            json.beginObject()
            json.member("address", address)
            json.member("token", token)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes + [0x0A]
    }
}
