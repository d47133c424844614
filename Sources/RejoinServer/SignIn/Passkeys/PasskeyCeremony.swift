import Crypto

/// The checks of both ceremonies (WebAuthn level 3, sections 7.1 and 7.2), as values in and out: no clock, no store.
struct PasskeyCeremony {
    let party: RelyingParty

    /// What a registration brings, checked.
    struct Registration: Equatable {
        var credential: [UInt8]
        /// As COSE.
        var publicKey: [UInt8]
        var signCount: UInt32
        var isBackupEligible: Bool
        var isBackedUp: Bool
    }

    /// What an assertion brings, checked.
    struct Assertion: Equatable {
        var signCount: UInt32
        var isBackedUp: Bool
    }

    /// Checks what an authenticator returned for a new credential.
    ///
    /// - Parameter accepts: whether a challenge is one that was given out for this; asked last, because it uses it up.
    /// - Throws: the first ``PasskeyFault``.
    func register(
        _ reply: RegistrationReply, accepts: (_ challenge: [UInt8]) -> Bool
    ) throws(PasskeyFault) -> Registration {
        let client = try check(reply.clientData, .create)
        guard let object = AttestationObject(reply.attestation),
            let data = AuthenticatorData(object.authenticatorData), let attested = data.attested,
            attested.credential == reply.credential
        else { throw .malformed }
        try check(data)
        guard PublicKey(cose: attested.key) != nil else { throw .algorithm }
        guard accepts(client.challenge) else { throw .challenge }
        return Registration(
            credential: attested.credential, publicKey: attested.keyBytes, signCount: data.signCount,
            isBackupEligible: data.isBackupEligible, isBackedUp: data.isBackedUp)
    }

    /// Checks what an authenticator signed for a passkey that the store knows.
    ///
    /// - Parameter accepts: as for ``register(_:accepts:)``.
    /// - Throws: the first ``PasskeyFault``.
    func assert(
        _ reply: AssertionReply, by passkey: PasskeyRecord, accepts: (_ challenge: [UInt8]) -> Bool
    ) throws(PasskeyFault) -> Assertion {
        let client = try check(reply.clientData, .get)
        guard let data = AuthenticatorData(reply.authenticatorData), data.attested == nil else { throw .malformed }
        try check(data)
        guard data.isBackupEligible == passkey.isBackupEligible else { throw .backup }
        guard let cose = try? CBORReader.parse(passkey.publicKey[...]), let key = PublicKey(cose: cose) else {
            throw .algorithm
        }
        let signed = reply.authenticatorData + Digest.sha256(reply.clientData)
        guard key.verifies(reply.signature, of: signed, form: .der) else { throw .signature }
        guard accepts(client.challenge) else { throw .challenge }
        guard Self.isNext(data.signCount, after: passkey.signCount) else { throw .counter }
        return Assertion(signCount: data.signCount, isBackedUp: data.isBackedUp)
    }

    /// The rule for counters: one that counts goes up; one that never counted stays at 0.
    static func isNext(_ count: UInt32, after stored: UInt32) -> Bool { count > stored || count == 0 && stored == 0 }

    private func check(_ bytes: [UInt8], _ ceremony: ClientData.Ceremony) throws(PasskeyFault) -> ClientData {
        guard let client = ClientData(bytes) else { throw .malformed }
        guard client.ceremony == ceremony else { throw .ceremony }
        guard client.origin == party.origin else { throw .origin }
        guard !client.isEmbedded else { throw .embedded }
        return client
    }

    private func check(_ data: AuthenticatorData) throws(PasskeyFault) {
        guard data.partyHash == Digest.sha256(Array(party.id.utf8)) else { throw .party }
        guard data.isUserPresent else { throw .absent }
        guard data.isUserVerified else { throw .unverified }
        guard data.isBackupEligible || !data.isBackedUp else { throw .backup }
    }
}
