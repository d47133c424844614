import Crypto
import RejoinCore
import Synchronization

/// Makes challenges that prove themselves: a time, some chance, and a seal over both that only this process can make.
///
/// Nothing is kept for one that is given out, so strangers who ask for a million of them cost no memory and push nobody
/// else's out. What is kept, until it is too old anyway, is which were used; only who signs in uses one.
final class TicketMint: Sendable {
    /// How long a ticket is good.
    let lifetime: Duration
    private let surroundings: Surroundings
    private let key: [UInt8]
    private let used = Mutex<[[UInt8]: Duration]>([:])

    private static let sealBytes = 32
    private static let bodyBytes = 24

    /// - Parameter key: 32 bytes that nobody else knows.
    init(lifetime: Duration, surroundings: Surroundings, key: [UInt8] = SecureRandom.bytes(32)) {
        self.lifetime = lifetime
        self.surroundings = surroundings
        self.key = key
    }

    /// Makes a ticket of 56 bytes for one purpose and one subject.
    func make(_ purpose: String, for subject: [UInt8] = []) -> [UInt8] {
        let random = surroundings.random()
        var body: [UInt8] = []
        for word in [UInt64(max(0, milliseconds)), random.0, random.1] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                body.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return body + seal(body, purpose, subject)
    }

    /// Whether a ticket is ours, for this purpose and subject, and not too old.
    func isGood(_ ticket: [UInt8], _ purpose: String, for subject: [UInt8] = []) -> Bool {
        guard ticket.count == Self.bodyBytes + Self.sealBytes else { return false }
        let body = Array(ticket.prefix(Self.bodyBytes))
        guard Digest.areEqual(seal(body, purpose, subject), Array(ticket.suffix(Self.sealBytes))) else { return false }
        let made = body.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return milliseconds - made < Int64(lifetime.inSeconds * 1000)
    }

    /// As ``isGood(_:_:for:)``, and from now on no more.
    func useUp(_ ticket: [UInt8], _ purpose: String, for subject: [UInt8] = []) -> Bool {
        guard isGood(ticket, purpose, for: subject) else { return false }
        let now = surroundings.monotonic()
        return used.withLock { used in
            if used.count >= 1000 { used = used.filter { now - $0.value < lifetime } }
            return used.updateValue(now, forKey: ticket) == nil
        }
    }

    /// How many used tickets are kept in mind.
    var remembered: Int { used.withLock { $0.count } }

    /// A secret of 32 bytes that goes with a ticket and that only this process can find from it.
    func secret(_ name: String, of ticket: [UInt8]) -> [UInt8] {
        // A seal's body begins with a time, whose first byte is 0 for as long as a machine can run.
        Digest.blake2b([0xFF] + Array(name.utf8) + [0] + ticket, key: key)
    }

    private var milliseconds: Int64 { Int64(surroundings.monotonic().inSeconds * 1000) }

    private func seal(_ body: [UInt8], _ purpose: String, _ subject: [UInt8]) -> [UInt8] {
        // The body has a fixed length and a purpose has no zero byte, so that no two sets of parts look alike.
        Digest.blake2b(body + Array(purpose.utf8) + [0] + subject, key: key)
    }
}
