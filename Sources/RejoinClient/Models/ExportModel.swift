public import Observation
import RejoinCore

/// Taking everything along, as a front shows it: a task of the server, and then its archive.
@MainActor @Observable public final class ExportModel {
    /// How far it is.
    public enum State: Equatable, Sendable {
        case idle
        /// The server makes no archives: there is nothing to show.
        case notOffered
        /// It is being made; how much of it, from 0 to 1, once that is known.
        case running(share: Double?)
        /// It can be fetched.
        case ready(ServerTask)
        case failed(RefusalNotice?)
    }

    public let client: ConversationClient
    public private(set) var state = State.idle

    @ObservationIgnored private let options: ModelOptions
    /// How long between two looks at the task.
    nonisolated static let interval = Duration.milliseconds(500)

    /// Makes a model.
    public init(client: ConversationClient, options: ModelOptions = ModelOptions()) {
        self.client = client
        self.options = options
    }

    /// Has an archive made, and returns when it is ready or has failed.
    public func start() async {
        if case .running = state { return }
        state = .running(share: nil)
        do {
            var task = try await client.ask { try await $0.beginExport() }
            while !task.isOver {
                state = .running(share: task.total.flatMap { $0 > 0 ? Double(task.done) / Double($0) : nil })
                try await client.clock.sleep(for: Self.interval)
                task = try await client.ask { [id = task.id] in try await $0.task(id) }
            }
            state = task.state == "done" ? .ready(task) : .failed(nil)
        } catch let refusal as ClientRefusal {
            state = refusal.isUnknownThere ? .notOffered : .failed(options.guide.notice(for: refusal))
        } catch {
            state = .idle
        }
    }
}
