/// A link that may be shown and followed: to the web, to a host that is not here, with nobody's name or password in it.
///
/// It judges what is written. Whoever fetches it on a server must look again at the addresses that the name leads to, for
/// a public name may point at a private address.
public struct SafeLink: Sendable, Hashable {
    /// The link as it was written, without white space around it.
    public let text: String
    /// The host, in small letters.
    public let host: String

    /// Takes a link.
    ///
    /// Hosts with letters outside ASCII are refused in that form, since what a browser makes of them is another matter;
    /// their `xn--` form is taken.
    ///
    /// - Throws: ``ValidationFailure/unsafeLink``.
    public init(_ text: some StringProtocol) throws(ValidationFailure) {
        let link = Normalise.trimmed(text)
        guard let host = Self.host(of: Array(link.utf8)), Self.isPublic(host) else { throw .unsafeLink }
        self.text = link
        self.host = host
    }

    /// The host in small letters; `nil` where the link is not one to the web, or names a person.
    private static func host(of link: [UInt8]) -> String? {
        guard link.count <= 4096, link.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            return nil
        }
        let text = String(decoding: link, as: UTF8.self)
        let scheme = text.prefix { $0 != ":" }
        guard ["http", "https"].contains(scheme.lowercased()) else { return nil }
        let rest = text.dropFirst(scheme.count)
        guard rest.hasPrefix("://") else { return nil }
        let authority = rest.dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.isEmpty, !authority.contains("@") else { return nil }
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]"), isPort(authority[authority.index(after: end)...]) else {
                return nil
            }
            return authority[...end].lowercased()
        }
        let host = authority.prefix { $0 != ":" }
        guard isPort(authority[host.endIndex...]) else { return nil }
        let isName = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isName ? host.lowercased() : nil
    }

    private static func isPort(_ rest: Substring) -> Bool {
        if rest.isEmpty { return true }
        guard rest.first == ":", rest.count <= 6 else { return false }
        let digits = rest.dropFirst()
        return digits.isEmpty || digits.allSatisfy { $0.isASCII && $0.isNumber } && (UInt16(digits) ?? 0) > 0
    }

    private static func isPublic(_ host: String) -> Bool {
        if host.hasPrefix("[") { return isPublicIPv6(host.dropFirst().dropLast()) }
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.last?.isEmpty == true { labels.removeLast() }
        guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty && $0.count <= 63 }), let last = labels.last else {
            return false
        }
        // What ends in a number is an address, however it is written: `127.1`, `0x7f.1`, `017700000001`.
        if last.allSatisfy({ $0.isASCII && $0.isNumber }) || last.hasPrefix("0x") {
            let bytes = labels.map { $0 == "0" || !$0.hasPrefix("0") ? UInt8($0) : nil }
            guard bytes.count == 4, bytes.allSatisfy({ $0 != nil }) else { return false }
            return isPublicIPv4(bytes.compactMap(\.self))
        }
        let privateEndings: Set<Substring> = [
            "localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private", "test",
            "invalid", "example", "onion",
        ]
        return !privateEndings.contains(last) && !host.hasSuffix("home.arpa") && !host.hasSuffix("home.arpa.")
    }

    private static func isPublicIPv4(_ bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (169, 254, _), (192, 168, _), (192, 0, 0), (192, 0, 2), (198, 51, 100),
            (203, 0, 113), (224..., _, _):
            false
        case (100, 64..<128, _), (172, 16..<32, _), (198, 18..<20, _): false
        default: true
        }
    }

    private static func isPublicIPv6(_ text: Substring) -> Bool {
        guard let groups = groups(ofIPv6: text) else { return false }
        // The global range alone, without the parts of it that carry an IPv4 address or are for examples.
        guard groups[0] & 0xE000 == 0x2000 else { return false }
        return groups[0] != 0x2002 && !(groups[0] == 0x2001 && (groups[1] == 0 || groups[1] == 0x0DB8))
    }

    private static func groups(ofIPv6 text: Substring) -> [UInt16]? {
        let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard (1...2).contains(halves.count) else { return nil }
        func groups(_ half: Substring) -> [UInt16]? {
            if half.isEmpty { return [] }
            let parts = half.split(separator: ":", omittingEmptySubsequences: false)
            let numbers = parts.map { (1...4).contains($0.count) ? UInt16($0, radix: 16) : nil }
            return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
        }
        guard let head = groups(halves[0]), let tail = groups(halves.count == 2 ? halves[1] : "") else { return nil }
        let missing = 8 - head.count - tail.count
        guard halves.count == 2 ? missing >= 1 : missing == 0 else { return nil }
        return head + Array(repeating: 0, count: missing) + tail
    }
}
