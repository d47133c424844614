import Crypto
import Foundation
import RejoinCore
import SeededRandom
import Testing

@testable import RejoinServer

@Suite struct PublicKeyTests {
    // RFC 7515, appendix A.3.
    private static let point = JSONWebKey.object(
        #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#
    )
    private static let pointSigned = """
        eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.\
        DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q
        """
    // Made with another program.
    private static let rsa = JSONWebKey.object(
        """
        {"kty":"RSA","e":"AQAB","n":"t1JW3njmbYwE0FArpMMkUaFiBBNMrSi4bdoZOf7yUhk5GOlD9D6ofqsfSdaOZ7gHTjPvYFvjdt0QkonfshfL1SubWjkAAl4\
        bGMOmhvPwfRR7ErR3UfWJkeJ4TLSsX1FkfwY8jnJkKR_-NYvPBaeu1Gi9gxzU-7oUM9TqOhvdJEstfQr0RYTOla2ncZj1g_tfK6LOMJUnXoC5adtmtwIHhv\
        K2CEVadwUlIIQUwQc1pMAEaq3-K6MzraOpy9jF2bdhBRZAZjR-RZ6yxk-PH3bB2REvEvnod-600KEmon5k3ZWOOD481i4nNUhGdiUfARmRmC_l9DQDGw857\
        -ZIZuXbAw"}
        """)
    private static let rsaSigned = """
        eyJhbGciOiJSUzI1NiJ9.aGVsbG8.MDUqNVdZcjXOQfDJmpVrhbm-C2l8kHrHp9ZPae3rrFDhIqscQJnPCql33WtEaHEjozzURsbSvHWL4VkGSeWXyax\
        hcwXK2s4ikBfOI9__ngAEIKIfPpN9ryUJ9G4oP8b8Zol7aKLXdxVi2Q-EAWYI07eiLJDAU-t4vJoSdBFYDwZKBJBRqHE2ukb8U2900cfC65PBJC5FVL66f3\
        SROKvwLjj0thTr0d06sBJizq7T0rd2wZCeuz7IgYP0Bl0pY1L3lrSwGKTYwlbRRYfHov-RX8I2Hs0G2QRc1D2IxRkrCTg1e4oXJgbYTqsghPGvlIDutEFDU\
        1aJ8SpA2YTuLnM4sA
        """
    // RFC 8032, section 7.1, the first test: the empty message.
    private static let edwards = JSONWebKey.object(
        #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#)
    private static let edwardsSignature = Bytes.hex(
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    )

    private struct Signed {
        var key: PublicKey
        var message: [UInt8]
        var signature: [UInt8]
    }

    private func examples() throws -> [Signed] {
        func jose(_ key: JSONObject, _ text: String) throws -> Signed {
            let end = try #require(text.lastIndex(of: "."))
            return Signed(
                key: try #require(PublicKey(jwk: key)), message: Array(text[..<end].utf8),
                signature: try #require(Base64URL.decode(text[text.index(after: end)...])))
        }
        return [
            try jose(Self.point, Self.pointSigned), try jose(Self.rsa, Self.rsaSigned),
            Signed(key: try #require(PublicKey(jwk: Self.edwards)), message: [], signature: Self.edwardsSignature),
        ]
    }

    @Test("S25 the published examples of each algorithm verify, and no other bytes do")
    func verifying() throws {
        for example in try examples() {
            #expect(example.key.verifies(example.signature, of: example.message, form: .fixed))
            for index in example.signature.indices {
                var broken = example.signature
                broken[index] ^= 1
                #expect(!example.key.verifies(broken, of: example.message, form: .fixed), "byte \(index)")
            }
            for length in 0..<example.signature.count {
                #expect(
                    !example.key.verifies(Array(example.signature.prefix(length)), of: example.message, form: .fixed))
            }
            #expect(!example.key.verifies(example.signature + [0], of: example.message, form: .fixed))
            #expect(!example.key.verifies(example.signature, of: example.message + [0], form: .fixed))
            for other in try examples() where other.key != example.key {
                #expect(!other.key.verifies(example.signature, of: example.message, form: .fixed))
            }
        }
    }

    @Test("S25 a signature of ECDSA is taken in the form that was agreed on alone")
    func forms() throws {
        let example = try examples()[0]
        #expect(!example.key.verifies(example.signature, of: example.message, form: .der))
        let (r, s) = (example.signature.prefix(32), example.signature.suffix(32))
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            let padded = (bytes.first ?? 0) >= 0x80 ? [0] + Array(bytes) : Array(bytes)
            return [0x02, UInt8(padded.count)] + padded
        }
        let body = integer(r) + integer(s)
        let der = [0x30, UInt8(body.count)] + body
        #expect(example.key.verifies(der, of: example.message, form: .der))
        #expect(!example.key.verifies(der, of: example.message, form: .fixed))
        #expect(!example.key.verifies(der + [0], of: example.message, form: .der))
        // Zeros for both numbers, which a careless verifier takes for every message.
        #expect(!example.key.verifies([UInt8](repeating: 0, count: 64), of: example.message, form: .fixed))
        #expect(!example.key.verifies([0x30, 6, 2, 1, 0, 2, 1, 0], of: example.message, form: .der))
    }

    @Test("S25 keys that cannot be right are refused before anything is checked with them")
    func keys() throws {
        let x = try #require(Self.point["x"]?.string.flatMap { Base64URL.decode($0) })
        let y = try #require(Self.point["y"]?.string.flatMap { Base64URL.decode($0) })
        #expect(PublicKey.p256(x: x, y: y) != nil)
        #expect(PublicKey.p256(x: y, y: x) == nil)
        #expect(PublicKey.p256(x: x + [0], y: y) == nil)
        #expect(PublicKey.p256(x: [UInt8](repeating: 0, count: 32), y: [UInt8](repeating: 0, count: 32)) == nil)
        let modulus = try #require(Self.rsa["n"]?.string.flatMap { Base64URL.decode($0) })
        #expect(PublicKey.rsa(modulus: modulus, exponent: [1, 0, 1]) != nil)
        #expect(PublicKey.rsa(modulus: [0] + modulus, exponent: [0, 3]) != nil)
        for exponent in [[], [0], [1], [2], [1, 0, 0], [1, 0, 0, 0, 1]] as [[UInt8]] {
            #expect(PublicKey.rsa(modulus: modulus, exponent: exponent) == nil)
        }
        #expect(PublicKey.rsa(modulus: Array(modulus.dropFirst()), exponent: [3]) == nil)
        #expect(PublicKey.rsa(modulus: modulus.dropLast() + [2], exponent: [3]) == nil)
        #expect(PublicKey.rsa(modulus: [UInt8](repeating: 0xFF, count: 1025), exponent: [3]) == nil)
        #expect(PublicKey.ed25519([UInt8](repeating: 1, count: 31)) == nil)
        // A point of low order would sign for everybody.
        let low = PublicKey.ed25519([1] + [UInt8](repeating: 0, count: 31))
        #expect(low?.verifies([1] + [UInt8](repeating: 0, count: 63), of: [1], form: .fixed) == false)
    }

    @Test("S25 base64 of one byte string is one text, and every other text is refused")
    func base64() {
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        #expect(Base64URL.decode("-_8") == [0xFB, 0xFF])
        #expect(Base64URL.padded([0xFB, 0xFF]) == "+/8=")
        #expect(Base64URL.padded([]) == "" && Base64URL.padded([0, 0, 0]) == "AAAA")
        for text in ["-_8=", "+/8", "-_9", "A", "AAAAA", "AB", "A A", "é"] {
            #expect(Base64URL.decode(text) == nil, "\(text)")
        }
        var generator = SeededGenerator(seed: 4)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
            let text = Base64URL.encode(bytes)
            #expect(Base64URL.decode(text) == bytes)
            #expect(Data(bytes).base64EncodedString() == Base64URL.padded(bytes))
        }
    }

    @Test("S25 a key set gives the key that is meant, and none where that is not clear")
    func keySet() throws {
        func set(_ keys: String...) -> KeySet? { KeySet(Array(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8)) }
        func key(_ object: JSONObject, _ more: String) -> String {
            var json = JSONWriter()
            json.value(.object(object))
            return String(decoding: json.bytes.dropLast(), as: UTF8.self) + more + "}"
        }
        let two = try #require(set(key(Self.point, #","kid":"a""#), key(Self.rsa, #","kid":"b","use":"sig""#)))
        #expect(two.key("a", .es256) != nil && two.key("a", .rs256) == nil && two.key("c", .es256) == nil)
        #expect(two.key(nil, .es256) != nil && two.key(nil, .edDSA) == nil)
        let unclear = try #require(set(key(Self.point, #","kid":"a""#), key(Self.point, #","kid":"a""#)))
        #expect(unclear.key("a", .es256) == nil && unclear.key(nil, .es256) == nil)
        let foreign = try #require(
            set(
                key(Self.point, #","use":"enc""#), key(Self.point, #","alg":"ES384""#), #"{"kty":"oct","k":"AAAA"}"#,
                "7"))
        #expect(foreign.key(nil, .es256) == nil)
        #expect(KeySet(Array("{}".utf8)) == nil && KeySet([]) == nil)
    }
}

/// Keys as other programs write them.
private enum JSONWebKey {
    static func object(_ text: String) -> JSONObject {
        (try? JSONReader.parse(Array(text.utf8)).object) ?? JSONObject()
    }
}
