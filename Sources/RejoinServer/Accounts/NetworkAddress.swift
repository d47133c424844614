import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An address of the internet protocol, as callers are counted by.
package struct NetworkAddress: Hashable, Sendable {
    /// Four bytes or sixteen; an IPv4 address inside IPv6 has its four.
    let bytes: [UInt8]

    /// Reads an address, with or without a port or a zone; nil if it is none.
    package init?(_ text: some StringProtocol) {
        var host = text[...]
        if host.first == "[", let end = host.firstIndex(of: "]") {
            host = host[host.index(after: host.startIndex)..<end]
        } else if host.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1, let colon = host.firstIndex(of: ":") {
            host = host[..<colon]
        }
        if let zone = host.firstIndex(of: "%") { host = host[..<zone] }
        guard host.utf8.count < 64, !host.utf8.contains(0) else { return nil }
        var four = in_addr()
        if inet_pton(AF_INET, String(host), &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
            return
        }
        var sixteen = in6_addr()
        guard inet_pton(AF_INET6, String(host), &sixteen) == 1 else { return nil }
        let read = withUnsafeBytes(of: &sixteen) { Array($0) }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        bytes = read.starts(with: mapped) ? Array(read.dropFirst(12)) : read
    }

    /// What is counted together: the address itself, of IPv6 the /64 that one household or machine has.
    package var network: [UInt8] { bytes.count == 4 ? bytes : Array(bytes.prefix(8)) }
}

/// The proxies whose word counts about where a request comes from.
package struct TrustedProxies: Equatable, Sendable {
    private struct Range: Equatable, Sendable {
        let bytes: [UInt8]
        let bits: Int

        func contains(_ address: NetworkAddress) -> Bool {
            guard address.bytes.count == bytes.count else { return false }
            let whole = bits / 8
            guard address.bytes.prefix(whole) == bytes.prefix(whole) else { return false }
            if bits % 8 == 0 { return true }
            let mask = UInt8(truncatingIfNeeded: 0xFF << (8 - bits % 8))
            return address.bytes[whole] & mask == bytes[whole] & mask
        }
    }

    private var ranges: [Range] = []

    /// Trusts nobody.
    package init() {}

    /// Trusts one more address, or a range such as `10.0.0.0/8`; false if it is neither.
    package mutating func insert(_ text: String) -> Bool {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = NetworkAddress(parts[0]) else { return false }
        let most = address.bytes.count * 8
        guard parts.count == 2 else {
            ranges.append(Range(bytes: address.bytes, bits: most))
            return true
        }
        guard let bits = Int(parts[1]), (0...most).contains(bits) else { return false }
        ranges.append(Range(bytes: address.bytes, bits: bits))
        return true
    }

    /// Whether a connection from there is a proxy's.
    package func contain(_ address: String) -> Bool {
        guard !ranges.isEmpty, let address = NetworkAddress(address) else { return false }
        return ranges.contains { $0.contains(address) }
    }

    /// Where a request comes from: the last address that no trusted proxy wrote down as one of its own kind.
    ///
    /// - Parameter forwarded: the fields `X-Forwarded-For`, in order; each proxy adds whom it was called by.
    package func client(remote: String, forwarded: [String]) -> String {
        var client = remote
        var entries = forwarded.flatMap { $0.split(separator: ",") }.map { String($0).trimmingSpace }[...]
        while contain(client), let last = entries.popLast(), NetworkAddress(last) != nil { client = last }
        return client
    }
}
