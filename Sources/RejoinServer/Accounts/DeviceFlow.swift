import Crypto
import RejoinCore
import Synchronization

/// Devices that wait to be let in by somebody who is signed in elsewhere: RFC 8628, for what has no browser.
///
/// Requests live ten minutes at most and in memory alone, by the hashes of their codes: who cannot sign in must not be
/// able to fill a disk. A restart of the server ends them, and the device asks anew.
final class DeviceFlow: Sendable {
    private let surroundings: Surroundings
    private let state = Mutex(State())

    private struct State {
        /// By the hash of the device's long code.
        var requests: [[UInt8]: Request] = [:]
        /// The hash of the long code by the one of the short code.
        var shortCodes: [[UInt8]: [UInt8]] = [:]
    }

    private enum Decision: Equatable {
        case none, denied, approved(AccountID)
        /// Its session is being opened.
        case handing(AccountID)
    }

    private struct Request {
        var view: View
        var shortHash: [UInt8]
        var network: String
        var client: String
        var expiresAt: Duration
        var interval = DeviceFlow.interval
        var polledAt: Duration?
        var decision = Decision.none
    }

    /// What the person is shown before deciding.
    struct View: Equatable, Sendable {
        /// What the device calls itself.
        var device: String
        /// Where it asked from.
        var address: String
        var askedAt: Timestamp
    }

    /// What a device is told when it asks to be let in.
    struct Offer: Sendable {
        let deviceCode: String
        let userCode: String
    }

    /// What a device is told when it asks whether it was let in.
    enum Outcome: Equatable, Sendable {
        case pending, slowDown, denied
        /// Its time is over, or it was let in before.
        case expired
        /// Nobody gave out such a code.
        case unknown
        case granted(AccountID, device: String)
    }

    /// How long a request waits for a person.
    static let lifetime = Duration.seconds(600)
    /// Seconds between two questions of a device.
    static let interval = 5
    /// A question may come this much too early: the network is not even.
    private static let leeway = Duration.seconds(1)
    private static let requestsInAll = 1000
    private static let requestsPerNetwork = 10

    init(surroundings: Surroundings) { self.surroundings = surroundings }

    /// Begins a request.
    ///
    /// - Returns: nil where too many wait already.
    func begin(client: String, device: String, address: String) -> Offer? {
        let now = surroundings.monotonic()
        let network = Accounts.network(address)
        let (long, short) = (Token(), DeviceCode())
        let view = View(device: Accounts.deviceName(device), address: address, askedAt: surroundings.wall())
        let isTaken = state.withLock { state in
            Self.expire(&state, now)
            guard state.requests.count < Self.requestsInAll, state.shortCodes[short.hash] == nil,
                state.requests.values.count(where: { $0.network == network && $0.expiresAt > now })
                    < Self.requestsPerNetwork
            else { return false }
            state.requests[long.hash] = Request(
                view: view, shortHash: short.hash, network: network, client: client, expiresAt: now + Self.lifetime)
            state.shortCodes[short.hash] = long.hash
            return true
        }
        return isTaken ? Offer(deviceCode: long.text, userCode: short.shown) : nil
    }

    /// What a code stands for that a person typed, while nobody has decided.
    func look(_ code: DeviceCode) -> View? {
        let now = surroundings.monotonic()
        return state.withLock { state in
            Self.expire(&state, now)
            guard let request = state.shortCodes[code.hash].flatMap({ state.requests[$0] }),
                request.decision == .none
            else { return nil }
            return request.view
        }
    }

    /// Lets a device in as an account, or with nil does not; false if the code stands for nothing that is undecided.
    func decide(_ code: DeviceCode, as account: AccountID?) -> Bool {
        let now = surroundings.monotonic()
        return state.withLock { state in
            Self.expire(&state, now)
            guard let long = state.shortCodes[code.hash], state.requests[long]?.decision == Decision.none else {
                return false
            }
            state.requests[long]?.decision = account.map { .approved($0) } ?? .denied
            return true
        }
    }

    /// Answers a device that asks; what was granted is handed over once, which ``handedOver(_:isDone:)`` has to end.
    func poll(deviceCode: String, client: String) -> Outcome {
        guard let hash = Token(deviceCode)?.hash else { return .unknown }
        let now = surroundings.monotonic()
        return state.withLock { state in
            guard let request = state.requests[hash], request.client == client else { return .unknown }
            guard request.expiresAt > now else {
                Self.remove(hash, &state)
                return .expired
            }
            switch request.decision {
            case .denied:
                Self.remove(hash, &state)
                return .denied
            case .approved(let account):
                state.requests[hash]?.decision = .handing(account)
                return .granted(account, device: request.view.device)
            case .handing: return .unknown
            case .none:
                let isEarly = request.polledAt.map { now - $0 < .seconds(request.interval) - Self.leeway } ?? false
                state.requests[hash]?.polledAt = now
                guard isEarly else { return .pending }
                state.requests[hash]?.interval = min(request.interval + 5, 60)
                return .slowDown
            }
        }
    }

    /// Ends what was granted; where it could not be handed over, the device may ask for it again.
    func handedOver(_ deviceCode: String, isDone: Bool) {
        guard let hash = Token(deviceCode)?.hash else { return }
        state.withLock { state in
            guard case .handing(let account) = state.requests[hash]?.decision else { return }
            if isDone { Self.remove(hash, &state) } else { state.requests[hash]?.decision = .approved(account) }
        }
    }

    private static func expire(_ state: inout State, _ now: Duration) {
        // What has just ended is kept a while, so that its device hears why.
        for (hash, request) in state.requests where request.expiresAt + lifetime <= now { remove(hash, &state) }
        for request in state.requests.values where request.expiresAt <= now {
            state.shortCodes[request.shortHash] = nil
        }
    }

    private static func remove(_ hash: [UInt8], _ state: inout State) {
        guard let request = state.requests.removeValue(forKey: hash) else { return }
        state.shortCodes[request.shortHash] = nil
    }
}
