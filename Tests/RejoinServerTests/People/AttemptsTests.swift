import RejoinCore
import Testing

@testable import RejoinServer

@Suite struct AttemptsTests {
    @Test("S25 each attempt beyond the free ones doubles the wait, up to 1024 seconds, and a day forgets them")
    func doubling() {
        var attempts = Attempts(count: 0, lastAt: 0)
        var waits: [Int64] = []
        for _ in 1...18 {
            attempts = attempts.counted(at: 0)
            waits.append((attempts.blockedUntil(free: 5, now: 0)?.milliseconds ?? 0) / 1000)
        }
        #expect(waits == [0, 0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024, 1024, 1024])
        #expect(attempts.blockedUntil(free: 5, now: 1_024_000) == nil)
        #expect(attempts.counted(at: Timestamp(milliseconds: Attempts.memory)).count == 19)
        #expect(attempts.counted(at: Timestamp(milliseconds: Attempts.memory + 1)).count == 1)
    }

    @Test func `a clock that was set back by a year makes nobody wait longer`() {
        let attempts = Attempts(count: 6, lastAt: 31_536_000_000)
        #expect(attempts.blockedUntil(free: 5, now: 0) == 2000)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("192.0.2.7:443", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("[2001:db8:1:2::9]:80", "2001:db8:1:2:ffff::"),
        ("fe80::1%eth0", "fe80::2"),
    ])
    func `one household of IPv6 counts as one address`(one: String, other: String) {
        #expect(NetworkAddress(one) != nil)
        #expect(NetworkAddress(one)?.network == NetworkAddress(other)?.network)
        #expect(NetworkAddress("2001:db8:1:3::1")?.network != NetworkAddress("2001:db8:1:2::1")?.network)
    }

    @Test(arguments: ["", "x", "1.2.3", "1.2.3.4.5", "::g", "[::1", "a,b", "1.2.3.4\0", "unknown", "_hidden"])
    func `what is no address is none`(text: String) { #expect(NetworkAddress(text) == nil) }

    @Test("S10 a proxy's word counts only from a proxy that is trusted")
    func proxies() {
        var proxies = TrustedProxies()
        let forged = ["6.6.6.6, 198.51.100.9"]
        #expect(proxies.client(remote: "127.0.0.1", forwarded: forged) == "127.0.0.1")
        #expect(proxies.insert("127.0.0.1") && proxies.insert("10.0.0.0/9") && proxies.insert("2001:db8::/33"))
        #expect(!proxies.insert("10.0.0.0/33") && !proxies.insert("host") && !proxies.insert("1.2.3.4/x"))
        #expect(proxies.client(remote: "127.0.0.1", forwarded: forged) == "198.51.100.9")
        #expect(proxies.client(remote: "127.0.0.1", forwarded: forged + ["10.127.0.1"]) == "198.51.100.9")
        #expect(proxies.client(remote: "127.0.0.1", forwarded: ["6.6.6.6, 10.128.0.1"]) == "10.128.0.1")
        #expect(proxies.client(remote: "127.0.0.1", forwarded: ["6.6.6.6, nonsense"]) == "127.0.0.1")
        #expect(proxies.client(remote: "127.0.0.1", forwarded: []) == "127.0.0.1")
        #expect(proxies.client(remote: "198.51.100.1", forwarded: forged) == "198.51.100.1")
        #expect(proxies.contain("2001:db8:7fff::1") && !proxies.contain("2001:db8:8000::1"))
    }

    @Test func `a form is read as browsers write it, and each parameter counts once`() {
        let form = FormBody(Array("a=1&b=x+y%20z%C3%A9&empty=&flag&=odd".utf8))
        #expect(form?["a"] == "1" && form?["b"] == "x y zé")
        #expect(form?["empty"] == nil && form?["flag"] == nil && form?["none"] == nil)
        for broken in ["a=1&a=2", "a=%", "a=%4", "a=%zz", "a=%FF", "%FF=a"] {
            #expect(FormBody(Array(broken.utf8)) == nil)
        }
        #expect(FormBody([]) != nil)
    }
}
