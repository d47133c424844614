internal import CSodium

/// Base64 with the alphabet for addresses and without padding (RFC 4648, section 5), as WebAuthn and JOSE write bytes.
package enum Base64URL {
    /// Writes bytes as text.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        encode(bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
    }

    /// Writes bytes with the common alphabet and with padding, as `Authorization` fields carry them.
    package static func padded(_ bytes: some Collection<UInt8>) -> String {
        encode(bytes, sodium_base64_VARIANT_ORIGINAL)
    }

    private static func encode(_ bytes: some Collection<UInt8>, _ variant: Int32) -> String {
        Sodium.prepare()
        let bytes = Array(bytes)
        let length = sodium_base64_encoded_len(bytes.count, variant)
        var text = [CChar](repeating: 0, count: length)
        unsafe sodium_bin2base64(&text, length, bytes, bytes.count, variant)
        return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Reads a text; nil for padding, foreign characters, a length that cannot be, or bits left over that are not zero.
    ///
    /// So each byte string has exactly one text, and equal texts are all that has to be compared.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        Sodium.prepare()
        let text = text.utf8.map(CChar.init(bitPattern:))
        var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3 + 3)
        var count = 0
        let status = unsafe sodium_base642bin(
            &bytes, bytes.count, text, text.count, nil, &count, nil, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
        return status == 0 ? Array(bytes.prefix(count)) : nil
    }
}
