import Crypto

/// The short code that a person carries from a device's screen to the page: `BCDF-GHJK`.
///
/// Twenty letters without vowels and look-alikes, so that no word comes out and none is misread; eight of them are 34
/// bits, which is enough for ten minutes in which guesses are counted (RFC 8628, 6.1).
struct DeviceCode: Hashable, Sendable {
    /// Eight letters of the alphabet.
    let letters: String

    private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ")

    /// Makes a new code.
    init() {
        var random = SecureRandom()
        letters = String((0..<8).map { _ in Self.alphabet[Int(random.next(upperBound: UInt64(Self.alphabet.count)))] })
    }

    /// Reads what a person typed: case, blanks and dashes do not matter; nil if it cannot be a code.
    init?(_ typed: String) {
        guard typed.utf8.count <= 64 else { return nil }
        let bare = typed.uppercased().filter { !$0.isWhitespace && !"-–—_.".contains($0) }
        guard bare.count == 8, bare.allSatisfy({ Self.alphabet.contains($0) }) else { return nil }
        letters = bare
    }

    /// As it is shown.
    var shown: String { letters.prefix(4) + "-" + letters.suffix(4) }

    /// What is kept in its place.
    var hash: [UInt8] { Digest.blake2b(Array(letters.utf8)) }
}
