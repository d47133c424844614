/// A UUID that knows what it names, so that a turn's id cannot be passed where an answer's is meant.
///
/// Ids are made by the client (version 7, which sorts by time) and travel as 36 lower-case characters. The same id
/// is the same thing for ever; it is the idempotency key of whatever it names.
///
/// What reads and writes an id can be inlined into other modules: unspecialised, it was an eighth of a request's
/// instructions.
public struct ID<Kind>: Hashable, Sendable {
    /// The first eight bytes, big-endian: time first, so that the natural order is the order of creation.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// Names a thing by the two halves of its UUID.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes a version 7 UUID (RFC 9562, section 5.7).
    ///
    /// - Parameters:
    ///   - time: the moment of creation; its milliseconds become the first 48 bits.
    ///   - random: 128 bits from a random source, of which 74 are kept.
    public init(at time: Timestamp, random: (UInt64, UInt64)) {
        let milliseconds = UInt64(truncatingIfNeeded: max(0, time.milliseconds)) & 0xFFFF_FFFF_FFFF
        high = milliseconds << 16 | 0x7000 | random.0 & 0x0FFF
        low = 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF
    }

    /// Reads the 36-character form; anything else, upper case included, is refused.
    @inlinable
    public init?(_ text: some StringProtocol) {
        self.init(utf8: text.utf8)
    }

    /// Reads the 36-character form from bytes.
    @inlinable
    public init?(utf8 bytes: some Collection<UInt8>) {
        guard bytes.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (position, byte) in bytes.enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let value: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            if digits < 16 {
                halves.0 = halves.0 << 4 | UInt64(value)
            } else {
                halves.1 = halves.1 << 4 | UInt64(value)
            }
            digits += 1
        }
        high = halves.0
        low = halves.1
    }

    /// The 36 characters as bytes, for writers that append.
    @inlinable
    public func append(to bytes: inout [UInt8]) {
        for position in 0..<32 {
            if position == 8 || position == 12 || position == 16 || position == 20 { bytes.append(UInt8(ascii: "-")) }
            let half = position < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - position % 16 * 4) & 15)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// The sixteen bytes, as a store keeps them.
    @inlinable
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        for half in [high, low] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: half >> shift))
            }
        }
        return bytes
    }

    /// Reads the sixteen bytes that a store kept.
    @inlinable
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        for (position, byte) in bytes.enumerated() {
            if position < 8 { halves.0 = halves.0 << 8 | UInt64(byte) } else { halves.1 = halves.1 << 8 | UInt64(byte) }
        }
        high = halves.0
        low = halves.1
    }
}

extension ID: Comparable {
    public static func < (left: ID, right: ID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension ID: CustomStringConvertible {
    public var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36)
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// What an ``AccountID`` names.
public enum AccountKind {}
/// What a ``SessionID`` names.
public enum SessionKind {}
/// What a ``ConversationID`` names.
public enum ConversationKind {}
/// What a ``TurnID`` names.
public enum TurnKind {}
/// What an ``AnswerID`` names.
public enum AnswerKind {}
/// What an ``UploadID`` names.
public enum UploadKind {}
/// What a ``FactID`` names.
public enum FactKind {}
/// What an ``InviteID`` names.
public enum InviteKind {}

/// A person's account.
public typealias AccountID = ID<AccountKind>
/// A device that is signed in.
public typealias SessionID = ID<SessionKind>
/// A conversation: a tree of turns.
public typealias ConversationID = ID<ConversationKind>
/// A turn: one prompt, with one or more answers.
public typealias TurnID = ID<TurnKind>
/// An answer: one log of events.
public typealias AnswerID = ID<AnswerKind>
/// An uploaded file.
public typealias UploadID = ID<UploadKind>
/// Something about a person that may be remembered.
public typealias FactID = ID<FactKind>
/// Leave to create an account.
public typealias InviteID = ID<InviteKind>
