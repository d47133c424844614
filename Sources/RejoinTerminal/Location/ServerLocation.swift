#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import RejoinCore

/// Where the server is, and who the person is there.
package struct ServerLocation: Equatable, Sendable {
    /// The address without a path.
    package var address: String
    package var token: String?

    /// Names a server and a person.
    package init(address: String, token: String?) {
        self.address = address
        self.token = token
    }

    /// What the command line said about it.
    package struct Options: Equatable, Sendable {
        /// `--server`: an address.
        package var server: String?
        /// `--token-file`: a file whose content is the token.
        package var tokenFile: String?
        /// `--data`: the data folder of a server on this machine.
        package var dataFolder: String?

        /// Notes what was said; nothing by default.
        package init(server: String? = nil, tokenFile: String? = nil, dataFolder: String? = nil) {
            self.server = server
            self.tokenFile = tokenFile
            self.dataFolder = dataFolder
        }
    }

    /// Why no server was found; the description is for the person.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case noServer(dataFolder: String)
        case unreadableHandOver(path: String)
        case badAddress(String)
        case unreadableToken(path: String)
        case badToken

        package var description: String {
            switch self {
            case .noServer(let folder):
                "no server: start one with `make run` (or `rejoin serve`), or name one with --server. "
                    + "Looked for client.json in \(folder)"
            case .unreadableHandOver(let path): "\(path) is not what `rejoin serve` writes; start the server again"
            case .badAddress(let address): "\(address) is not an address such as http://127.0.0.1:8765"
            case .unreadableToken(let path): "the token file \(path) cannot be read"
            case .badToken: "the token holds characters that no token has"
            }
        }
    }

    /// Finds the server: the command line first, then the environment, then where this terminal was signed in to last,
    /// then what a local server handed over.
    ///
    /// A token that was handed over or signed in for goes to its own server alone.
    ///
    /// - Parameters:
    ///   - environment: `REJOIN_SERVER`, `REJOIN_TOKEN`, `REJOIN_TOKEN_FILE`, `XDG_DATA_HOME` and `HOME` count.
    ///   - read: the content of a file, or nil.
    package static func resolve(
        _ options: Options, environment: [String: String],
        read: (String) -> [UInt8]? = { FileManager.default.contents(atPath: $0).map { Array($0) } }
    ) throws(Failure) -> ServerLocation {
        var token = environment["REJOIN_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        let tokenFile = environment["REJOIN_TOKEN_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        if let path = options.tokenFile ?? (token == nil ? tokenFile : nil) {
            guard let bytes = read(path) else { throw .unreadableToken(path: path) }
            token = String(decoding: bytes, as: UTF8.self)
        }
        if let given = token { token = try checked(token: given) }

        let signedIn = SignedInServers(read(SignedInServers.path(environment)))
        let folder = options.dataFolder ?? defaultDataFolder(environment)
        let path = folder + "/client.json"
        let named = options.server ?? environment["REJOIN_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
        // A data folder that was named is a server on this machine that was named.
        let usual = options.dataFolder == nil ? signedIn.current : nil
        let address = try (named ?? usual).map(checked(address:))
        if token == nil, let address { token = try signedIn.token(for: address).map(checked(token:)) }
        guard let bytes = read(path) else {
            guard let address else { throw .noServer(dataFolder: folder) }
            return ServerLocation(address: address, token: token)
        }
        guard let object = (try? JSONReader.parse(bytes))?.object, let local = object["address"]?.string,
            let localToken = object["token"]?.string
        else {
            guard let address else { throw .unreadableHandOver(path: path) }
            return ServerLocation(address: address, token: token)
        }
        let localAddress = try checked(address: local)
        let chosen = address ?? localAddress
        if token == nil, chosen == localAddress { token = try checked(token: localToken) }
        return ServerLocation(address: chosen, token: token)
    }

    /// The data folder that `rejoin serve` uses when it is told of no other.
    package static func defaultDataFolder(_ environment: [String: String]) -> String {
        DataHome.path(environment) + "/rejoinder"
    }

    /// An address as it was typed, in the form that commands use; `http` where no scheme was typed.
    package static func checked(address: String) throws(Failure) -> String {
        var address = address.contains("://") ? address : "http://" + address
        while address.hasSuffix("/") { address.removeLast() }
        let scheme = ["http://", "https://"].first { address.lowercased().hasPrefix($0) }
        guard let scheme else { throw .badAddress(HarmlessText.line(address)) }
        let host = address.dropFirst(scheme.count)
        let isPlain = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: [".", "-", "_", ":", "[", "]"].contains(Unicode.Scalar(byte))
            }
        }
        guard !host.isEmpty, isPlain else { throw .badAddress(HarmlessText.line(address)) }
        return scheme + host
    }

    /// A token travels in a header field: nothing may end that early.
    private static func checked(token: String) throws(Failure) -> String {
        let token = token.trimmingSpace
        guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .badToken }
        return token
    }
}
