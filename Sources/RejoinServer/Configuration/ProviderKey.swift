/// A provider's key, and where a newer one would be.
package struct ProviderKey: Sendable, Equatable {
    /// The key as it was at the start.
    package let secret: Secret
    /// The file that it came from; nil if it came from an environment variable.
    package let file: String?

    package init(_ secret: Secret, file: String? = nil) {
        self.secret = secret
        self.file = file
    }

    /// The key as it is now: its file is read again, because a key is changed there while the server runs.
    ///
    /// Blocks for as long as that takes. Where the file has no key any more, it is the key of the start.
    package var revealed: String {
        guard let file, let bytes = try? ConfigurationFile.read(file, at: file) else { return secret.revealed }
        return (Self.secret(in: bytes) ?? secret).revealed
    }

    /// A key without the space around it; nil where there is none.
    ///
    /// It goes into a header field, so nothing but one word of visible ASCII can be right.
    static func secret(in bytes: [UInt8]) -> Secret? {
        let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        let key = bytes.drop(while: space.contains).reversed().drop(while: space.contains).reversed()
        guard !key.isEmpty, key.count <= 8192, key.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return Secret(String(decoding: key, as: UTF8.self))
    }
}
