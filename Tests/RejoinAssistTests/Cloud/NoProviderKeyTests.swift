import Testing

@Suite struct NoProviderKeyTests {
    private func source(_ arguments: String, _ after: String = "") -> String {
        """
        import RejoinAssist
        func configure(_ credentials: any CredentialSource) -> CloudConfiguration {
            var configuration = CloudConfiguration(
                server: "https://rejoin.example", recipient: .firstParty("Rejoin"), disclosureVersion: 1, \(arguments))
            \(after)
            configuration.retries = RetryBounds(attempts: 2)
            return configuration
        }
        """
    }

    @Test("R37 the configuration takes the sign-in of our server, and there is no place for a provider's key")
    func noPlace() throws {
        let right = try Compiler.compile(source("credentials: credentials"))
        #expect(right.compiles, "\(right.output)")
        for wrong in [
            source("credentials: credentials, apiKey: \"sk-1\""), source("apiKey: \"sk-1\""),
            source("credentials: \"sk-1\""), source("credentials: Credential(token: \"sk-1\")"),
            source("credentials: credentials", "configuration.providerKey = \"sk-1\""),
        ] {
            let result = try Compiler.compile(wrong)
            #expect(!result.compiles, "\(wrong)")
            #expect(result.output.contains("error:"))
        }
    }

    @Test("R37 a credential's token cannot be read back")
    func closed() throws {
        let result = try Compiler.compile(
            "import RejoinAssist\nfunc read(_ credential: Credential) -> String { credential.token }")
        #expect(!result.compiles)
        #expect(result.output.contains("inaccessible"))
    }
}
