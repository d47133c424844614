import RejoinCore

/// Why a passkey was not accepted; a closed list, whose words go to the developer of a client.
enum PasskeyFault: String, Error, CaseIterable {
    case malformed = "the credential is not what a browser returns"
    case ceremony = "it answers another kind of request"
    case challenge = "the challenge is not known, was used, or is over five minutes old"
    case origin = "it was used at another address"
    case embedded = "it was used inside a page of another site"
    case party = "it is for another server"
    case absent = "nobody touched the authenticator"
    case unverified = "the authenticator did not check who is there"
    case backup = "its backup flags contradict each other"
    case algorithm = "its key is of a kind that is not taken"
    case unknown = "this server does not know it"
    case signature = "the signature is wrong"
    case counter = "its counter went back, so that there may be a copy of it"

    /// The refusal: of a sign-in `unauthenticated`, of anything else `invalid-request`.
    func problem(_ kind: Problem.Kind) -> Problem {
        Problem(kind, "The passkey was not accepted: \(rawValue).", field: "credential")
    }
}
