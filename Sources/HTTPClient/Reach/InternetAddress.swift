/// An address of the internet protocol, as a connection is opened to it.
package enum InternetAddress: Hashable, Sendable {
    case four(UInt32)
    case six(UInt128)

    /// Reads the 4 or 16 bytes of an address, the greatest first; nil for any other count.
    package init?(bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 4: self = .four(bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16: self = .six(bytes.reduce(0) { $0 << 8 | UInt128($1) })
        default: return nil
        }
    }

    /// The address of version 4 that one of version 6 stands for, where a system or a gateway translates it.
    private var translated: UInt32? {
        guard case .six(let value) = self else { return nil }
        let prefix = value >> 32
        // ::ffff:0:0/96, mapped; 64:ff9b::/96, translated by a gateway (RFC 6052).
        return prefix == 0xFFFF || prefix == 0x0064_FF9B << 64 ? UInt32(truncatingIfNeeded: value) : nil
    }

    /// Whether the address is one that the whole internet can reach.
    ///
    /// By IANA's two registries of special-purpose addresses, and those for multicast. Some blocks in there are
    /// reachable, such as the anycast ones of RFC 7535; nobody names them, so each block is one answer.
    package var isPublic: Bool {
        if let translated { return InternetAddress.four(translated).isPublic }
        switch self {
        case .four(let value): return !Self.specialFour.contains { value >> (32 - $0.length) == $0.prefix }
        case .six(let value):
            // Of the space of version 6 only an eighth is given out.
            guard value >> 125 == 0b001 else { return false }
            return !Self.specialSix.contains { value >> (128 - UInt128($0.length)) == $0.prefix }
        }
    }

    /// The first bits of the special blocks of version 4, without the bits after them.
    private static let specialFour: [(prefix: UInt32, length: UInt32)] = [
        // "This network", private use, shared address space, loopback, link-local.
        (0x00, 8), (0x0A, 8), (0x6440 >> 6, 10), (0x7F, 8), (0xA9FE, 16), (0xAC10 >> 4, 12), (0xC0A8, 16),
        // Protocol assignments, documentation, the old relays of 6to4, benchmarks.
        (0xC0_0000, 24), (0xC0_0002, 24), (0xC6_3364, 24), (0xCB_0071, 24), (0xC0_5863, 24), (0xC612 >> 1, 15),
        // Anycast of name servers and of multicast relays.
        (0xC0_1FC4, 24), (0xC0_34C1, 24), (0xC0_AF30, 24),
        // Multicast, and what is reserved, the broadcast address in it.
        (0xE, 4), (0xF, 4),
    ]

    /// The same of version 6, within the eighth that is given out.
    private static let specialSix: [(prefix: UInt128, length: Int)] = [
        // Protocol assignments, Teredo and benchmarks among them; documentation, twice; 6to4; anycast.
        (0x2001_0000 >> 9, 23), (0x2001_0DB8, 32), (0x3FFF_0000 >> 12, 20), (0x2002, 16), (0x2620_004F_8000, 48),
    ]
}
