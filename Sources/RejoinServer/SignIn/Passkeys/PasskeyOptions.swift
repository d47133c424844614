import Crypto
import RejoinCore

/// What a browser is asked for, in the JSON form of WebAuthn level 3.
enum PasskeyOptions {
    case registration(
        RelyingParty, account: AccountID, name: String, known: [PasskeyRecord], challenge: [UInt8])
    case signIn(RelyingParty, challenge: [UInt8])

    /// How long the browser waits for its person: as long as the challenge is good.
    private static let timeout = 300_000

    /// Writes the object.
    func write(to json: inout JSONWriter) {
        json.beginObject()
        switch self {
        case .registration(let party, let account, let name, let known, let challenge):
            json.member("challenge", Base64URL.encode(challenge))
            json.name("rp")
            json.beginObject()
            json.member("id", party.id)
            json.member("name", "Rejoinder")
            json.endObject()
            json.name("user")
            json.beginObject()
            json.member("id", Base64URL.encode(account.bytes))
            json.member("name", name)
            json.member("displayName", name)
            json.endObject()
            Self.algorithms(&json)
            json.name("excludeCredentials")
            json.beginArray()
            for passkey in known { Self.descriptor(passkey, &json) }
            json.endArray()
            json.name("authenticatorSelection")
            json.beginObject()
            // It has to be found without a name, and to stand for a password as well as for its owner.
            json.member("residentKey", "required")
            json.name("requireResidentKey")
            json.bool(true)
            json.member("userVerification", "required")
            json.endObject()
            json.member("attestation", "none")
        case .signIn(let party, let challenge):
            json.member("challenge", Base64URL.encode(challenge))
            json.member("rpId", party.id)
            json.name("allowCredentials")
            json.beginArray()
            json.endArray()
            json.member("userVerification", "required")
        }
        json.name("timeout")
        json.integer(Self.timeout)
        json.endObject()
    }

    private static func algorithms(_ json: inout JSONWriter) {
        json.name("pubKeyCredParams")
        json.beginArray()
        for algorithm in PublicKey.algorithms {
            json.beginObject()
            json.member("type", "public-key")
            json.name("alg")
            json.integer(algorithm.number)
            json.endObject()
        }
        json.endArray()
    }

    private static func descriptor(_ passkey: PasskeyRecord, _ json: inout JSONWriter) {
        json.beginObject()
        json.member("type", "public-key")
        json.member("id", Base64URL.encode(passkey.credential))
        json.name("transports")
        json.beginArray()
        for transport in passkey.transports { json.string(transport) }
        json.endArray()
        json.endObject()
    }
}
