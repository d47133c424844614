#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import RejoinClient

/// `rejoin login` and `rejoin logout`: this terminal as one of an account's devices.
package struct LoginCommand: Sendable {
    private let front: Front

    /// Signs in and out through a front.
    package init(_ front: Front) { self.front = front }

    private var file: String { SignedInServers.path(front.environment) }
    private var servers: SignedInServers {
        SignedInServers(FileManager.default.contents(atPath: file).map { Array($0) })
    }

    /// Asks to be let in, shows the code, waits for a person, and keeps the token.
    ///
    /// - Returns: the exit code.
    package func login(to server: String, as name: String?) async -> Int32 {
        guard let address = await checked(server) else { return ExitCode.usage }
        if address.lowercased().hasPrefix("http://"), !Self.isOnThisMachine(address) {
            await front.say("the line to \(address) is not encrypted: whoever is on it can read along")
        }
        let client = front.makeClient(ServerLocation(address: address, token: nil))
        do {
            let login = try await client.beginDeviceLogin(name: name ?? ProcessInfo.processInfo.hostName)
            let code = HarmlessText.line(login.userCode)
            try await front.terminal.write("Open \(HarmlessText.line(login.page)) in a browser that is signed in.\n")
            try await front.terminal.write("Type this code there: \(code)\n")
            let outcome = try await client.wait(for: login)
            guard case .signedIn(let token) = outcome else {
                await front.say(outcome == .denied ? "declined" : "nobody decided in time; ask again")
                return ExitCode.notSignedIn
            }
            return await keep(token, address)
        } catch let error as ClientError {
            await front.say(Wording.error(error, from: address))
            return ExitCode.code(for: error)
        } catch is OutputClosed {
            return ExitCode.failed
        } catch {
            return ExitCode.stopped
        }
    }

    private func keep(_ token: String, _ address: String) async -> Int32 {
        var servers = servers
        let old = servers.token(for: address)
        servers.signIn(address, token: token)
        guard servers.write(to: file) else {
            await front.say("\(HarmlessText.line(file)) cannot be written")
            return ExitCode.failed
        }
        // One terminal is one device: what it was until now is signed out, as far as that is possible.
        if let old { try? await front.makeClient(ServerLocation(address: address, token: old)).signOut() }
        try? await front.terminal.write("Signed in to \(address).\n")
        return ExitCode.done
    }

    /// Signs out, and removes what this terminal holds of the account.
    ///
    /// - Returns: the exit code.
    package func logout(from server: String?) async -> Int32 {
        var servers = servers
        var address = servers.current
        if let server {
            guard let given = await checked(server) else { return ExitCode.usage }
            address = given
        }
        guard let address, let token = servers.token(for: address) else {
            await front.say("not signed in" + (address.map { " to \($0)" } ?? ""))
            return ExitCode.notSignedIn
        }
        let location = ServerLocation(address: address, token: token)
        var code = ExitCode.done
        do {
            try await front.makeClient(location).signOut()
        } catch let error as ClientError where error.status == 401 {
            // It was signed out elsewhere.
        } catch {
            await front.say(
                "\(address) could not be told. The token is forgotten here; sign the device out from another one too.")
            code = ExitCode.unavailable
        }
        servers.signOut(address)
        guard servers.write(to: file) else {
            await front.say("\(HarmlessText.line(file)) cannot be written")
            return ExitCode.failed
        }
        do {
            try ClientFolder(location, environment: front.environment).erase()
        } catch {
            await front.say("what is held of the account here cannot be removed: \(HarmlessText.line("\(error)"))")
            return ExitCode.failed
        }
        try? await front.terminal.write("Signed out of \(address).\n")
        return code
    }

    private func checked(_ server: String) async -> String? {
        do {
            return try ServerLocation.checked(address: server)
        } catch {
            await front.say(error.description)
            return nil
        }
    }

    private static func isOnThisMachine(_ address: String) -> Bool {
        let host = address.dropFirst("http://".count)
        return ["localhost", "127.", "[::1]"].contains { host.lowercased().hasPrefix($0) }
    }
}
