import RejoinCore
import Synchronization

/// Works out one connection state from what every line, call and hint says.
struct ConnectionMachine: Sendable {
    private(set) var state = ConnectionState.reconnecting(attempt: 0)
    /// What the system believes; nil for "maybe".
    private(set) var isReachable: Bool?
    private var failures = 0
    private var downSince: Timestamp?

    /// How many failures in a row make a broken line an absent network.
    static let patience = 3
    /// And for how long they must go on.
    static let patienceMilliseconds: Int64 = 1000

    /// The server answered, in whatever words.
    mutating func noteAnswer() {
        // What was under way when the network went says nothing about what comes after it.
        guard state != .signedOut, isReachable != false else { return }
        failures = 0
        downSince = nil
        state = .online
    }

    /// The server could not be asked, or fell silent.
    mutating func noteFailure(at now: Timestamp) {
        guard state != .signedOut else { return }
        failures += 1
        let since = downSince ?? now
        downSince = since
        // Many lines that break in one moment are one failure, not many.
        let isLong = now.milliseconds - since.milliseconds >= Self.patienceMilliseconds
        if isReachable == false || failures >= Self.patience && isLong {
            state = .offline(since: since)
        } else {
            state = .reconnecting(attempt: failures)
        }
    }

    /// The system said something about the network.
    mutating func noteHint(_ isReachable: Bool, at now: Timestamp) {
        self.isReachable = isReachable
        guard state != .signedOut else { return }
        if isReachable {
            if state != .online {
                failures = 0
                state = .reconnecting(attempt: 0)
            }
        } else {
            let since = downSince ?? now
            downSince = since
            state = .offline(since: since)
        }
    }

    /// The server no longer knows the token.
    mutating func noteSignOut() { state = .signedOut }

    /// Whether it is worth trying at all.
    var mayTry: Bool { state != .signedOut && isReachable != false }

    /// Whether a prompt may be taken for sending at once.
    var isOffline: Bool { if case .offline = state { true } else { false } }
}

/// Keeps the one connection state, and wakes what waits for it to get better.
final class ConnectionTracker: Sendable {
    private let machine = Mutex(ConnectionMachine())
    private let now: @Sendable () -> Timestamp
    private let onChange: @Sendable (ConnectionState) -> Void
    /// Called when another try makes sense before its time: the network came, or another line got through.
    let better = WakeUp()
    /// Called when the state is another one.
    let changed = WakeUp()

    init(now: @escaping @Sendable () -> Timestamp, onChange: @escaping @Sendable (ConnectionState) -> Void) {
        self.now = now
        self.onChange = onChange
    }

    var state: ConnectionState { machine.withLock { $0.state } }
    var mayTry: Bool { machine.withLock { $0.mayTry } }
    var isOffline: Bool { machine.withLock { $0.isOffline } }

    func noteAnswer() { change { $0.noteAnswer() } }
    func noteSignOut() { change { $0.noteSignOut() } }
    func noteHint(_ isReachable: Bool) { change { $0.noteHint(isReachable, at: now()) } }

    /// Takes in what an error says about the connection.
    func note(_ error: ClientError) {
        switch error.code {
        case .unreachable, .dropped, .silent: change { $0.noteFailure(at: now()) }
        case ClientError.Code(.unauthenticated): change { $0.noteSignOut() }
        case .untrusted: change { $0.noteFailure(at: now()) }
        default: change { $0.noteAnswer() }
        }
    }

    private func change(_ body: (inout ConnectionMachine) -> Void) {
        let (old, new, gotBetter) = machine.withLock { machine in
            let old = machine
            body(&machine)
            let gotBetter =
                machine.mayTry && (!old.mayTry || (machine.state == .online && old.state != .online))
            return (old.state, machine.state, gotBetter || (old.state != .signedOut && machine.state == .signedOut))
        }
        if old != new {
            onChange(new)
            changed.call()
        }
        if gotBetter { better.call() }
    }
}
