import Crypto
import Testing

@Suite struct CryptoTests {
    /// From BLAKE2's reference vectors and RFC 7693's message, computed with another implementation.
    @Test(arguments: [
        ("", "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"),
        ("abc", "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"),
    ])
    func `hashes as BLAKE2b-256 does`(text: String, expected: String) {
        let digits = Array("0123456789abcdef")
        let hex = Digest.blake2b(Array(text.utf8)).map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
        #expect(hex == expected)
    }

    @Test func `compares bytes`() {
        #expect(Digest.areEqual([], []))
        #expect(Digest.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(!Digest.areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!Digest.areEqual([1, 2, 3], [0, 2, 3]))
        #expect(!Digest.areEqual([1, 2], [1, 2, 3]))
    }

    @Test func `a token is read back as itself, and no two are equal`() throws {
        let tokens = (0..<50).map { _ in Token() }
        #expect(Set(tokens.map(\.text)).count == 50)
        #expect(Set(tokens.map(\.hash)).count == 50)
        for token in tokens {
            #expect(token.text.hasPrefix("rj_"))
            #expect(token.text.utf8.count == 46)
            #expect(try #require(Token(token.text)).hash == token.hash)
            #expect(token.hash == Digest.blake2b(Array(token.text.utf8)))
        }
    }

    @Test(arguments: ["", "rj_", String(repeating: "a", count: 46), "rj_" + String(repeating: "=", count: 43)])
    func `refuses what cannot be a token`(text: String) { #expect(Token(text) == nil) }

    @Test func `a token cannot be printed`() {
        let token = Token()
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), "\([token])", dumped] {
            #expect(!text.contains(token.text))
        }
    }

    @Test func `random bytes are as many as asked for and not the same twice`() {
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(SecureRandom.bytes(33).count == 33)
        #expect(SecureRandom.bytes(16) != SecureRandom.bytes(16))
        #expect(SecureRandom().next() != SecureRandom().next())
    }

    @Test func `a password is known again, and nothing else is taken for it`() async throws {
        let hash = try #require(await PasswordHash.make("påss\u{0}word"))
        #expect(hash.hasPrefix("$argon2id$"))
        #expect(await PasswordHash.verify("påss\u{0}word", against: hash))
        #expect(await !PasswordHash.verify("påss", against: hash))
        #expect(await !PasswordHash.verify("påss\u{0}Word", against: hash))
        #expect(await !PasswordHash.verify("", against: hash))
        #expect(await !PasswordHash.verify("x", against: "no hash"))
        #expect(await !PasswordHash.verify("x", against: ""))
        #expect(await !PasswordHash.verify("x", against: hash + String(repeating: "x", count: 200)))
    }

    @Test func `equal passwords have different hashes`() async throws {
        let first = try #require(await PasswordHash.make("same"))
        let second = try #require(await PasswordHash.make("same"))
        #expect(first != second)
    }
}
