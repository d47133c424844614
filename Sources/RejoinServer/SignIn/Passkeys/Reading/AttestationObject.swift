/// What an authenticator returns when it has made a credential (WebAuthn level 3, section 6.5).
///
/// Any kind of attestation is read, and none is checked: who may sign in here is decided by who adds the passkey while
/// signed in, not by the make of the device. The page asks for `none`, and devices that send more are not turned away.
package struct AttestationObject: Equatable, Sendable {
    /// The bytes as they were written.
    package var authenticatorData: [UInt8]
    /// The kind of attestation, such as `packed`.
    package var format: String

    /// Reads all of the bytes; nil for anything that is not exactly an attestation object.
    package init?(_ bytes: [UInt8]) {
        guard let object = try? CBORReader.parse(bytes[...]), let format = object["fmt"]?.text,
            let data = object["authData"]?.bytes, case .map? = object["attStmt"]
        else { return nil }
        authenticatorData = data
        self.format = format
    }
}
