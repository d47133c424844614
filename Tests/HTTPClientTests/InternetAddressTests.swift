import HTTPClient
import Testing

/// The rule about addresses, held to IANA's registries block by block.
@Suite struct InternetAddressTests {
    /// The first and the last address of each block that must not be reached.
    private static let four = [
        ("0.0.0.0", "0.255.255.255"), ("10.0.0.0", "10.255.255.255"), ("100.64.0.0", "100.127.255.255"),
        ("127.0.0.0", "127.255.255.255"), ("169.254.0.0", "169.254.255.255"), ("172.16.0.0", "172.31.255.255"),
        ("192.0.0.0", "192.0.0.255"), ("192.0.2.0", "192.0.2.255"), ("192.31.196.0", "192.31.196.255"),
        ("192.52.193.0", "192.52.193.255"), ("192.88.99.0", "192.88.99.255"), ("192.168.0.0", "192.168.255.255"),
        ("192.175.48.0", "192.175.48.255"), ("198.18.0.0", "198.19.255.255"), ("198.51.100.0", "198.51.100.255"),
        ("203.0.113.0", "203.0.113.255"), ("224.0.0.0", "239.255.255.255"), ("240.0.0.0", "255.255.255.255"),
    ]

    /// The same of version 6, as the 16-bit groups before and after the gap.
    private static let six: [(first: [UInt16], last: [UInt16])] = [
        ([], []), ([0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 1]),
        ([0x64, 0xFF9B, 1], [0x64, 0xFF9B, 1, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF]),
        ([0x100], [0x100, 0, 0, 1, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF]),
        ([0x2001], [0x2001, 0x1FF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF]),
        ([0x2001, 0xDB8], [0x2001, 0xDB8, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF]),
        ([0x2002], [0x2002, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF]),
        ([0x2620, 0x4F, 0x8000], [0x2620, 0x4F, 0x8000, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF]),
        ([0x3FFF], [0x3FFF, 0xFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF]),
        ([0x5F00], [0x5F00, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF]),
        ([0xFC00], [0xFDFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF]),
        ([0xFE80], [0xFEBF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF]),
        ([0xFEC0], [0xFEFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF]),
        ([0xFF00], [0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF]),
    ]

    private static func value(_ text: String) -> UInt32 {
        text.split(separator: ".").reduce(0) { $0 << 8 | (UInt32($1) ?? 0) }
    }

    private static func value(_ groups: [UInt16]) -> UInt128 {
        (groups + Array(repeating: 0, count: 8 - groups.count)).reduce(0) { $0 << 16 | UInt128($1) }
    }

    @Test("S34 no block of the registry of version 4 is public, and what lies around it is", arguments: four)
    func versionFour(_ first: String, _ last: String) {
        let (low, high) = (Self.value(first), Self.value(last))
        for address in [low, low + (high - low) / 2, high] { #expect(!InternetAddress.four(address).isPublic) }
        let blocks = Self.four.map { Self.value($0.0)...Self.value($0.1) }
        for around in [low &- 1, high &+ 1] where !blocks.contains(where: { $0.contains(around) }) {
            #expect(InternetAddress.four(around).isPublic)
        }
    }

    @Test("S34 no block of the registry of version 6 is public, and nothing that is not given out", arguments: six)
    func versionSix(_ first: [UInt16], _ last: [UInt16]) {
        let (low, high) = (Self.value(first), Self.value(last))
        for address in [low, low + (high - low) / 2, high] { #expect(!InternetAddress.six(address).isPublic) }
        for around in [low &- 1, high &+ 1] where around >> 125 != 1 {
            #expect(!InternetAddress.six(around).isPublic || around >> 32 == 0x64FF9B << 64)
        }
    }

    @Test("S34 addresses of the internet are public, in either version")
    func everybody() {
        for text in [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.32.0.0", "223.255.255.255",
        ] {
            #expect(InternetAddress.four(Self.value(text)).isPublic, "\(text)")
        }
        for groups: [UInt16] in [
            [0x2606, 0x4700, 0x4700, 0, 0, 0, 0, 0x1111], [0x2A00], [0x2001, 0x200], [0x2003], [0x3FFF, 0x1000],
        ] {
            #expect(InternetAddress.six(Self.value(groups)).isPublic, "\(groups)")
        }
    }

    @Test("S34 an address of version 4 within one of version 6 is judged as itself", arguments: four)
    func translated(_ first: String, _ last: String) {
        for prefix: UInt128 in [0xFFFF << 32, 0x64_FF9B << 96] {
            for text in [first, last] {
                #expect(!InternetAddress.six(prefix | UInt128(Self.value(text))).isPublic)
            }
            #expect(InternetAddress.six(prefix | UInt128(Self.value("1.1.1.1"))).isPublic)
        }
        // The form that no system translates any more, and 6to4, reach nobody whatever is in them.
        #expect(!InternetAddress.six(UInt128(Self.value("1.1.1.1"))).isPublic)
        #expect(!InternetAddress.six(0x2002 << 112 | UInt128(Self.value("1.1.1.1")) << 80).isPublic)
    }

    @Test func `an address is read from 4 or 16 bytes and from no other count`() {
        #expect(InternetAddress(bytes: [127, 0, 0, 1]) == .four(0x7F00_0001))
        #expect(InternetAddress(bytes: Array(repeating: 0, count: 15) + [1]) == .six(1))
        for count in [0, 1, 3, 5, 15, 17] {
            #expect(InternetAddress(bytes: Array(repeating: UInt8(1), count: count)) == nil)
        }
    }

    @Test(
        "S34 the old notations of a number are the address that they stand for",
        arguments: [
            "http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://0x7f.1/",
            "http://0177.0.0.1/", "http://017700000001/", "http://127.0.0.1:80/",
        ])
    func notations(_ text: String) {
        #expect(URLParts(text)?.host == "127.0.0.1")
        #expect(URLParts(text)?.port == 80)
    }

    @Test func `a URL is read as a connection would be opened to it`() throws {
        let parts = try #require(URLParts("HTTPS://Example.ORG:8443/a/b?c#d"))
        #expect(parts.scheme == "https" && parts.host == "example.org" && parts.port == 8443 && !parts.hasUser)
        #expect(URLParts("https://[::1]/")?.host == "[::1]")
        #expect(URLParts("https://a@b.example/")?.hasUser == true)
        #expect(URLParts("https://safe.example@10.0.0.1/")?.host == "10.0.0.1")
        #expect(URLParts("//other.example/x", relativeTo: parts)?.text == "https://other.example/x")
        #expect(URLParts("../x", relativeTo: parts)?.text == "https://Example.ORG:8443/x")
        for bad in [
            "", "/only/a/path", "https://", "https://exa mple.org/", "https://ex\u{E4}mple.org/", "https://a:b:c/",
        ] {
            #expect(URLParts(bad) == nil, "\(bad)")
        }
    }
}
