import Testing

@testable import RejoinServer

@Suite struct SignInConfigurationTests {
    private func read(_ text: String, _ environment: [String: String] = [:]) throws -> Configuration {
        let environment = environment.merging(["HOME": "/home/ada"]) { given, _ in given }
        let file = ConfigurationFile(path: "rejoin.json5", bytes: Array(text.utf8))
        return try Configuration.read(file, environment: environment, flags: ConfigurationFlags())
    }

    private func refusal(_ text: String, _ environment: [String: String] = [:]) -> String {
        do {
            _ = try read(text, environment)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `reads the public address, from the file and from a variable`() throws {
        #expect(try read("{}").publicURL == nil)
        #expect(try read(#"{ public_url: "https://chat.example/" }"#).publicURL?.origin == "https://chat.example")
        let variable = ["REJOIN_PUBLIC_URL": "http://localhost:9000"]
        #expect(try read("{}", variable).publicURL?.origin == "http://localhost:9000")
        #expect(refusal(#"{ public_url: "https://chat.example/path" }"#).contains("rejoin.json5:1:"))
    }

    private static let whole = """
        { oidc: { issuer: "https://login.example", client_id: "us", client_secret_env: "SECRET", name: "Login",
            accounts: "create" } }
        """

    @Test func `reads a provider whose secret no description shows`() throws {
        let provider = try #require(try read(Self.whole, ["SECRET": " canary "]).openID)
        #expect(provider.issuer == "https://login.example" && provider.clientID == "us" && provider.name == "Login")
        #expect(provider.accounts == .create)
        #expect(provider.clientSecret?.revealed == "canary")
        #expect(!"\(provider) \(String(reflecting: provider))".contains("canary"))
        var dumped = ""
        dump(provider, to: &dumped)
        #expect(!dumped.contains("canary"))
        let least = try read(#"{ oidc: { issuer: "http://localhost:9", client_id: "us", name: "Login" } }"#).openID
        #expect(least?.accounts == .existing && least?.clientSecret == nil)
    }

    @Test(
        arguments: [
            (#"{ oidc: 7 }"#, "must be an object in braces"),
            (#"{ oidc: { } }"#, #""oidc.issuer" is missing"#),
            (#"{ oidc: { issuer: "https://a.example", client_id: "us" } }"#, #""oidc.name" is missing"#),
            (#"{ oidc: { issuer: "http://a.example", client_id: "us", name: "x" } }"#, #""oidc.issuer" must be"#),
            (
                #"{ oidc: { issuer: "http://localhost.evil.example", client_id: "us", name: "x" } }"#,
                #""oidc.issuer" must be"#
            ),
            (#"{ oidc: { issuer: "https://a.example?x", client_id: "us", name: "x" } }"#, #""oidc.issuer" must be"#),
            (#"{ oidc: { client_secret: "canary" } }"#, "does not belong into the configuration"),
            (#"{ oidc: { client_secret_env: "the canary-secret" } }"#, "not the secret itself"),
            (#"{ oidc: { client_secret_env: "NOWHERE" } }"#, "NOWHERE is not set"),
            (#"{ oidc: { client_secret_env: "EMPTY" } }"#, "EMPTY does not hold a secret"),
            (#"{ oidc: { isuer: "x" } }"#, #"did you mean "issuer""#),
            (#"{ oidc: { accounts: "all" } }"#, #""existing" or "create""#),
            (#"{ oidc: { name: " " } }"#, #""oidc.name" must be"#),
        ])
    func `refuses a provider that is not whole, and never shows a secret`(text: String, words: String) {
        let said = refusal(text, ["EMPTY": " "])
        #expect(said.contains(words), "\(said)")
        #expect(!said.contains("canary"))
    }
}
