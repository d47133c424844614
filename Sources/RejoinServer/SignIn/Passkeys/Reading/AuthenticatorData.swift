/// What an authenticator says about itself and its person (WebAuthn level 3, section 6.1).
package struct AuthenticatorData: Equatable, Sendable {
    /// A credential that was just made.
    package struct Attested: Equatable, Sendable {
        /// At most 1023 bytes.
        package var credential: [UInt8]
        /// The public key as COSE, not looked at.
        package var key: CBORValue
        /// The same as it was written, for the store.
        package var keyBytes: [UInt8]
    }

    /// SHA-256 of the relying party's id.
    package var partyHash: [UInt8]
    /// A person touched it.
    package var isUserPresent: Bool
    /// It knows the person: by finger, face or PIN.
    package var isUserVerified: Bool
    /// The credential may be copied to other devices.
    package var isBackupEligible: Bool
    /// It has been.
    package var isBackedUp: Bool
    /// Signatures so far; 0 for ever where they are not counted.
    package var signCount: UInt32
    /// Nil but when a credential is made.
    package var attested: Attested?

    /// Reads all of the bytes; nil for anything that is not exactly authenticator data.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 37 else { return nil }
        partyHash = Array(bytes[..<32])
        let flags = bytes[32]
        isUserPresent = flags & 0x01 != 0
        isUserVerified = flags & 0x04 != 0
        isBackupEligible = flags & 0x08 != 0
        isBackedUp = flags & 0x10 != 0
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var rest = bytes[37...]
        if flags & 0x40 != 0 {
            guard let attested = Attested(&rest) else { return nil }
            self.attested = attested
        }
        if flags & 0x80 != 0 {
            guard case .map? = try? CBORReader.read(from: &rest) else { return nil }
        }
        guard rest.isEmpty else { return nil }
    }
}

extension AuthenticatorData.Attested {
    /// Takes a credential off the front of the bytes.
    fileprivate init?(_ bytes: inout ArraySlice<UInt8>) {
        // The model of the authenticator comes first; no policy here asks for it.
        guard bytes.count >= 18 else { return nil }
        let start = bytes.startIndex
        let count = Int(bytes[start + 16]) << 8 | Int(bytes[start + 17])
        bytes = bytes.dropFirst(18)
        guard (1...1023).contains(count), bytes.count > count else { return nil }
        credential = Array(bytes.prefix(count))
        bytes = bytes.dropFirst(count)
        let whole = bytes
        guard let key = try? CBORReader.read(from: &bytes) else { return nil }
        self.key = key
        keyBytes = Array(whole[..<bytes.startIndex])
    }
}
