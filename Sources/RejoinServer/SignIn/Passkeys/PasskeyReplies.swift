import Crypto
import RejoinCore

/// What a browser returns for a new credential, in the form of its `toJSON()`.
struct RegistrationReply: Equatable, Sendable {
    var credential: [UInt8]
    var clientData: [UInt8]
    var attestation: [UInt8]
    /// How the authenticator is reached, for the browser's next request.
    var transports: [String]

    /// Reads the JSON form.
    init(_ json: JSONValue?) throws(PasskeyFault) {
        let (credential, response) = try Self.parts(json)
        self.credential = credential
        clientData = try Self.bytes("clientDataJSON", response)
        attestation = try Self.bytes("attestationObject", response)
        let words = (response["transports"]?.array ?? []).compactMap(\.string)
        // The list is an open one, but of plain words.
        let plain = words.filter { (1...32).contains($0.utf8.count) && Setting.isPlain($0, and: "-_") }
        transports = Array(plain.prefix(8))
    }

    /// The id of the credential and the response inside.
    fileprivate static func parts(_ json: JSONValue?) throws(PasskeyFault) -> ([UInt8], JSONObject) {
        guard let object = json?.object, object["type"]?.string == "public-key",
            let id = object["id"]?.string, object["rawId"] == nil || object["rawId"]?.string == id,
            let credential = Base64URL.decode(id), (1...1023).contains(credential.count),
            let response = object["response"]?.object
        else { throw .malformed }
        return (credential, response)
    }

    fileprivate static func bytes(_ name: String, _ response: JSONObject) throws(PasskeyFault) -> [UInt8] {
        guard let bytes = response[name]?.string.flatMap({ Base64URL.decode($0) }), !bytes.isEmpty else {
            throw .malformed
        }
        return bytes
    }
}

/// What a browser returns for a sign-in, in the form of its `toJSON()`.
struct AssertionReply: Equatable, Sendable {
    var credential: [UInt8]
    var clientData: [UInt8]
    var authenticatorData: [UInt8]
    var signature: [UInt8]
    /// Whose passkey the authenticator says it is.
    var user: [UInt8]

    /// Reads the JSON form.
    init(_ json: JSONValue?) throws(PasskeyFault) {
        let (credential, response) = try RegistrationReply.parts(json)
        self.credential = credential
        clientData = try RegistrationReply.bytes("clientDataJSON", response)
        authenticatorData = try RegistrationReply.bytes("authenticatorData", response)
        signature = try RegistrationReply.bytes("signature", response)
        user = try RegistrationReply.bytes("userHandle", response)
    }
}
