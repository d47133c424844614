/// The record of what a person has consented to on this device.
///
/// It is asked when a route is decided, and again at the moment of every upload.
public protocol ConsentLedger: Sendable {
    /// What is recorded about a request; an error in reading counts as no consent.
    func status(for request: ConsentRequest) async -> ConsentStatus

    /// Everything that is consented to, oldest first.
    ///
    /// - Throws: ``ConsentLedgerError`` if the record cannot be read.
    func grants() async throws -> [ConsentGrant]

    /// Records a consent, in place of one to another version of the same text.
    ///
    /// - Throws: ``ConsentLedgerError`` if the record cannot be read or written; then nothing has changed.
    func record(_ grant: ConsentGrant) async throws

    /// Takes back every consent to a recipient.
    ///
    /// - Throws: ``ConsentLedgerError`` if the record cannot be read or written; then nothing has changed.
    func revoke(_ recipient: Recipient) async throws

    /// Takes back every consent.
    ///
    /// - Throws: ``ConsentLedgerError`` if the record cannot be written; then nothing has changed.
    func revokeAll() async throws

    /// Tells of every change made through this ledger, from now on: whoever waits with something to send looks again.
    func changes() async -> AsyncStream<ConsentChange>
}

/// That something has changed in a ledger; what, is asked of the ledger.
public struct ConsentChange: Sendable, Hashable {
    /// How many changes there have been, this one included.
    public let generation: Int
}

/// Why a record of consents could not be used.
@nonexhaustive public enum ConsentLedgerError: Error, Sendable, Hashable {
    /// The file is there and cannot be opened; the system's number for why.
    case unreadable(errno: Int32)
    /// The file is not a record of consents that this version understands.
    case malformed
    /// The file could not be written; the system's number for why.
    case unwritable(errno: Int32)
}

extension ConsentLedgerError: CustomStringConvertible {
    /// Safe to show: it names no file.
    public var description: String {
        switch self {
        case .unreadable(let number): "the record of consents cannot be read (system error \(number))"
        case .malformed: "the record of consents is not in a form that this version understands"
        case .unwritable(let number): "the record of consents cannot be written (system error \(number))"
        }
    }
}
