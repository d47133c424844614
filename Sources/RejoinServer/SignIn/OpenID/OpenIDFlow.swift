import Crypto
import RejoinCore

/// One sign-in with a provider, from the browser that is sent there to the same browser coming back.
///
/// All of it stands in one cookie: a ticket, and the account that an identity is to be linked to. State, nonce and
/// verifier are found from the ticket by a key that never leaves this process, so nothing is kept for who never comes back.
struct OpenIDFlow {
    private let ticket: [UInt8]
    /// The account to link to; nil for signing in.
    let account: AccountID?
    /// What the provider hands back through the browser.
    let state: String
    /// What the provider puts into the token.
    let nonce: String
    /// What the provider is told in the end, to prove that it is still the same flow (RFC 7636).
    let verifier: String

    private static let purpose = "sign-in with a provider"

    /// Begins a flow.
    init(linking account: AccountID?, _ mint: TicketMint) {
        self.init(mint.make(Self.purpose, for: account?.bytes ?? []), account, mint)
    }

    /// Reads a browser's cookie; nil for one that is not ours or is too old.
    init?(cookie: String, _ mint: TicketMint) {
        guard let bytes = Base64URL.decode(cookie), bytes.count == 56 || bytes.count == 72 else { return nil }
        let account = bytes.count == 72 ? AccountID(bytes: bytes.suffix(16)) : nil
        let ticket = Array(bytes.prefix(56))
        guard mint.isGood(ticket, Self.purpose, for: account?.bytes ?? []) else { return nil }
        self.init(ticket, account, mint)
    }

    private init(_ ticket: [UInt8], _ account: AccountID?, _ mint: TicketMint) {
        self.ticket = ticket
        self.account = account
        state = Base64URL.encode(mint.secret("state", of: ticket))
        nonce = Base64URL.encode(mint.secret("nonce", of: ticket))
        verifier = Base64URL.encode(mint.secret("verifier", of: ticket))
    }

    /// Brings it to its end; false if it was there already.
    func end(_ mint: TicketMint) -> Bool { mint.useUp(ticket, Self.purpose, for: account?.bytes ?? []) }

    /// What the browser keeps meanwhile.
    var cookie: String { Base64URL.encode(ticket + (account?.bytes ?? [])) }

    /// What the provider is told of the verifier beforehand.
    var challenge: String { Base64URL.encode(Digest.sha256(Array(verifier.utf8))) }
}
