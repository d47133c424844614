import RejoinCore

/// What a failed delivery means for the entry of the outbox.
enum DeliveryOutcome: Equatable, Sendable {
    /// It is told again later, under the same ids.
    case retry(after: Int?)
    /// The person gets it back with the reason; only they send it again.
    case refuse(ClientRefusal)
    /// There is nothing left to tell.
    case drop
    /// The server knows no such conversation: it is made and deleted, so that no late request can bring it about.
    case bury
    /// The conversation was deleted elsewhere.
    case conversationGone
    /// The device is signed out; the entry stays for the day it is signed in.
    case hold

    /// How often a server that answers nonsense to one entry is asked again.
    static let maximumFaults = 3
    /// How often an entry that certainly never left is tried where nothing is queued.
    static let maximumUnseen = 3

    /// Decides.
    ///
    /// - Parameters:
    ///   - attempts: how often it was tried before, this time not counted.
    ///   - refusesOffline: whether a prompt goes back to the person where there is no connection.
    ///   - isUnseen: whether no try so far can have reached the server.
    init(
        _ error: ClientError, of kind: OutboxKind, attempts: Int, refusesOffline: Bool = false, isUnseen: Bool = false
    ) {
        self =
            switch kind {
            case .turn, .regenerate:
                Self.prompt(error, attempts: attempts, refusesOffline: refusesOffline, isUnseen: isUnseen)
            case .delete, .deleteAll: Self.deletion(error, attempts: attempts)
            case .stop, .select, .rename, .pin, .archive, .askForPath: Self.mark(error, attempts: attempts)
            }
    }

    private static func prompt(
        _ error: ClientError, attempts: Int, refusesOffline: Bool, isUnseen: Bool
    ) -> DeliveryOutcome {
        if error.code == ClientError.Code(.unauthenticated) { return .hold }
        if error.code == ClientError.Code(.deleted) { return .conversationGone }
        if error.isTransient {
            // Only what certainly never left may be given back: the rest may be answered already.
            if refusesOffline, isUnseen, error.code == .unreachable, attempts + 1 >= maximumUnseen {
                return .refuse(ClientRefusal(.offline))
            }
            return .retry(after: error.retryAfter)
        }
        if error.isFault, attempts + 1 < maximumFaults { return .retry(after: error.retryAfter) }
        return .refuse(ClientRefusal(error))
    }

    private static func deletion(_ error: ClientError, attempts: Int) -> DeliveryOutcome {
        switch error.code {
        case ClientError.Code(.unauthenticated): .hold
        case ClientError.Code(.deleted): .drop
        case ClientError.Code(.notFound): .bury
        // A deletion is not given up over a server that stumbles: it would come back.
        default: error.isTransient || error.isFault ? .retry(after: error.retryAfter) : .drop
        }
    }

    private static func mark(_ error: ClientError, attempts: Int) -> DeliveryOutcome {
        if error.code == ClientError.Code(.unauthenticated) { return .hold }
        if error.code == ClientError.Code(.deleted) { return .conversationGone }
        if error.isTransient || error.isFault && attempts + 1 < maximumFaults {
            return .retry(after: error.retryAfter)
        }
        return .drop
    }
}
