public import Observation
import RejoinCore

/// The person's decisions about their words as a front shows them.
///
/// Until the server has told, every switch shows its most private value. A change shows as set once the server has
/// confirmed it, and not before.
@MainActor @Observable public final class ConsentModel {
    /// What is known of the decisions.
    public enum State: Equatable, Sendable {
        /// The server has not told yet.
        case unknown
        /// The server keeps no such decisions: there is nothing to show.
        case notOffered
        case known(Consent)
    }

    public let client: ConversationClient
    public private(set) var state = State.unknown
    /// Why the last change did not happen, or the decisions could not be read.
    public private(set) var notice: RefusalNotice?
    /// The switch that is being changed.
    public private(set) var pending: Consent.Topic?

    @ObservationIgnored private let options: ModelOptions

    /// Makes a model.
    public init(client: ConversationClient, options: ModelOptions = ModelOptions()) {
        self.client = client
        self.options = options
    }

    /// Whether a switch is on, as far as the server has said.
    public func isOn(_ topic: Consent.Topic) -> Bool {
        if case .known(let consent) = state { consent[topic] } else { false }
    }

    /// The switches to show: none where the server has none.
    public var topics: [Consent.Topic] {
        switch state {
        case .unknown: Consent.Topic.allCases
        case .notOffered: []
        case .known(let consent): Consent.Topic.allCases.filter { consent.decisions[$0] != nil }
        }
    }

    /// Whether a switch can be changed now.
    public var canChange: Bool { if case .known = state { pending == nil } else { false } }

    /// Asks the server.
    public func refresh() async {
        do {
            state = .known(try await client.consent())
            notice = nil
        } catch let refusal as ClientRefusal where refusal.isUnknownThere {
            state = .notOffered
        } catch {
            say(error)
        }
    }

    /// Changes a switch; the old value shows until the server has confirmed, and again if it does not.
    public func set(_ topic: Consent.Topic, isOn: Bool) async {
        guard case .known(let old) = state, pending == nil, old[topic] != isOn else { return }
        pending = topic
        defer { pending = nil }
        do {
            state = .known(try await client.decide(topic, isOn: isOn, version: old.version))
            notice = nil
        } catch {
            // Another device decided something meanwhile, or the reply to this very change was lost.
            let isConflict = (error as? ClientRefusal)?.code == ClientRefusal.Code(Problem.Kind.conflict)
            if isConflict { await refresh() }
            if !isConflict || self.isOn(topic) != isOn { say(error) }
        }
    }

    /// Keeps the model in step until its task is cancelled.
    public func run() async {
        let updates = client.updates()
        await refresh()
        await FrameLoop.run(updates, ticker: options.ticker(for: client)) { updates in
            guard updates.contains(.consent) || updates.contains(.connection) else { return }
            await self.refreshIfUseful(updates.contains(.consent))
        }
    }

    private func refreshIfUseful(_ hasChanged: Bool) async {
        // A connection that came back is a reason only for who knows nothing yet.
        if hasChanged || (state == .unknown && client.connection == .online) { await refresh() }
    }

    private func say(_ error: any Error) {
        notice = options.guide.notice(for: error as? ClientRefusal ?? ClientRefusal(.offline))
    }
}

extension ClientRefusal {
    /// Whether the server has no such thing at all.
    var isUnknownThere: Bool { code == .notFound || code == Code(.methodNotAllowed) }
}
