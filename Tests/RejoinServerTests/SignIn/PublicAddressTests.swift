import RejoinCore
import Testing

@testable import RejoinServer

@Suite struct PublicAddressTests {
    @Test(
        "S25 a public address is read as browsers write origins",
        arguments: [
            ("https://chat.example", "https://chat.example"), ("HTTPS://Chat.Example:443/", "https://chat.example"),
            ("https://chat.example:8443", "https://chat.example:8443"), ("http://localhost:80", "http://localhost"),
            ("http://[::1]:8787", "http://[::1]:8787"), ("https://[2001:DB8::1]", "https://[2001:db8::1]"),
            ("https://192.0.2.1", "https://192.0.2.1"),
        ])
    func origins(text: String, origin: String) {
        #expect(PublicURL(text)?.origin == origin)
    }

    @Test(
        "S25 what is no address of a server is refused",
        arguments: [
            "", "chat.example", "ftp://chat.example", "https://", "https:///", "https://chat.example/path",
            "https://chat.example?x", "https://chat.example#x", "https://ann@chat.example", "https://chat.example:0",
            "https://chat.example:65536", "https://chat.example:x", "https://chat example", "https://[::1",
            "https://[]",
            "https://ch\u{E4}t.example", "https://chat.example:443:443",
        ])
    func refusals(text: String) {
        #expect(PublicURL(text) == nil)
    }

    @Test("S25 passkeys are for a name that is reached safely, and without a setting for localhost at its port")
    func parties() throws {
        let standard = PublicAddress(nil)
        #expect(throws: Problem.self) { try standard.relyingParty() }
        standard.listens(on: 8787)
        #expect(try standard.relyingParty() == RelyingParty(id: "localhost", origin: "http://localhost:8787"))
        let address = PublicAddress(PublicURL("https://chat.example"))
        address.listens(on: 8787)
        #expect(try address.relyingParty() == RelyingParty(id: "chat.example", origin: "https://chat.example"))
        for (text, words) in [
            ("https://192.0.2.1", "bare address"), ("https://[::1]", "bare address"),
            ("http://127.0.0.1", "bare address"),
            ("http://chat.example", "https"),
        ] {
            let problem = #expect(throws: Problem.self) { try PublicAddress(PublicURL(text)).relyingParty() }
            #expect(problem?.detail.contains(words) == true, "\(text)")
        }
    }
}
