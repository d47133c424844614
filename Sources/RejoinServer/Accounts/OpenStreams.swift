import HTTPServer
import RejoinCore
import Synchronization

/// The streams that devices have open, so that a device that is signed out hears no more at once.
final class OpenStreams: Sendable {
    private let state = Mutex(State())

    private struct State {
        var exchanges: [SessionID: [Exchange]] = [:]
        /// Who was signed out lately: a request may have been let in the moment before.
        var gone: Set<SessionID> = []
        var goneInOrder: [SessionID] = []
    }

    /// More than can be signed out while a request is on its way in.
    private static let remembered = 10_000

    /// The devices that have a stream open.
    var sessions: [SessionID] { state.withLock { Array($0.exchanges.keys) } }

    /// Whether the device was signed out here.
    func isGone(_ session: SessionID) -> Bool { state.withLock { $0.gone.contains(session) } }

    /// Notes that a stream begins.
    func open(_ exchange: Exchange, of session: SessionID) {
        let isGone = state.withLock { state in
            state.exchanges[session, default: []].append(exchange)
            return state.gone.contains(session)
        }
        if isGone { exchange.cancel() }
    }

    /// Notes that a stream is over.
    func close(_ exchange: Exchange, of session: SessionID) {
        state.withLock { state in
            state.exchanges[session]?.removeAll { $0 === exchange }
            if state.exchanges[session]?.isEmpty == true { state.exchanges[session] = nil }
        }
    }

    /// Cuts the streams of devices that were signed out, and those that are just about to begin.
    func cut(_ sessions: [SessionID]) {
        let exchanges = state.withLock { state in
            for session in sessions where state.gone.insert(session).inserted { state.goneInOrder.append(session) }
            let excess = state.goneInOrder.count - Self.remembered
            if excess > 0 {
                for session in state.goneInOrder.prefix(excess) { state.gone.remove(session) }
                state.goneInOrder.removeFirst(excess)
            }
            return sessions.flatMap { state.exchanges[$0] ?? [] }
        }
        for exchange in exchanges { exchange.cancel() }
    }
}
