import Crypto
import RejoinCore

/// The keys that a provider signs with (RFC 7517).
struct KeySet: Equatable, Sendable {
    private var keys: [(id: String?, key: PublicKey)]

    /// Reads a set; keys of kinds that are not taken are left out.
    init?(_ bytes: [UInt8]) {
        guard let listed = try? JSONReader.parse(bytes).object?["keys"]?.array else { return nil }
        keys = listed.prefix(100).compactMap { value in
            value.object.flatMap { object in PublicKey(jwk: object).map { (object["kid"]?.string, $0) } }
        }
    }

    /// The key of an id and an algorithm; without an id only one that nothing else could be meant by.
    func key(_ id: String?, _ algorithm: PublicKey.Algorithm) -> PublicKey? {
        let fitting = keys.filter { $0.key.algorithm == algorithm && (id == nil || $0.id == id) }
        return fitting.count == 1 ? fitting[0].key : nil
    }

    static func == (left: KeySet, right: KeySet) -> Bool {
        left.keys.elementsEqual(right.keys) { $0.id == $1.id && $0.key == $1.key }
    }
}
