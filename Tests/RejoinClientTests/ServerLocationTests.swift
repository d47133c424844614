import RejoinTerminal
import Testing

@Suite struct ServerLocationTests {
    static let handOver = #"{"address":"http://127.0.0.1:8787","token":"local-token"}"#

    static func resolve(
        _ options: ServerLocation.Options = .init(), environment: [String: String] = ["HOME": "/home/me"],
        files: [String: String] = ["/home/me/.local/share/rejoinder/client.json": handOver]
    ) throws(ServerLocation.Failure) -> ServerLocation {
        try ServerLocation.resolve(options, environment: environment) { files[$0].map { Array($0.utf8) } }
    }

    @Test func `a local server hands over its address and token`() throws {
        #expect(try Self.resolve() == ServerLocation(address: "http://127.0.0.1:8787", token: "local-token"))
    }

    @Test func `the data folder is the option's, else XDG's, else the home's`() throws {
        let files = ["/a/client.json": Self.handOver, "/b/rejoinder/client.json": Self.handOver]
        #expect(try Self.resolve(.init(dataFolder: "/a"), files: files).token == "local-token")
        #expect(try Self.resolve(environment: ["XDG_DATA_HOME": "/b"], files: files).token == "local-token")
        #expect(throws: ServerLocation.Failure.noServer(dataFolder: "/c/.local/share/rejoinder")) {
            try Self.resolve(environment: ["XDG_DATA_HOME": "relative", "HOME": "/c"], files: files)
        }
    }

    @Test func `the command line wins over the environment, and that over the hand-over`() throws {
        let environment = ["HOME": "/home/me", "REJOIN_SERVER": "https://env.example", "REJOIN_TOKEN": "env-token"]
        #expect(
            try Self.resolve(environment: environment)
                == ServerLocation(address: "https://env.example", token: "env-token"))
        let files = ["/token": " file-token\n", "/other": "other-token"]
        let options = ServerLocation.Options(server: "option.example:81/", tokenFile: "/token")
        #expect(
            try Self.resolve(options, environment: environment, files: files)
                == ServerLocation(address: "http://option.example:81", token: "file-token"))
        #expect(
            try Self.resolve(.init(server: "a"), environment: ["REJOIN_TOKEN_FILE": "/other"], files: files).token
                == "other-token")
    }

    @Test func `a local token goes to no other server`() throws {
        #expect(
            try Self.resolve(.init(server: "http://elsewhere:1"))
                == ServerLocation(address: "http://elsewhere:1", token: nil))
        #expect(try Self.resolve(.init(server: "127.0.0.1:8787")).token == "local-token")
    }

    @Test(arguments: [
        "", "ftp://x", "http://", "http://x/path", "http://x?y", "http://me@x", "http://x y", "http://x\r\nEvil: 1",
        "http://é",
    ])
    func `what is no address is refused`(address: String) {
        #expect(throws: ServerLocation.Failure.self) {
            try Self.resolve(.init(server: address), files: [:])
        }
    }

    @Test(arguments: ["http://localhost:1", "https://a-b.example", "http://[::1]:80", "HTTPS://X"])
    func `what is an address is taken`(address: String) throws {
        #expect(throws: Never.self) { try Self.resolve(.init(server: address), files: [:]) }
    }

    @Test func `bad files are named`() {
        #expect(throws: ServerLocation.Failure.unreadableToken(path: "/none")) {
            try Self.resolve(.init(tokenFile: "/none"))
        }
        #expect(throws: ServerLocation.Failure.badToken) {
            try Self.resolve(.init(tokenFile: "/t"), files: ["/t": "a\r\nEvil: 1"])
        }
        #expect(throws: ServerLocation.Failure.badToken) {
            try Self.resolve(.init(tokenFile: "/t"), files: ["/t": " \n"])
        }
        #expect(throws: ServerLocation.Failure.unreadableHandOver(path: "/d/client.json")) {
            try Self.resolve(.init(dataFolder: "/d"), files: ["/d/client.json": "{}"])
        }
    }
}
